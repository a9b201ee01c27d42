"""How a verifier may say a value: as the instruction says it, by what stood in the seed state, or worked out of both.

A number that the run computed (a fee, a new balance) is written relative to `before.*`, so that the check shows why.
Forms are tried from the plainest on; the constant itself is the last resort.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from ....environments.models import RowChange
from .anchors import Anchors
from .comparisons import Expected, Place
from .schemas import TableShape
from .sqltext import literal

TRIVIAL = (-1, 0, 1)
"""Numbers that need no source."""
FAR_DAYS = 800
TOTALLED = 30
MOST_MINUTES = 60 * 24 * 40
CLOSE = 1
"""References to a row whose numbers come first."""


class Sources(NamedTuple):
    """Where values may come from besides rows: what the request says, constants of the tools that gold calls, what
    gold's look-ups returned, and the world's today (`YYYY-MM-DD`). `exact`: columns with the texts that the goal takes
    in no other spelling. `updated`: the rows that the run changed, from which it may have made new ones."""

    said_texts: frozenset[str]
    said_numbers: tuple[int | float, ...]
    tool_texts: frozenset[str]
    tool_numbers: tuple[int, ...]
    returned: frozenset[Any]
    today: str
    exact: frozenset[Place] = frozenset()
    updated: tuple[RowChange, ...] = ()


def flat(values: Iterable[Any]) -> Iterator[Any]:
    """Values, with those of lists one by one."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from flat(value)
        else:
            yield value


class _Number(NamedTuple):
    """`place` is `table.column` for what a row holds, `distance` how many references away that row is."""

    sql: str
    value: int | float
    place: str = ""
    distance: int = 0


