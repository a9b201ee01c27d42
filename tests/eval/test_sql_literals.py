"""The constants of SQL, and what they are compared with."""

from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments.models import Check, Verifier
from envolve.eval.audit.hints import hints_of
from envolve.eval.audit.sql_literals import Compared, constants, equalities, first_table, owners, plain_constants

fixed = settings(derandomize=True, database=None, deadline=None, max_examples=100)


def values(sql: str) -> list[object]:
    return [constant.value for constant in constants(sql)]


def test_constants_come_with_the_column_they_are_compared_with() -> None:
    (party, id) = constants("SELECT b.party_size = 6 FROM after.bookings b JOIN before.people p WHERE b.id = 1806")
    assert party == (6, Compared(("bookings",), "party_size"))
    assert id == (1806, Compared(("bookings",), "id"))
    (inside,) = constants("SELECT 1 FROM after.waitlist WHERE person_id IN (204)")
    assert inside == (204, Compared(("waitlist",), "person_id"))
    (condition,) = constants("restaurant_id = 43")
    assert condition == (43, Compared((), "restaurant_id"))


def test_columns_of_outer_queries_are_found() -> None:
    found = constants(
        "SELECT NOT EXISTS (SELECT 1 FROM after.waitlist WHERE id = 5 AND label = 'x') FROM before.tables"
    )
    assert found[0].compared == Compared(("waitlist", "tables"), "id")
    compared = found[1].compared
    assert compared is not None
    assert owners(compared, {"waitlist": ["id"], "tables": ["id", "label"]}) == ["tables"]


def test_a_column_belongs_to_the_innermost_query_that_has_it() -> None:
    columns = {"payments": ["id", "notice_id", "amount"], "notices": ["id", "amount"]}
    sql = "SELECT amount = (SELECT amount FROM before.notices WHERE id = 859) FROM after.payments WHERE id = :paid"
    (constant,) = constants(sql)
    assert constant.compared is not None
    assert owners(constant.compared, columns) == ["notices"]


def test_what_carries_no_meaning_is_left_out() -> None:
    assert values("SELECT 1 FROM t WHERE EXISTS (SELECT 1) LIMIT 3") == []
    assert values("SELECT strftime('%Y', a), datetime(a, '+2 hours'), json_extract(b, '$.c') FROM t") == []
    assert values("SELECT a ->> '$.b' = 'x' FROM t") == ["x"]
    assert values("SELECT substr(a, 1, 10) = 'x', substr(b, -3), round(c, 2) = 5 FROM t") == ["x", 5]
    assert values("SELECT a % 100, b * (100), printf('%.2f', c / 100.0) = '3.00' FROM t") == ["3.00"]
    assert values("SELECT a % 17, substr('open', 2) = b FROM t") == [17, "open"]
    assert values("not even SQL ((") == []


def test_same_text_sets_a_column_equal() -> None:
    (constant,) = constants("SELECT same_text(note, 'by the window') FROM after.bookings")
    assert constant == ("by the window", Compared(("bookings",), "note"))
    assert equalities("person_id = :who AND same_text('late', note)", {"who": 204}) == {
        "person_id": 204,
        "note": "late",
    }
    assert equalities("has_word(note, 'late')", {}) == {}


def test_same_text_hints_at_its_text_and_passes_it_on_to_no_comparison_around_it() -> None:
    asked = (
        "SELECT count(*) = 1 AND min(same_text(fold(note), 'late')) = 1 FROM inserted.bookings WHERE party_size = 4"
    )
    hints = hints_of(Verifier(require=(Check(name="asked", sql=asked),)))
    assert hints == {"note": ("late",), "party_size": (4, 5, 3)}


def test_numbers_keep_their_type() -> None:
    assert values("SELECT a > 1e3, b = -20.5, c = 7 FROM t") == [1000.0, 20.5, 7]


def test_definitions_give_their_constants() -> None:
    sql = "CREATE TABLE t (a TEXT CHECK (a IN ('open', 'it''s')), b INTEGER DEFAULT 3) STRICT"
    assert plain_constants(sql) == {"open", "it's", 3}


@fixed
@given(
    st.text(
        alphabet=st.characters(exclude_characters="\0", categories=("L", "N", "P", "S", "Zs")),
        min_size=1,
        max_size=30,
    )
)
def test_any_text_comes_back_as_it_was(text: str) -> None:
    quoted = text.replace("'", "''")
    found = values(f"SELECT a = '{quoted}' FROM t")
    assert found in ([text], [])
    if text.isalnum():
        assert found == [text]


def test_the_table_of_the_first_column() -> None:
    assert (
        first_table("SELECT t.id FROM before.tables t JOIN before.restaurants r ON r.id = t.restaurant_id")
        == "tables"
    )
    assert first_table("SELECT id FROM before.bookings") == "bookings"
    assert first_table("SELECT id FROM a JOIN b") is None
    assert first_table("nonsense ((") is None
