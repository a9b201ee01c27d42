"""Seed rows of a few tables at a time: put upon those there are, and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....environments.building import build_world
from ....environments.errors import PackageError
from ....environments.models import EnvironmentSpec
from ....environments.package import Environment
from ....environments.schema import TableInfo
from ...tester import run_gates
from ...tester.gates.load import Load
from ..architect.sketch import MOST_PROBLEMS, Named, bounded, broken_invariants, built, script, tables_read, told
from .drafts import SeedDraft, TableRows
from .rows import Rows, dangling, plain, seed_sql, statements

_FEWEST_ROWS = 4
"""Rows that a table has on average, at least; logs are not counted."""


@dataclass(frozen=True)
class SeedCheck:
    """Checks rows for the tables of `batch`, put upon the rows `before`."""

    spec: EnvironmentSpec
    schema_sql: str
    tables: Mapping[str, TableInfo]
    batch: tuple[str, ...]
    before: Rows

    def __call__(self, draft: SeedDraft) -> list[str]:
        problems = list(self._shapes(draft))
        if problems:
            return bounded(problems)
        rows = merged(self.before, draft, self.tables)
        problems = [*self._missing(rows), *dangling(rows, self.tables, rows)]
        problems += self._refused(rows)
        if problems:
            return bounded(problems)
        found = built(self.spec, self.schema_sql, seed_sql=seed_sql(rows))
        if not isinstance(found, Environment):
            return told(found)
        return bounded([*self._wrong(found), *broken_invariants(found, self.applying(found, rows))])

    def applying(self, environment: Environment, rows: Rows) -> list[str]:
        """Names of the invariants whose tables are all filled by now."""
        rules = environment.spec.invariants
        reads = tables_read(environment, (rule.sql for rule in rules))
        filled = {*self.batch, *(name for name, own in rows.items() if own)}
        return [rule.name for rule, read in zip(rules, reads, strict=True) if read <= filled]

    def _shapes(self, draft: SeedDraft) -> Iterator[str]:
        for given in draft.tables:
            table = self.tables.get(given.table)
            if table is None or (given.table not in self.batch and given.table not in self.before):
                yield f"tables.{given.table}: give rows of {', '.join(self.batch)} only."
                continue
            yield from _columns(given, table)
            for number, row in enumerate(given.rows, 1):
                if len(row) != len(given.columns):
                    yield f"{given.table} row {number}: {len(row)} values for {len(given.columns)} columns."

    def _missing(self, rows: Rows) -> Iterator[str]:
        counted = [name for name in self.batch if name not in self.spec.columns.log]
        for name in counted:
            if not rows.get(name):
                yield f"{name}: has no rows; give it some."
        total, least = sum(len(rows.get(name, ())) for name in counted), _FEWEST_ROWS * len(counted)
        if total < least:
            yield f"{total} rows in {', '.join(counted)} are too few to look among: give {least} at least."

    def _refused(self, rows: Rows) -> list[str]:
        """Every row of the batch that SQLite refuses upon the others, with its reason."""
        fixed = Named("earlier rows", seed_sql({name: own for name, own in rows.items() if name not in self.batch}))
        left = [each for name in self.batch for each in statements(name, rows.get(name, {}).values())]
        problems: list[str] = []
        while len(problems) < MOST_PROBLEMS:
            text = script([fixed, *left] if fixed.sql else left)
            try:
                build_world(self.schema_sql, text.text, self.spec.clock)
            except PackageError as error:
                if error.line is None:
                    break
                failing = text.names[text.at(error.line)]
                problems.append(f"{failing}: {error.bare}")
                left = [each for each in left if each.name != failing]
                if failing == fixed.name:
                    break
            else:
                break
        return problems

    def _wrong(self, environment: Environment) -> Iterator[str]:
        """What the tester's first gate says of these rows."""
        for finding in run_gates(environment, gates=(Load(),)).findings:
            place = finding.where.split(".")
            role = self.spec.roles.get(place[-1]) if place[:2] == ["environment", "roles"] else None
            named = set(finding.evidence.get("tables", place[1:2])) if place[0] == "seed" else set()
            if named & set(self.batch) or (role is not None and role.table in self.batch):
                yield finding.message


