"""Writing a verifier from an executed run: every net change must have happened, and nothing else may.

Updated rows must hold their new values, new rows are bound by what tells them apart and must hold what the run gave
them, deleted rows must be gone. Columns that comparison ignores, and free ones, are asked of nobody. Texts of the
request that land in columns of free text are compared as texts: how they are spelled is up to the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....environments.models import Allow, Check, RowChange, RowLimit
from ..naming import snake
from .anchors import Anchors
from .comparisons import Expected
from .expressions import Expressions
from .schemas import TableShape
from .sqltext import literal


class Written(NamedTuple):
    """The verifier's parts that come from the run. `binds`: (table, id of a new row) → its name."""

    bind: dict[str, str]
    require: tuple[Check, ...]
    allow: tuple[Allow, ...]
    binds: dict[tuple[str, Any], str]


class VerifierWriter:
    """`nouns`: table → noun, `free`: table → columns that are the solver's choice."""

    def __init__(
        self,
        tables: Mapping[str, TableShape],
        anchors: Anchors,
        expressions: Expressions,
        nouns: Mapping[str, str],
        free: Mapping[str, Sequence[str]],
    ) -> None:
        self._tables = tables
        self._anchors = anchors
        self._expressions = expressions
        self._nouns = nouns
        self._free = free
        self._bind: dict[str, str] = {}
        self._binds: dict[tuple[str, Any], str] = {}

    def write(self, changes: Iterable[RowChange]) -> Written:
        counted = [change for change in changes if not self._tables[change.table].log]
        inserts = [change for change in counted if change.op == "insert"]
        require = [check for change in self._parents_first(inserts) for check in self._inserted(change, inserts)]
        for change in counted:
            if change.op == "update":
                require += self._updated(change)
            elif change.op == "delete":
                require.append(self._deleted(change))
        names = Counter[str]()
        return Written(
            bind=self._bind,
            require=tuple(check.model_copy(update={"name": _once(check.name, names)}) for check in require),
            allow=tuple(self._allowed(counted)),
            binds=self._binds,
        )

    # What must be so

    def _updated(self, change: RowChange) -> Iterator[Check]:
        table, shape = change.table, self._tables[change.table]
        row = self._anchors.id_of(table, change.key[shape.key]) if shape.key else None
        where = f"{shape.key} = {row}" if row else _by_key(change.key)
        for column in self._compared(change.new, table):
            name = f"{self._nouns[table]}: {_plain(column)}"
            if column in shape.ordered:
                yield Check(name=f"{name} in order", sql=self._rank(table, column, change.new[column], where))
                continue
            new, old = change.new[column], change.old.get(column)
            value = self._expressions.expected(table, column, new, before=old, row=row)
            yield Check(name=name, sql=self._held(table, column, value, where, change))

    def _held(self, table: str, column: str, value: Expected, where: str, change: RowChange) -> str:
        """That a row holds a value. Of rows that the instruction does not speak of, only that they hold no other:
        whether they may be gone is for `allow` to say."""
        key = self._tables[table].key
        if key is not None and self._anchors.named(table, change.key[key]):
            return f"SELECT {value.held(column)} FROM after.{table} WHERE {where}"
        return f"SELECT NOT EXISTS (SELECT 1 FROM after.{table} WHERE {where} AND {value.missed(column)})"

    def _inserted(self, change: RowChange, inserts: Sequence[RowChange]) -> Iterator[Check]:
        table, shape = change.table, self._tables[change.table]
        values = self._values(change)
        siblings = [self._values(other) for other in inserts if other.table == table and other is not change]
        noun = self._nouns[table]
        if shape.key is None or values in siblings:
            count = 1 + sum(values == other for other in siblings)
            where = _conditions(values)
            yield Check(name=f"new {noun} as asked", sql=f"SELECT count(*) = {count} FROM inserted.{table}{where}")
            return
        bind = self._fresh(table)
        apart = self._telling_apart(values, siblings)
        self._bind[bind] = f"SELECT {shape.key} FROM inserted.{table}{_conditions({c: values[c] for c in apart})}"
        self._binds[(table, change.key[shape.key])] = bind
        self._expressions.name_new(table, change.key[shape.key], bind)
        where = f"{shape.key} = :{bind}"
        for column, value in values.items():
            sql = f"SELECT {value.held(column)} FROM after.{table} WHERE {where}"
            yield Check(name=f"new {noun}: {_plain(column)}", sql=sql)
        for column in (name for name in shape.ordered if name in change.new):
            sql = self._rank(table, column, change.new[column], where)
            yield Check(name=f"new {noun}: {_plain(column)} in order", sql=sql)

    def _deleted(self, change: RowChange) -> Check:
        table = change.table
        # A row that is made afterwards may have the number of the one that is gone.
        sql = f"SELECT EXISTS (SELECT 1 FROM deleted.{table} WHERE {self._where(change)})"
        return Check(name=f"{self._nouns[table]} removed", sql=sql)

    def _rank(self, table: str, column: str, value: Any, where: str) -> str:
        """The row's place among those of its group, not the number itself."""
        group = self._tables[table].ordered[column]
        before_it = (
            f"SELECT count(*) FROM after.{table} AS o WHERE o.{group} IS t.{group} AND o.{column} < t.{column}"
        )
        return f"SELECT ({before_it}) = {int(value) - 1} FROM after.{table} AS t WHERE t.{where}"

    # What may change

    def _allowed(self, changes: Sequence[RowChange]) -> Iterator[Allow]:
        for change in changes:
            columns = self._compared(change.new, change.table)
            if change.op == "update" and columns:
                yield Allow(table=change.table, key=dict(change.key), columns=tuple(columns))
        for table in dict.fromkeys(change.table for change in changes if change.op == "insert"):
            count = sum(change.op == "insert" and change.table == table for change in changes)
            yield Allow(table=table, insert=RowLimit(max=count))
        for table in dict.fromkeys(change.table for change in changes if change.op == "delete"):
            gone = [change for change in changes if change.op == "delete" and change.table == table]
            where = " OR ".join(f"({self._where(change)})" for change in gone)
            yield Allow(table=table, delete=RowLimit(max=len(gone), where=where))

    # Parts

    def _where(self, change: RowChange) -> str:
        """The condition that names a row of the seed state."""
        key = self._tables[change.table].key
        return f"{key} = {self._anchors.id_of(change.table, change.key[key])}" if key else _by_key(change.key)

    def _compared(self, columns: Iterable[str], table: str) -> list[str]:
        skipped = {*self._tables[table].ignored, *self._free.get(table, ())}
        return [column for column in columns if column not in skipped]

    def _values(self, change: RowChange) -> dict[str, Expected]:
        """What the compared columns of a new row must hold, its key aside."""
        shape = self._tables[change.table]
        columns = [name for name in self._compared(change.new, change.table) if name != shape.key]
        columns = [name for name in columns if name not in shape.ordered]
        return {column: self._expressions.expected(change.table, column, change.new[column]) for column in columns}

    def _telling_apart(self, values: Mapping[str, Expected], siblings: Sequence[Mapping[str, Expected]]) -> list[str]:
        """The columns to bind a new row by: all that say something of their own; what was worked out is required of
        the bound row. The rest is added where siblings could be taken for it."""
        plain = [name for name, value in values.items() if not value.sql.startswith("(") and value.sql != "NULL"]
        worked_out = [name for name in values if name not in plain]
        for count in range(len(worked_out) + 1):
            columns = [*plain, *worked_out[:count]]
            if columns and not any(all(other[name] == values[name] for name in columns) for other in siblings):
                return columns
        return list(values)

    def _parents_first(self, inserts: Sequence[RowChange]) -> list[RowChange]:
        """New rows in an order in which each comes after the new rows that it refers to."""
        left, done = list(inserts), []
        while left:
            waiting = {(change.table, value) for change in left for value in change.key.values()}
            ready = [change for change in left if not self._parents(change) & waiting] or left
            done += ready
            left = [change for change in left if change not in ready]
        return done

    def _parents(self, change: RowChange) -> set[tuple[str, Any]]:
        references = self._tables[change.table].references.items()
        own = {(change.table, value) for value in change.key.values()}
        return {(parent, change.new[column]) for column, parent in references if column in change.new} - own

    def _fresh(self, table: str) -> str:
        base = f"new_{snake(self._nouns[table])}"
        name, number = base, 1
        while name in self._bind:
            number += 1
            name = f"{base}_{number}"
        return name


def _conditions(values: Mapping[str, Expected]) -> str:
    if not values:
        return ""
    return " WHERE " + " AND ".join(value.held(column) for column, value in values.items())


def _by_key(key: Mapping[str, Any]) -> str:
    return " AND ".join(f"{column} = {literal(value)}" for column, value in key.items())


def _plain(column: str) -> str:
    return column.removesuffix("_id").replace("_", " ")


def _once(name: str, names: Counter[str]) -> str:
    names[name] += 1
    return name if names[name] == 1 else f"{name} ({names[name]})"
