"""Invariants: they hold in the seed, and after whatever the tools did; and no tool leads away from a status that is
final for the others."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Expectation, Finding, Probe
from ..base import GateContext
from ..fuzzing.findings import sighted
from ..invariants import Invariants as Queries
from ..stage import Stage

NAME = "invariants"
KINDS = ("invariant_broken", "illegal_transition")
"""Symptoms of the campaign that are this gate's."""


class Invariants:
    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        found = sighted(context.campaign, NAME, lambda symptom: symptom.kind in KINDS)
        return [*_seed(context), *found]


def _seed(context: GateContext) -> Iterator[Finding]:
    queries = Queries(context.anatomy.spec, context.anatomy.tables)
    with Stage(context.environment) as stage:
        for broken in queries.broken(stage):
            yield Finding(
                kind="invariant_broken_in_seed",
                severity="blocker",
                where=f"seed.invariants.{broken.slug}",
                message=f"The seed data break the invariant {broken.name!r}.",
                source=f"gate:{NAME}",
                evidence={"rows": [list(row) for row in broken.rows]},
                probe=Probe(expect=(Expectation(invariants=True),)),
                confirmed=True,
            )
