"""environment.yaml and schema.sql from what the architect's model wrote so far."""

from __future__ import annotations

from collections.abc import Sequence

from ....environments.models import ColumnClasses, EnvironmentSpec, Invariant, Provenance, Role
from ...base import Brief
from .drafts import RequirementsDraft, SchemaDraft, WantDraft
from .sketch import Named, ended
from .wanted import clock_of, stem_of

_LONGEST_SCENARIO = 4_000


def statements_of(schemas: Sequence[SchemaDraft]) -> list[Named]:
    """Every CREATE statement in order."""
    found = []
    for schema in schemas:
        found += [Named(f"tables.{table.name}", table.sql) for table in schema.tables]
        found += [Named(f"indexes.{index}", sql) for index, sql in enumerate(schema.indexes)]
    return found


def schema_sql_of(schemas: Sequence[SchemaDraft]) -> str:
    return "\n\n".join(ended(statement.sql) for statement in statements_of(schemas)) + "\n"


def table_names(schemas: Sequence[SchemaDraft]) -> list[str]:
    return [table.name for schema in schemas for table in schema.tables]


def spec_of(
    brief: Brief,
    plan: RequirementsDraft,
    schemas: Sequence[SchemaDraft],
    *,
    requirements: Sequence[WantDraft] = (),
    provenance: Provenance | None = None,
) -> EnvironmentSpec:
    """environment.yaml as far as the schemas go: the first of them has the actors' tables."""
    return EnvironmentSpec(
        id=stem_of(plan.service, brief.scenario.id),
        scenario=(brief.scenario.text or brief.scenario.name)[:_LONGEST_SCENARIO],
        summary=plan.summary,
        category=brief.scenario.category,
        roles={actor.role: Role(table=actor.table, where=actor.where or None) for actor in plan.actors},
        clock=clock_of(brief),
        columns=_columns(schemas),
        glossary={word.word: word.sql for schema in schemas for word in schema.words},
        invariants=tuple(Invariant(name=rule.name, sql=rule.sql) for schema in schemas for rule in schema.invariants),
        policy="".join(f"{number}. {rule}\n" for number, rule in enumerate(plan.policy, 1)),
        requirements=tuple(_requirement(want) for want in requirements),
        provenance=provenance or Provenance(),
    )


def _columns(schemas: Sequence[SchemaDraft]) -> ColumnClasses:
    return ColumnClasses(
        clock=tuple(dict.fromkeys(name for schema in schemas for name in schema.clock)),
        code=tuple(dict.fromkeys(name for schema in schemas for name in schema.code)),
        log=tuple(dict.fromkeys(name for schema in schemas for name in schema.log)),
        order={item.column: item.within for schema in schemas for item in schema.order},
    )


def _requirement(want: WantDraft) -> str:
    return want.want if want.refused_by is None else f"{want.want} (refused: rule {want.refused_by})"
