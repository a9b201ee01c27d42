"""fold, same_text, has_word, has_words, minutes_between, code."""

from __future__ import annotations

import pytest

from envolve.environments.connections import connected
from envolve.environments.functions import CodeMaker, add_functions


def value(sql: str, *bound: object) -> object:
    with connected() as connection:
        add_functions(connection, CodeMaker(7))
        return connection.execute(sql, bound).fetchall()[0][0]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("fold('José ÁLVAREZ')", "jose alvarez"),
        ("fold('Straße')", "strasse"),
        ("fold('ﬁne')", "fine"),
        ("fold(NULL)", None),
        ("fold(7)", 7),
        ("same_text('  Window   SIDE ', 'window side')", 1),
        ("same_text('Lucía', 'LUCIA')", 1),
        ("same_text('a b', 'ab')", 0),
        ("same_text(NULL, 'a')", None),
        ("same_text(12, '12')", 1),
        ("has_word('Ada Lindqvist', 'lind')", 0),
        ("has_word('Ada Lindqvist', 'LINDQVIST')", 1),
        ("has_word('The Copper Kettle', 'copper kettle')", 1),
        ("has_word('The Copper Kettle', 'kettle copper')", 0),
        ("has_word('José Álvarez', 'alvarez')", 1),
        ("has_word('a', '')", 0),
        ("has_word('a', '%')", 0),
        ("has_word(NULL, 'a')", None),
        ("has_word('Copper-Kettle', 'copper kettle')", 1),
        ("has_words('The Copper Kettle, Álamo St. 5', 'alamo KETTLE')", 1),
        ("has_words('The Copper Kettle', 'kettle pan')", 0),
        ("has_words('The Copper Kettle', 'cop')", 0),
        ("has_words('two two', 'two two')", 1),
        ("has_words('a', '  ')", 0),
        ("has_words('a', '%')", 0),
        ("has_words(12, 12)", 1),
        ("has_words('a', NULL)", None),
        ("has_words(NULL, 'a')", None),
        ("minutes_between('2026-03-02 09:00:00', '2026-03-02 10:30:00')", 90),
        ("minutes_between('2026-03-02 09:00:00', '2026-03-02 09:59:59')", 59),
        ("minutes_between('2026-03-02 09:00:00', '2026-03-01 09:00:00')", -1440),
        ("minutes_between('2026-03-02', '2026-03-03')", 1440),
        ("minutes_between('soon', '2026-03-03')", None),
        ("minutes_between(NULL, '2026-03-03')", None),
    ],
)
def test_values(sql: str, expected: object) -> None:
    assert value(f"SELECT {sql}") == expected


def test_codes_follow_the_seed() -> None:
    first, second = CodeMaker(7), CodeMaker(7)
    codes = [first("TB") for _ in range(50)]
    assert codes == [second("TB") for _ in range(50)]
    assert len(set(codes)) == 50
    assert CodeMaker(8)("TB") != codes[0]
    assert value("SELECT code('TB')") == codes[0]
    assert codes[0].startswith("TB-")
    assert "-" not in CodeMaker(7)("")
