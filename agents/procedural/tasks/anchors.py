"""How a verifier may name an existing row: by what the instruction leads to, from there along references.

Rows that a referring phrase resolves to (and the actor's own) are named by their id. Their neighbours are named by a
query over `before.*` that leads from a named row to them, so that no id stands there for no reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from .schemas import TableShape
from .sqltext import literal

FARTHEST = 3
"""Longest chain of references from a named row."""
TOTALLED = 12
"""Known rows over whose children sums are taken, besides those that were seen."""
CHILDREN = 40
"""Rows with more children than this in a table do not lead to them."""


class Reader(Protocol):
    def rows(self, sql: str, values: Mapping[str, Any] = ...) -> list[tuple[Any, ...]]: ...


class Anchor(NamedTuple):
    """An SQL expression for the id of a row in the seed state, and how many references it takes."""

    sql: str
    distance: int


class Anchors:
    """Known rows of the seed state, by (table, id)."""

    def __init__(
        self,
        reader: Reader,
        tables: Mapping[str, TableShape],
        roots: Iterable[tuple[str, Any]],
        seen: Iterable[tuple[str, Any]] = (),
    ) -> None:
        """`roots` are rows that the instruction speaks of, `seen` rows whose ids gold's look-ups showed."""
        self._reader = reader
        self._tables = tables
        self._known: dict[tuple[str, Any], Anchor] = {}
        self._records: dict[tuple[str, Any], dict[str, Any]] = {}
        self._spread_again = False
        for root in roots:
            if self.record(*root) is not None:
                self._known.setdefault(root, Anchor(literal(root[1]), 0))
        self._spread()
        self._seen = [row for row in seen if self.record(*row) is not None]
        for row in self._seen:
            self._known.setdefault(row, Anchor(literal(row[1]), FARTHEST))

    def id_of(self, table: str, row: Any) -> str:
        """SQL for the id of a row; its literal if nothing leads there."""
        if (table, row) not in self._known and not self._spread_again:
            # What told siblings apart may have become known only after they were looked at.
            self._spread_again = True
            self._spread()
        anchor = self._known.get((table, row))
        return literal(row) if anchor is None else anchor.sql

    def named(self, table: str, row: Any) -> bool:
        """Whether the instruction speaks of the row itself."""
        anchor = self._known.get((table, row))
        return anchor is not None and anchor.distance == 0

    def name_by_text(self, table: str, row: Any, texts: Set[str]) -> None:
        """Name a row that nothing leads to by a text that the request gives, if no other row has it (a code)."""
        record = self.record(table, row)
        if record is None or (table, row) in self._known:
            return
        for column, value in record.items():
            if isinstance(value, str) and value in texts:
                sql = f'SELECT 1 FROM "{table}" WHERE "{column}" = :value LIMIT 2'
                found = self._reader.rows(sql, {"value": value})
                if len(found) == 1:
                    key = self._tables[table].key
                    sql = f"(SELECT {table}.{key} FROM before.{table} WHERE {table}.{column} = {literal(value)})"
                    self._known[(table, row)] = Anchor(sql, FARTHEST)
                    return

    def near(self) -> list[tuple[str, Any, Anchor, dict[str, Any]]]:
        """Every known row with its values, nearest first."""
        found = [(table, row, anchor, self.record(table, row) or {}) for (table, row), anchor in self._known.items()]
        return sorted(found, key=lambda item: item[2].distance)

    def totals(self) -> Iterator[tuple[str, int]]:
        """Sums over the rows that belong to the nearest known rows and to those seen: of a whole number, or of the
        product of two (a quantity and a price), with the SQL for them."""
        nearest = [(table, row) for table, row, _, _ in self.near()[:TOTALLED]]
        for table, row in dict.fromkeys([*nearest, *self._seen]):
            anchor = self._known[table, row]
            for child, shape in self._tables.items():
                terms = [*shape.numbers, *(f"{a} * {child}.{b}" for a, b in combinations(shape.numbers, 2))]
                for column in (name for name, parent in shape.references.items() if parent == table and terms):
                    sums = ", ".join(f"sum({child}.{term})" for term in terms)
                    found = self._reader.rows(f"SELECT {sums} FROM {child} WHERE {column} = :id", {"id": row})
                    where = f"FROM before.{child} WHERE {child}.{column} = {anchor.sql}"
                    for term, total in zip(terms, found[0], strict=True):
                        if total:
                            yield f"(SELECT sum({child}.{term}) {where})", total

    def record(self, table: str, row: Any) -> dict[str, Any] | None:
        """The seed state's row by its single-column key; None if there is none (or the key has more columns)."""
        shape = self._tables.get(table)
        if shape is None or shape.key is None:
            return None
        if (table, row) not in self._records:
            columns = ", ".join(f'"{name}"' for name in shape.columns)
            rows = self._reader.rows(f'SELECT {columns} FROM "{table}" WHERE "{shape.key}" = :id', {"id": row})
            if not rows:
                return None
            self._records[(table, row)] = dict(zip(shape.columns, rows[0], strict=True))
        return self._records[(table, row)]

    def _spread(self) -> None:
        queue = deque(self._known)
        while queue:
            table, row = queue.popleft()
            anchor = self._known[(table, row)]
            if anchor.distance < FARTHEST:
                queue.extend(self._parents(table, row, anchor))
                queue.extend(self._children(table, row, anchor))

    def _parents(self, table: str, row: Any, anchor: Anchor) -> Iterable[tuple[str, Any]]:
        record = self.record(table, row) or {}
        shape = self._tables[table]
        for column, parent in shape.references.items():
            key = (parent, record.get(column))
            if record.get(column) is None or key in self._known or self.record(*key) is None:
                continue
            sql = f"(SELECT {table}.{column} FROM before.{table} WHERE {table}.{shape.key} = {anchor.sql})"
            self._known[key] = Anchor(sql, anchor.distance + 1)
            yield key

    def _children(self, table: str, row: Any, anchor: Anchor) -> Iterable[tuple[str, Any]]:
        for child, shape in self._tables.items():
            if shape.key is None:
                continue
            for column in (name for name, parent in shape.references.items() if parent == table):
                yield from self._only_children(child, shape, column, row, anchor)

    def _only_children(
        self, child: str, shape: TableShape, column: str, row: Any, anchor: Anchor
    ) -> Iterable[tuple[str, Any]]:
        """Children that their parent (with a further reference or text, if need be) tells apart."""
        found = self._reader.rows(
            f'SELECT "{shape.key}" FROM "{child}" WHERE "{column}" = :id LIMIT {CHILDREN}', {"id": row}
        )
        records = {key: self.record(child, key) or {} for (key,) in found}
        for key, record in records.items():
            if (child, key) in self._known:
                continue
            also = "" if len(records) == 1 else self._telling_apart(child, column, record, list(records.values()))
            if also is None:
                continue
            where = f"{child}.{column} = {anchor.sql}{also}"
            sql = f"(SELECT {child}.{shape.key} FROM before.{child} WHERE {where})"
            self._known[(child, key)] = Anchor(sql, anchor.distance + 1)
            yield (child, key)

    def _telling_apart(
        self, child: str, column: str, record: dict[str, Any], siblings: list[dict[str, Any]]
    ) -> str | None:
        """A further condition that holds for one sibling alone: a reference to a known row, or a word of a CHECK."""
        shape = self._tables[child]
        for name, value in record.items():
            if name in (column, shape.key) or sum(other[name] == value for other in siblings) != 1:
                continue
            parent = shape.references.get(name)
            if parent is not None and (parent, value) in self._known:
                return f" AND {child}.{name} = {self._known[(parent, value)].sql}"
            if value in shape.words.get(name, ()):
                return f" AND {child}.{name} = {literal(value)}"
        return None
