"""Coverage: what testing did not reach, and what nobody can reach.

A status that no row has and no tool leads to, a table or column that neither tools nor schema nor invariants need,
and a tool that no call got through are findings; none of them makes a call go wrong, so they do not block. A guard
that refused no call or a branch that none took says something of the testing, and that no requirement seems to need a
tool is told by words alone: these are figures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ....environments.models import Finding
from ....environments.package import Environment
from ..anatomy import Anatomy
from ..base import GateContext, static_finding
from ..needed import unneeded
from ..report import Coverage as Figures
from ..report import Reach
from ..statuses import reachable, statuses_of
from ..usage import Usage, usage_of

NAME = "coverage"


class Coverage:
    """What the package's text or seed shows is certain; that a tool cannot succeed is a doubt."""

    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        figures, usage = figures_of(context), usage_of(context.anatomy)
        return [
            *_statuses(figures.statuses.missed),
            *_unused(context.anatomy, usage),
            *(_never(tool) for tool in figures.succeeding.missed),
        ]


def out_of_reach(environment: Environment) -> list[Finding]:
    """Statuses, tables and columns that nobody can reach, as far as the package's text and seed show without a call."""
    anatomy = Anatomy(environment)
    alive = reachable(anatomy)
    dead = [status.place for status in statuses_of(anatomy) if status not in alive]
    return [*_statuses(dead), *_unused(anatomy, usage_of(anatomy))]


def figures_of(context: GateContext) -> Figures:
    """What fuzzing and the package's text reached."""
    campaign, anatomy = context.campaign, context.anatomy
    counted, usage = campaign.tally.coverage(), usage_of(anatomy)
    alive = reachable(anatomy) | campaign.tally.statuses
    ways = {way for way, taken in campaign.tally.ways.items() if taken}
    stored = [place for table in anatomy.stored_tables for place in table.columns]
    return counted.model_copy(
        update={
            "succeeding": _reach((tool.tool for tool in counted.tools), set(counted.never_succeeded)),
            "guards": _reach((place for tool in counted.tools for place in tool.requires), set(counted.never_fired)),
            "statuses": _reach(
                (status.place for status in statuses_of(anatomy)),
                {status.place for status in statuses_of(anatomy) if status not in alive},
            ),
            "branches": _reach(
                (*campaign.branches.places, *campaign.tally.ways),
                {*campaign.branches.places, *campaign.tally.ways} - campaign.branches.taken - ways,
            ),
            "columns": Reach(
                reached=len(stored) - len(usage.needed) - len(usage.unused),
                of=len(stored),
                missed=tuple(".".join(place) for place in usage.unused),
            ),
            "schema_only": tuple(sorted(".".join(place) for place in usage.needed)),
            "unneeded": unneeded(anatomy),
        }
    )


def _reach(places: Iterator[str] | Collection[str], missed: Collection[str]) -> Reach:
    every = tuple(dict.fromkeys(places))
    left = tuple(place for place in every if place in missed)
    return Reach(reached=len(every) - len(left), of=len(every), missed=left)


def _statuses(places: Collection[str]) -> Iterator[Finding]:
    for place in places:
        _, table, column, value = place.split(".", 3)
        message = f"No row of {table} has the {column} {value!r}, and no tool leads to it."
        yield static_finding(NAME, "unreachable_status", "minor", place, message)


def _unused(anatomy: Anatomy, usage: Usage) -> Iterator[Finding]:
    tables = usage.tables_unused(anatomy)
    for table in tables:
        message = f"No tool reads or writes {table}, and no invariant needs it."
        yield static_finding(NAME, "unused_table", "minor", f"schema.{table}", message)
    for table, column in usage.unused:
        if table not in tables:
            message = f"No tool reads or writes {table}.{column}, and no invariant needs it."
            yield static_finding(NAME, "unused_column", "minor", f"schema.{table}.{column}", message)


def _never(tool: str) -> Finding:
    message = f"No call of {tool} got through: its guards are at odds with the data, or it is hard to reach."
    return static_finding(NAME, "never_succeeds", "minor", f"tools.{tool}", message, certain=False)