class Expressions:
    """Finds expressions for the values that one run left."""

    def __init__(self, tables: Mapping[str, TableShape], anchors: Anchors, sources: Sources) -> None:
        self._tables = tables
        self._anchors = anchors
        self._sources = sources
        self._made: dict[tuple[str, Any], str] = {}
        self._said = [_Number(literal(number), number) for number in sources.said_numbers]
        self._cells = list(self._known_cells())
        self._spans = list(self._known_spans())
        self._ages = list(self._known_ages())
        self._updated = list(self._known_updates())
        self._texts = dict(self._known_texts())

    def name_new(self, table: str, row: Any, bind: str) -> None:
        """From now on the new row is called `:bind`."""
        self._made[(table, row)] = f":{bind}"

    def expected(
        self, table: str, column: str, value: Any, *, before: Any = None, row: str | None = None
    ) -> Expected:
        """What a column must hold: `of` it, and whether its spelling is the solver's."""
        sql = self.of(table, column, value, before=before, row=row)
        shape = self._tables[table]
        listed = column in shape.references or value in shape.words.get(column, ())
        fixed = listed or (column, value) in self._sources.exact
        return Expected(sql, isinstance(value, str) and not fixed and self._is_spelled(value))

    def of(self, table: str, column: str, value: Any, *, before: Any = None, row: str | None = None) -> str:
        """SQL for the value of a column. `before` is what an updated row held, `row` names the row then."""
        shape = self._tables[table]
        parent = shape.references.get(column)
        if value is None:
            return "NULL"
        if parent is not None:
            return self._made.get((parent, value)) or self._anchors.id_of(parent, value)
        if isinstance(value, str):
            return self._text(shape, column, value)
        old = _cell(table, column, shape.key or "", row) if row is not None else None
        return self._number(value, before, old)

    # Texts and moments

    def _text(self, shape: TableShape, column: str, value: str) -> str:
        sources = self._sources
        sourced = value in sources.said_texts or value in shape.words.get(column, ()) or value in sources.tool_texts
        if sourced:
            return literal(value)
        if value == sources.today:
            return ":today"
        if value in self._texts:
            return self._texts[value]
        if value in sources.returned:
            return literal(value)
        return self._moment(value) or self._composed(value) or literal(value)

    def _is_spelled(self, value: str) -> bool:
        """Whether a text of the request, or one behind a constant of a tool, is words: dates, times and numbers as
        texts are not, nor is what a tool writes by itself unless the request says the same."""
        leads = self._sources.tool_texts
        texts = [text for text in self._sources.said_texts if any(map(str.isalpha, text))]
        return value in texts or (value not in leads and any(value.removesuffix(text) in leads for text in texts))

    def _composed(self, value: str) -> str | None:
        """A constant of a tool and a known text (or the day of a known moment) behind it."""
        for lead in sorted(self._sources.tool_texts, key=len, reverse=True):
            rest = value.removeprefix(lead)
            if len(lead) < 3 or rest in ("", value):
                continue
            if rest == self._sources.today:
                return f"{literal(lead)} || :today"
            if rest in self._texts:
                return f"{literal(lead)} || {self._texts[rest]}"
            if rest in self._sources.said_texts:
                return f"{literal(lead)} || {literal(rest)}"
            day = next((sql for text, sql in self._texts.items() if text[:10] == rest and _read_moment(text)), None)
            if day is not None:
                return f"{literal(lead)} || date({day})"
        return None

    def _moment(self, value: str) -> str | None:
        """A moment some minutes after a known one, or a day some days from a known one or today."""
        moment = _read_moment(value)
        if moment is None:
            return None
        if len(value) > 10:
            starts = [(literal(text), text) for text in sorted(self._sources.said_texts)]
            for sql, text in [*starts, *((sql, text) for text, sql in self._texts.items())]:
                start = _read_moment(text)
                minutes = (moment - start).total_seconds() / 60 if start and len(text) > 10 else 0
                length = self._length(minutes) if 0 < minutes < MOST_MINUTES else None
                if length is not None:
                    return f"datetime({sql}, '+' || {length} || ' minutes')"
            return None
        days = (moment - datetime.fromisoformat(self._sources.today)).days
        return f"date(:today, '{days:+d} days')" if abs(days) <= FAR_DAYS else None

    def _length(self, minutes: float) -> str | None:
        known = (*self._said, *self._cells, *self._spans)
        return next((number.sql for number in known if number.value == minutes), None)

    # Numbers

    def _number(self, value: int | float, before: Any, old: str | None) -> str:
        if value in TRIVIAL or abs(value) in self._sources.said_numbers:
            return literal(value)
        change = value - before if isinstance(before, int | float) else None
        if old is not None and change is not None:
            sign = "+" if change > 0 else "-"
            by = self._amount(abs(change))
            if by is not None:
                return f"{old} {sign} {by}"
        worked_out = self._amount(value)
        if worked_out is not None:
            return worked_out
        if old is None and (made := self._of_updated(value)) is not None:
            return made
        if value in self._sources.returned or old is None or change is None:
            return literal(value)
        return f"{old} {'+' if change > 0 else '-'} {literal(abs(change))}"

    def _of_updated(self, value: int | float) -> str | None:
        """What a new row takes from one that the run changed: a number, or the difference of a known one to it (a total
        less its discount). What the changed row must hold is required of itself."""
        for made in self._updated:
            if made.value == value:
                return made.sql
            for cell in self._cells:
                if cell.value - made.value == value:
                    return f"({cell.sql} - {made.sql})"
        return None

    def _amount(self, value: int | float) -> str | None:
        """An expression of known numbers that gives `value`: one of them, what was said (or days that have passed, or a
        constant of a tool) times one, a rate over a time, a sum or difference of two."""
        if value in TRIVIAL or value in self._sources.said_numbers:
            return literal(value)
        near = [cell for cell in self._cells if cell.distance <= CLOSE]
        # A number far away is more likely to be the same by chance than what near ones come to.
        by_cells = (form for cells in (near, self._cells) for form in self._by_cells(value, cells))
        forms = (by_cells, self._sums(value), self._with_children(value))
        return next(chain.from_iterable(forms), None)

    def _by_cells(self, value: int | float, cells: Sequence[_Number]) -> Iterator[str]:
        yield from (number.sql for number in (*cells, *self._spans, *self._ages) if number.value == value)
        yield from self._products(value, cells)
        yield from self._rates(value, cells)

    def _products(self, value: int | float, cells: Sequence[_Number]) -> Iterator[str]:
        times = [_Number(str(number), number) for number in self._sources.tool_numbers if number > 1]
        pairs = chain(product(cells, (*self._said, *self._ages, *times)), combinations(self._said, 2))
        for a, b in pairs:
            if a.value * b.value == value and 1 not in (a.value, b.value):
                yield f"{a.sql} * {b.sql}"

    def _rates(self, value: int | float, cells: Sequence[_Number]) -> Iterator[str]:
        """A rate times a length by a constant of a tool (60 minutes, 100 per cent)."""
        divisors = [number for number in self._sources.tool_numbers if number > 1]
        if not isinstance(value, int):
            return
        for a, b in chain(product(cells, self._said), product(cells, self._spans)):
            if isinstance(a.value, int) and isinstance(b.value, int):
                for divisor in divisors:
                    if _divided(a.value * b.value, divisor) == value and b.value != divisor:
                        yield f"{a.sql} * {b.sql} / {divisor}"
        for a, divisor in product(cells, divisors):
            if isinstance(a.value, int) and _divided(a.value, divisor) == value:
                yield f"{a.sql} / {divisor}"

    def _sums(self, value: int | float) -> Iterator[str]:
        near = self._cells[:24]
        for a, b in chain(product(self._cells, self._said), combinations(self._said, 2), combinations(near, 2)):
            if a.value + b.value == value and 0 not in (a.value, b.value):
                yield f"({a.sql} + {b.sql})"
            if a.value - b.value == value and b.value:
                yield f"({a.sql} - {b.sql})"
        yield from self._totals(value)

    def _with_children(self, value: int | float) -> Iterator[str]:
        """A sum over the rows that belong to a known one, by itself or with a known number."""
        for total in self._children:
            if total.value == value:
                yield total.sql
            for cell in self._cells:
                if cell.value + total.value == value:
                    yield f"({cell.sql} + {total.sql})"
                if cell.value - total.value == value:
                    yield f"({cell.sql} - {total.sql})"
                if total.value - cell.value == value:
                    yield f"({total.sql} - {cell.sql})"

    def _totals(self, value: int | float) -> Iterator[str]:
        """The sum of one column over two or three known rows."""
        for place in dict.fromkeys(cell.place for cell in self._cells):
            cells = [cell for cell in self._cells if cell.place == place][:TOTALLED]
            for size in (2, 3):
                for some in combinations(cells, size):
                    if sum(cell.value for cell in some) == value:
                        yield f"({' + '.join(cell.sql for cell in some)})"

    # What is known

    @cached_property
    def _children(self) -> list[_Number]:
        return [_Number(sql, value) for sql, value in self._anchors.totals()]

    def _known_cells(self) -> Iterator[_Number]:
        for table, _, anchor, record in self._anchors.near():
            shape = self._tables[table]
            for column, value in record.items():
                plain = column != shape.key and column not in shape.references and column not in shape.ignored
                if plain and isinstance(value, int | float) and value not in TRIVIAL:
                    sql = _cell(table, column, shape.key or "", anchor.sql)
                    yield _Number(sql, value, f"{table}.{column}", anchor.distance)

    def _known_spans(self) -> Iterator[_Number]:
        """Minutes between two moments of one row."""
        for table, _, anchor, record in self._anchors.near():
            key = self._tables[table].key or ""
            names = [name for name, value in record.items() if isinstance(value, str) and len(value) == 19]
            moments = [(name, moment) for name in names if (moment := _read_moment(record[name]))]
            for (one, start), (other, end) in combinations(moments, 2):
                minutes = int((end - start).total_seconds() // 60)
                if 0 < minutes < MOST_MINUTES:
                    cells = f"{_cell(table, one, key, anchor.sql)}, {_cell(table, other, key, anchor.sql)}"
                    yield _Number(f"minutes_between({cells})", minutes)

    def _known_ages(self) -> Iterator[_Number]:
        """Days that have passed since a date of a near row."""
        today = datetime.fromisoformat(self._sources.today)
        for table, _, anchor, record in self._anchors.near():
            for column, value in record.items() if anchor.distance <= CLOSE else ():
                day = _read_moment(value) if isinstance(value, str) and len(value) == 10 else None
                if day is not None and 1 < (days := (today - day).days) <= FAR_DAYS:
                    cell = _cell(table, column, self._tables[table].key or "", anchor.sql)
                    yield _Number(f"CAST(julianday(:today) - julianday({cell}) AS INTEGER)", days)

    def _known_updates(self) -> Iterator[_Number]:
        for change in self._sources.updated:
            key = self._tables[change.table].key
            if change.op != "update" or key is None:
                continue
            row = self._anchors.id_of(change.table, change.key[key])
            for column, value in change.new.items():
                if (
                    isinstance(value, int | float)
                    and value not in TRIVIAL
                    and column not in self._tables[change.table].references
                ):
                    sql = f"(SELECT {change.table}.{column} FROM after.{change.table} WHERE {change.table}.{key} = {row})"
                    yield _Number(sql, value)

    def _known_texts(self) -> Iterator[tuple[str, str]]:
        for table, _, anchor, record in reversed(self._anchors.near()):
            shape = self._tables[table]
            for column, value in record.items():
                if isinstance(value, str) and column not in shape.ignored:
                    yield value, _cell(table, column, shape.key or "", anchor.sql)


def _read_moment(text: str) -> datetime | None:
    if len(text) < 10 or text[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _divided(value: int, divisor: int) -> int:
    """Whole division as SQLite does it: towards zero."""
    return abs(value) // divisor * (-1 if value < 0 else 1)


def _cell(table: str, column: str, key: str, row: str) -> str:
    """A value of one row of the seed state. Columns are qualified: the query may stand within another's."""
    return f"(SELECT {table}.{column} FROM before.{table} WHERE {table}.{key} = {row})"
