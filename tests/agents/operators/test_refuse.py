"""The operator that makes a refusal of a request, and keeps the request as its twin."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

import pytest

from envolve.agents.base import Pair
from envolve.agents.procedural.operators import ProceduralEvolver
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.plans import plan_of
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

MOST = 6


class Made(Protocol):
    environment: Environment
    tasks: list[Task]


class Refused(NamedTuple):
    environment: Environment
    parent: Task
    pair: Pair


def verified(environment: Environment, task: Task) -> Task:
    return asyncio.run(ProceduralTaskWriter().write_verifier(environment, task, run_gold(environment, task)))


@pytest.fixture(scope="module")
def refused(made: list[Made]) -> list[Refused]:
    found = list[Refused]()
    for one in made:
        of_this = list[Refused]()
        for task in one.tasks:
            child = asyncio.run(ProceduralEvolver().evolve(one.environment, task, "refuse", seed=2))
            if child is not None and len(of_this) < MOST:
                assert isinstance(child, Pair)
                of_this.append(Refused(one.environment, task, child))
        found += of_this
    assert len({refusal.environment.id for refusal in found}) >= 2
    return found


def test_the_twin_asks_what_the_parent_asked(refused: list[Refused]) -> None:
    for _, parent, (refusal, twin) in refused:
        before, after, forbidden = plan_of(parent), plan_of(twin), plan_of(refusal)
        assert before is not None
        assert after is not None
        assert forbidden is not None
        assert (after.actor, after.tone, after.setup) == (before.actor, before.tone, before.setup)
        assert len(after.parts) == len(forbidden.parts) == 1
        assert after.parts[0] in before.parts
        assert len(before.parts) > 1 or twin.instruction == parent.instruction


def test_a_pair_remembers_its_parent_and_each_other(refused: list[Refused]) -> None:
    for _, parent, (refusal, twin) in refused:
        assert refusal.twin == twin.id
        assert twin.twin is None
        assert refusal.lineage == twin.lineage
        assert (refusal.lineage.parent, refusal.lineage.operator) == (parent.id, "refuse")
        submits = refusal.verifier.submit, twin.verifier.submit
        assert [submit.status for submit in submits] == ["refused", "done"]
        assert submits[0].options == submits[1].options
        assert len(submits[0].options) >= 4


def test_both_are_sound(refused: list[Refused]) -> None:
    for environment, _, pair in refused[::3]:
        refusal, twin = (verified(environment, half) for half in pair)
        held = environment.with_tasks([refusal, twin])
        reports = [audit(held, half) for half in (refusal, twin)]
        assert [report.grade for report in reports] == ["sound", "sound"], [
            (half.id, gate.gate, gate.message)
            for half, report in zip(pair, reports, strict=True)
            for gate in report.gates
            if gate.status == "failed"
        ]


def test_a_refusal_is_evolved_no_further(refused: list[Refused]) -> None:
    environment, _, (refusal, _) = refused[0]
    for operator in ("refuse", "paraphrase", "deepen"):
        assert asyncio.run(ProceduralEvolver().evolve(environment, refusal, operator, seed=1)) is None