def _columns(given: TableRows, table: TableInfo) -> Iterator[str]:
    unknown = [column for column in given.columns if column not in table.stored]
    if unknown:
        yield f"tables.{given.table}: there is no column {', '.join(unknown)} (there are {', '.join(table.stored)})."
    missing = [column for column in table.primary_key if column not in given.columns]
    if missing:
        yield f"tables.{given.table}: the key column {', '.join(missing)} must be given."
    if not missing and len(given.rows) != len(set(_keys(given, table))):
        yield f"tables.{given.table}: two rows have the same {', '.join(table.primary_key)}."


def _keys(given: TableRows, table: TableInfo) -> Iterator[str]:
    places = [given.columns.index(column) for column in table.primary_key]
    for row in given.rows:
        yield repr([row[place] if place < len(row) else None for place in places])


def merged(before: Rows, draft: SeedDraft, tables: Mapping[str, TableInfo]) -> Rows:
    """The rows with those of a draft that fits the tables: new ones added, those of the same key changed."""
    rows = {name: dict(own) for name, own in before.items()}
    for given in draft.tables:
        own = rows.setdefault(given.table, {})
        for values in given.rows:
            row = {column: plain(value) for column, value in zip(given.columns, values, strict=True)}
            key = tuple(row[column] for column in tables[given.table].primary_key)
            own[key] = {**own.get(key, {}), **row}
    return rows


def batches(
    parts: Sequence[Sequence[str]], tables: Mapping[str, TableInfo], most: int, logs: Collection[str] = ()
) -> list[tuple[str, ...]]:
    """The tables of each part, those that others refer to first, at most so many at once.

    Tables that tell what happened to another's rows come with it where there is room, so that one reply tells both;
    logs find room for two more.
    """
    found: list[tuple[str, ...]] = []
    for part in parts:
        ordered = _ordered([name for name in part if name in tables], tables)
        telling = [name for name in ordered if _tells(name, tables, logs)]
        things = _pieces([name for name in ordered if name not in telling], most)
        left = [name for name in telling if not _joined(things, name, tables, most + (2 if name in logs else 0))]
        found += map(tuple, [*things, *_pieces(left, most)])
    return found


def _pieces(names: Sequence[str], most: int) -> list[list[str]]:
    return [list(names[start : start + most]) for start in range(0, len(names), most)]


def _tells(name: str, tables: Mapping[str, TableInfo], logs: Collection[str]) -> bool:
    """Whether rows of a table only say what happened to others when: logs, events, ledgers, histories."""
    table = tables[name]
    dated = name in logs or any(column.endswith(("_at", "_on")) for column in table.stored)
    return dated and bool(table.references) and not any(name in _targets(other) for other in tables.values())


def _joined(pieces: list[list[str]], name: str, tables: Mapping[str, TableInfo], most: int) -> bool:
    """Put a table to the last piece that it refers to (the last of all, if it refers to none), if that has room."""
    own = [piece for piece in pieces if _targets(tables[name]) & set(piece)] or pieces[-1:]
    if not own or len(own[-1]) >= most:
        return False
    own[-1].append(name)
    return True


def _ordered(names: Sequence[str], tables: Mapping[str, TableInfo]) -> list[str]:
    """Referred-to tables first, as far as there are no circles."""
    left, done = list(names), list[str]()
    while left:
        free = [name for name in left if not _targets(tables[name]) & set(left) - {name}]
        taken = free or left[:1]
        done += taken
        left = [name for name in left if name not in taken]
    return done


def _targets(table: TableInfo) -> set[str]:
    return {reference.table for reference in table.references}
