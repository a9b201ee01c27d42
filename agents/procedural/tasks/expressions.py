"""How a verifier may say a value: as the instruction says it, by what stood in the seed state, or worked out from both.

A number that the run computed (a total, a new balance) is written relative to `before.*`, so that the check shows why.
Expressions are tried from the plainest on; the constant itself is the last resort.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import Any, NamedTuple

from .anchors import Anchors
from .schemas import TableShape
from .sqltext import literal

TRIVIAL = (-1, 0, 1)
"""Numbers that need no source."""


class Said(NamedTuple):
    """The values that the request itself gives (choices, ways' values): texts and numbers."""

    texts: frozenset[str]
    numbers: tuple[int | float, ...]


def said_values(values: Iterable[Any]) -> Said:
    """What a plan's values give: each text, each number, numbers inside lists."""
    flat = list(_flat(values))
    numbers = dict.fromkeys(value for value in flat if isinstance(value, int | float) and not isinstance(value, bool))
    return Said(frozenset(value for value in flat if isinstance(value, str)), tuple(numbers))


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        else:
            yield value


class _Number(NamedTuple):
    sql: str
    value: int | float
    said: bool


class Expressions:
    """Finds expressions for the values that one run left."""

    def __init__(
        self, tables: Mapping[str, TableShape], anchors: Anchors, said: Said, tool_texts: frozenset[str]
    ) -> None:
        self._tables = tables
        self._anchors = anchors
        self._said = said
        self._tool_texts = tool_texts
        self._made: dict[tuple[str, Any], str] = {}
        self._numbers = list(self._known_numbers())
        self._texts = dict(self._known_texts())

    def name_new(self, table: str, row: Any, bind: str) -> None:
        """From now on the new row is called `:bind`."""
        self._made[(table, row)] = f":{bind}"

    def of(self, table: str, column: str, value: Any, *, before: Any = None, row_sql: str | None = None) -> str:
        """SQL for the value of a column. `before` is what an updated row held, `row_sql` names the row then."""
        shape = self._tables[table]
        parent = shape.references.get(column)
        if value is None:
            return "NULL"
        if parent is not None:
            return self._made.get((parent, value)) or self._anchors.id_of(parent, value)
        if isinstance(value, str):
            return self._text(shape, column, value)
        old = _cell(table, column, shape.key or "", row_sql) if row_sql else None
        return self._number(value, before, old)

    def _text(self, shape: TableShape, column: str, value: str) -> str:
        sourced = value in self._said.texts or value in shape.words.get(column, ()) or value in self._tool_texts
        if sourced or value not in self._texts:
            return literal(value)
        return self._texts[value]

    def _number(self, value: int | float, before: Any, old: str | None) -> str:
        if value in TRIVIAL or value in self._said.numbers:
            return literal(value)
        if old is not None and isinstance(before, int | float):
            change = self._worked_out(abs(value - before))
            if change is not None:
                return f"{old} {'+' if value > before else '-'} {change}"
        absolute = self._worked_out(value)
        if absolute is not None:
            return absolute
        if old is not None and isinstance(before, int | float):
            return f"{old} {'+' if value > before else '-'} {literal(abs(value - before))}"
        return literal(value)

    def _worked_out(self, value: int | float) -> str | None:
        """An expression of at most two known numbers (and a per cent) that gives `value`."""
        if value in TRIVIAL or value in self._said.numbers:
            return literal(value)
        return next(chain(self._single(value), self._products(value), self._sums(value), self._shares(value)), None)

    def _single(self, value: int | float) -> Iterator[str]:
        return (known.sql for known in self._numbers if known.value == value)

    def _pairs(self) -> Iterator[tuple[_Number, _Number]]:
        """Pairs worth trying: what was said with what is known first, then known with known."""
        said = [known for known in self._numbers if known.said]
        rest = [known for known in self._numbers if not known.said]
        return chain(product(said, rest), product(said, said), product(rest[:30], rest[:30]))

    def _products(self, value: int | float) -> Iterator[str]:
        return (
            f"{a.sql} * {b.sql}"
            for a, b in self._pairs()
            if a.value * b.value == value and 1 not in (a.value, b.value)
        )

    def _sums(self, value: int | float) -> Iterator[str]:
        for a, b in self._pairs():
            if a.value + b.value == value and 0 not in (a.value, b.value):
                yield f"{a.sql} + {b.sql}"
            if b.value - a.value == value and a.value:
                yield f"{b.sql} - {a.sql}"
            if a.value - b.value == value and b.value:
                yield f"{a.sql} - {b.sql}"

    def _shares(self, value: int | float) -> Iterator[str]:
        for a, b in self._pairs():
            if isinstance(a.value, int) and isinstance(b.value, int) and 0 < a.value < 100 <= b.value:
                if a.value * b.value // 100 == value:
                    yield f"{b.sql} * {a.sql} / 100"
                if b.value - a.value * b.value // 100 == value:
                    yield f"{b.sql} - {b.sql} * {a.sql} / 100"

    def _known_numbers(self) -> Iterator[_Number]:
        for number in self._said.numbers:
            yield _Number(literal(number), number, True)
        for table, _, anchor, record in self._anchors.near():
            shape = self._tables[table]
            for column, value in record.items():
                plain = column != shape.key and column not in shape.references and column not in shape.ignored
                if plain and isinstance(value, int | float) and value not in TRIVIAL:
                    yield _Number(_cell(table, column, shape.key or "", anchor.sql), value, False)

    def _known_texts(self) -> Iterator[tuple[str, str]]:
        near = self._anchors.near()
        for table, _, anchor, record in reversed(near):
            shape = self._tables[table]
            for column, value in record.items():
                if isinstance(value, str) and column not in shape.ignored:
                    yield value, _cell(table, column, shape.key or "", anchor.sql)


def _cell(table: str, column: str, key: str, row: str) -> str:
    """A value of one row of the seed state. Columns are qualified: the query may stand within another's."""
    return f"(SELECT {table[0]}.{column} FROM before.{table} AS {table[0]} WHERE {table[0]}.{key} = {row})"
