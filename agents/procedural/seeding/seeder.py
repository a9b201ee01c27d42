"""Fills a world: rows table by table, then the fixes of the library files, then the rows as SQL.

Rows that other rows refer to are made first. Everything is drawn from the design's seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from random import Random
from typing import Any

from ....environments.canonical import seed_from
from ....environments.errors import InputError
from ....environments.functions import add_functions
from ..contexts import Contexts
from ..countries import country_named
from ..tables import Table, schema_sql
from ..wordlists import WordLists
from .generators import Generators, Row

_GROWTHS, _MARGIN = 5, 1.1
"""How often a world that has too few rows is filled anew, and with how many more than it lacks: some tables cannot
grow, since the words for their rows are used up or their rows exclude each other."""


def seed_sql(contexts: Contexts, tables: Mapping[str, Table], words: WordLists) -> str:
    """INSERT statements for all tables, in an order that satisfies foreign keys."""
    factor, wanted = 1.0, contexts.design.rows
    for _ in range(_GROWTHS):
        seeder = _Seeder(contexts, tables, words, factor)
        seeder.fill()
        count = seeder.count()
        if count >= wanted:
            break
        factor *= _MARGIN * wanted / count
    return seeder.statements()


class _Seeder:
    """`factor`: how many times as many rows a table gets as its file says."""

    def __init__(self, contexts: Contexts, tables: Mapping[str, Table], words: WordLists, factor: float) -> None:
        import apsw

        self._factor = factor
        self._contexts = contexts
        self._tables = tables
        self._db = apsw.Connection(":memory:")
        self._db.execute("PRAGMA foreign_keys = ON")
        add_functions(self._db)
        self._db.execute(schema_sql(tables))
        design = contexts.design
        self._random = Random(seed_from("seed", design.seed, design.name))
        now = datetime.fromisoformat(design.clock)
        self._clock = {"now": design.clock, "today": design.clock[:10]}
        self._generators = Generators(
            self._random, words=words, query=self._query, now=now, country=country_named(design.country)
        )
        self._specs, self._fixes = self._read_specs()

    def fill(self) -> None:
        with self._db:
            for key, table in self._tables.items():
                self._fill_table(table, self._specs.get(key, {}))
            for fix in self._fixes:
                self._run(fix)

    def count(self) -> int:
        """Rows of all tables."""
        return sum(self._query(f"SELECT count(*) FROM {table.name}", {})[0][0] for table in self._tables.values())

    def statements(self) -> str:
        return "\n".join(self._insert(table) for table in self._tables.values())

    def _read_specs(self) -> tuple[dict[str, Row], list[str | Row]]:
        """Seed specs by key, with the columns that links add; and the fixes that come last."""
        specs: dict[str, Row] = {}
        fixes: list[str | Row] = []
        for name in (*self._contexts.design.archetypes, *self._contexts.design.links):
            tree = self._contexts.rendered(name, "seed")
            slots, by_slot = self._contexts.slots(name), self._contexts.tables(name)
            fixes += tree.pop("fix", [])
            for slot, columns in tree.pop("columns", {}).items():
                specs.setdefault(slots[slot], {}).setdefault("columns", {}).update(_resolved(columns, by_slot))
            entities = self._contexts.entities(name)
            for slot in [slot for slot in tree if slot in entities]:
                _merge(specs.setdefault(slots[slot], {}), tree[slot], by_slot)
        return specs, fixes

    def _fill_table(self, table: Table, spec: Row) -> None:
        next_id = self._random.randint(11, 89) * 10 + self._random.randint(1, 9)
        self._start_ids(table, next_id)
        for row in self._rows(spec):
            made = {"id": next_id, **self._columns(table, spec, row)}
            next_id += self._random.choice((1, 1, 1, 2, 3))
            if not self._incomplete(table, made):
                self._insert_row(table, made)
        for fix in spec.get("fix", []):
            self._run(fix)

    def _start_ids(self, table: Table, first: int) -> None:
        """Ids of rows that fixes insert into an empty table start at `first` as well."""
        self._db.execute(
            f"CREATE TEMP TRIGGER {table.name}_ids AFTER INSERT ON main.{table.name} WHEN new.id < 10 "
            f"BEGIN UPDATE {table.name} SET id = {first} WHERE id = new.id; END"
        )

    def _rows(self, spec: Row) -> Iterable[Row]:
        """One mapping a row, holding the parent's id under `parent` for rows made per parent."""
        rows = spec.get("rows")
        if rows is None:
            return []
        if isinstance(rows, dict):
            parents = self._query(f"SELECT id FROM {rows['per']} WHERE {rows.get('where', 'true')} ORDER BY id", {})
            return [
                {"parent": parent, "nth": n}
                for (parent,) in parents
                for n in range(self._random.randint(*rows["rows"]))
            ]
        return [{"nth": n} for n in range(round(self._factor * self._random.randint(*rows)))]

    def _columns(self, table: Table, spec: Row, row: Row) -> Row:
        values = dict(row)
        generators = spec.get("columns", {})
        ordered = [*(name for name in generators if name in table.columns), *table.columns]
        for name in dict.fromkeys(ordered):
            values[name] = self._generators.value(
                f"{table.name}.{name}", self._generator(table, name, generators), values
            )
        return {name: values[name] for name in table.columns}

    def _generator(self, table: Table, name: str, generators: Row) -> Any:
        if name in generators:
            return generators[name]
        column = table.columns[name]
        if column.optional:
            return None
        if column.ref:
            return {"from": self._tables[table.refs[name]].name}
        default = _DEFAULTS.get(column.kind)
        if column.kind == "enum":
            return {"choice": list(column.values)}
        if default is None:
            raise InputError(f"seed of {table.name}.{name} says nothing of how to fill it")
        return default

    def _incomplete(self, table: Table, row: Row) -> bool:
        """Whether a needed value could not be drawn (a list used up, no row to refer to): then there is no such row."""
        return any(row[name] is None and not column.optional for name, column in table.columns.items())

    def _insert_row(self, table: Table, row: Row) -> None:
        names = ", ".join(row)
        marks = ", ".join(f":{name}" for name in row)
        self._db.execute(f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({marks})", row)

    def _run(self, fix: str | Row) -> None:
        sql = fix if isinstance(fix, str) else fix["sql"]
        try:
            self._db.execute(sql, {**self._clock, "random": self._random.randrange(1_000_000)})
        except Exception as error:
            raise InputError(f"a fix of the seed failed: {error}", remedy=f"In: {sql}") from error

    def _query(self, sql: str, row: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        try:
            return list(self._db.execute(sql, {**row, **self._clock}))
        except Exception as error:
            raise InputError(f"a query of the seed failed: {error}", remedy=f"In: {sql}") from error

    def _insert(self, table: Table) -> str:
        import apsw

        names = ["id", *table.columns]
        rows = self._db.execute(f"SELECT {', '.join(names)} FROM {table.name} ORDER BY id").fetchall()
        if not rows:
            return ""
        lines = ",\n".join(f"  ({', '.join(apsw.format_sql_value(value) for value in row)})" for row in rows)
        return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES\n{lines};\n"


_DEFAULTS: dict[str, Any] = {
    "bool": 0,
    "clock": {"past": [1, 60]},
    "code": {"code": "R"},
}


def _merge(spec: Row, more: Row, by_slot: Mapping[str, str]) -> None:
    spec["columns"] = {**_resolved(more.get("columns", {}), by_slot), **spec.get("columns", {})}
    spec |= {key: value for key, value in more.items() if key != "columns"}
    if isinstance(spec.get("rows"), dict):
        spec["rows"] = {**spec["rows"], "per": by_slot[spec["rows"]["per"]]}


def _resolved(columns: Row, by_slot: Mapping[str, str]) -> Row:
    """Generators with `from` naming a table instead of a slot; of alternatives, the first."""
    chosen = {name: given[0] if isinstance(given, list) else given for name, given in columns.items() if given != []}
    return {
        name: {**given, "from": by_slot.get(given["from"], given["from"])}
        if isinstance(given, dict) and "from" in given
        else given
        for name, given in chosen.items()
    }
