"""Whether the tables of one part build upon those of the parts before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....environments.package import Environment
from ...base import Brief
from ...tester import run_gates
from ...tester.gates.load import Load
from .drafts import PartPlan, RequirementsDraft, SchemaDraft
from .sketch import MOST_PROBLEMS, Named, bounded, broken_invariants, built, script, told
from .specification import spec_of, statements_of, table_names

_CREATE = re.compile(r'^\s*CREATE\s+TABLE\s+"?(\w+)"?\s*\(', re.IGNORECASE)
_INDEX = re.compile(r"^\s*CREATE\s+(UNIQUE\s+)?INDEX\s", re.IGNORECASE)
_REFERENCES = re.compile(r'\bREFERENCES\s+"?(\w+)', re.IGNORECASE)


@dataclass(frozen=True)
class SchemaCheck:
    """Checks drafts of `part`, upon the drafts of the parts before it. `last`: no other part follows, so that every
    condition must be stated now."""

    brief: Brief
    plan: RequirementsDraft
    before: tuple[SchemaDraft, ...]
    part: PartPlan
    last: bool

    def __call__(self, draft: SchemaDraft) -> list[str]:
        problems = [*self._names(draft), *self._texts(draft)]
        if problems:
            return bounded(problems)
        schemas = (*self.before, draft)
        found = _unbuildable(self.brief, self.plan, schemas)
        if isinstance(found, list):
            return found
        hidden = sorted(found.tables().keys() - set(table_names(schemas)))
        hidden += [name for kind, name, _ in found.kit.built.objects if kind == "trigger"]
        if hidden:
            return [f"{', '.join(hidden)}: one statement in each `sql`, tables and indexes only, each table by name."]
        return bounded([*_wrong(found, draft), *self._conditions(draft)])

    def _names(self, draft: SchemaDraft) -> Iterator[str]:
        earlier, names = set(table_names(self.before)), [table.name for table in draft.tables]
        for name in sorted(earlier & set(names)):
            yield f"tables.{name}: an earlier part has this table already; refer to it, or name yours otherwise."
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"tables.{name}: stands there twice."
        missing = [table.name for table in self.part.tables if table.name not in names]
        if missing:
            yield f"tables: {', '.join(missing)} of this part are missing."
        taken = {rule.name for schema in self.before for rule in schema.invariants}
        for rule in draft.invariants:
            if rule.name in taken:
                yield f"invariants: {rule.name!r} stands there already; each has a name of its own."
            taken.add(rule.name)

    def _texts(self, draft: SchemaDraft) -> Iterator[str]:
        known = {*table_names(self.before), *(table.name for table in draft.tables)}
        for table in draft.tables:
            created = _CREATE.match(table.sql)
            if created is None or created[1] != table.name:
                yield f"tables.{table.name}.sql: must begin CREATE TABLE {table.name} (, without IF NOT EXISTS."
            elif "STRICT" not in table.sql.upper().rpartition(")")[2]:
                yield f"tables.{table.name}.sql: must end in ) STRICT."
            if not re.search(r"\bPRIMARY\s+KEY\b", table.sql, re.IGNORECASE):
                yield f"tables.{table.name}.sql: has no PRIMARY KEY."
            for target in sorted(set(_REFERENCES.findall(table.sql)) - known):
                yield (
                    f"tables.{table.name}.sql: REFERENCES {target}, which is no table so far. There are: "
                    f"{', '.join(sorted(known))}. Put the key into the later table, or leave it out."
                )
        for index, sql in enumerate(draft.indexes):
            if not _INDEX.match(sql):
                yield f"indexes.{index}: must be CREATE INDEX or CREATE UNIQUE INDEX."

    def open_conditions(self) -> list[tuple[int, str]]:
        """Number and text of the conditions that no earlier part states."""
        stated = _stated(self.before)
        return [(number, text) for number, text in enumerate(self.plan.conditions, 1) if number not in stated]

    def _conditions(self, draft: SchemaDraft) -> Iterator[str]:
        count, stated = len(self.plan.conditions), _stated((*self.before, draft))
        for number in sorted(number for number in stated if not 1 <= number <= count):
            yield f"there is no condition {number}: they are numbered 1 to {count}."
        for number, text in self.open_conditions() if self.last else ():
            if number not in stated:
                yield f"condition {number} ({text}) is stated by no invariant; write one, or name it in `held`."


def _stated(schemas: Sequence[SchemaDraft]) -> set[int]:
    stated = {rule.condition for schema in schemas for rule in schema.invariants if rule.condition is not None}
    return stated | {number for schema in schemas for number in schema.held}


def _unbuildable(brief: Brief, plan: RequirementsDraft, schemas: Sequence[SchemaDraft]) -> Environment | list[str]:
    """The world of these schemas, or all statements that fail, each by itself; then what else is wrong."""
    spec, left = spec_of(brief, plan, schemas), statements_of(schemas)
    problems: list[str] = []
    while True:
        text = script(left)
        found = built(spec, text.text)
        if isinstance(found, Environment):
            return problems or found
        if found.line is None or len(problems) >= MOST_PROBLEMS:
            # What stands on a statement that was left out fails for that reason alone.
            return problems or [_placed(problem) for problem in told(found)]
        failing = text.at(found.line)
        problems.append(f"{text.names[failing]}: {found.bare} {found.remedy}".strip())
        left = _without(left, failing)


def _without(statements: list[Named], index: int) -> list[Named]:
    return [*statements[:index], *statements[index + 1 :]]


def _placed(problem: str) -> str:
    """The problem without the names of files that the model has never seen."""
    return problem.removeprefix("environment.yaml: ").removeprefix("schema.sql: ")


def _wrong(environment: Environment, draft: SchemaDraft) -> Iterator[str]:
    """What builds, and is not as worlds must be."""
    own = {table.name for table in draft.tables}
    for finding in run_gates(environment, gates=(Load(),)).findings:
        place = finding.where.split(".")
        if place[0] == "schema" and len(place) > 1 and place[1] in own:
            yield f"tables.{place[1]}: {finding.message}"
    yield from (f"{problem} (in a world without rows)" for problem in broken_invariants(environment))
    for name in own:
        table = environment.tables()[name]
        for column in table.columns:
            numbers = len(table.primary_key) == 1 and column.type.upper() == "INTEGER"
            if column.key and not column.notnull and not numbers:
                yield f"tables.{name}: the key column {column.name} may be null; declare it NOT NULL."
