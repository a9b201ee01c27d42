"""Judges and deciding judges by name, and where a judge differs from the verifier."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.judges import (
    GROUP,
    Case,
    Judgement,
    NoJudgement,
    case_of,
    decider_named,
    disagreements,
    judge_named,
)
from envolve.agents.judges.base import Ruling
from envolve.agents.solvers import solver_named
from envolve.environments.errors import InputError
from envolve.environments.models import Rollout
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out
from envolve.eval.triggers import Evidence, triggers

MODULE = """
from envolve.agents.judges import Decision, Judgement

class Both:
    name = "both"
    async def judge(self, case):
        return Judgement(ruling="met", reason=case.instruction[:3])
    async def decide(self, case):
        return Decision(outcome="incomplete", reason="so")

both = Both()

def plain(case):
    return Judgement(ruling="cannot_tell", reason="plain")

async def later(case):
    return Judgement(ruling="cannot_tell", reason="later")

def silent(case):
    return None
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_judges.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_judges", raising=False)
    return "own_judges"


@pytest.fixture(scope="module")
def rollout() -> Rollout:
    environment = Environment.load("tests/data/table-booking")
    task = environment.tasks["move-the-anniversary-dinner"]
    return asyncio.run(roll_out(environment, task, solver_named("gold"), index=0, purpose="free", seed=0))


@pytest.fixture(scope="module")
def case(rollout: Rollout) -> Case:
    environment = Environment.load("tests/data/table-booking")
    return case_of(environment, environment.tasks[rollout.task], rollout.trace)


@pytest.mark.parametrize(
    ("attribute", "name", "reason"),
    [
        ("Both", "both", "Ada"),
        ("both", "both", "Ada"),
        ("plain", "own_judges:plain", "plain"),
        ("later", "own_judges:later", "later"),
        ("both.judge", "own_judges:both.judge", "Ada"),
    ],
)
def test_classes_objects_and_functions_will_do(
    attribute: str, name: str, reason: str, module: str, case: Case
) -> None:
    judge = judge_named(f"{module}:{attribute}")
    assert judge.name == name
    assert asyncio.run(judge.judge(case)).reason == reason


def test_what_is_no_judgement_is_none(module: str, case: Case) -> None:
    with pytest.raises(NoJudgement, match="returned None"):
        asyncio.run(judge_named(f"{module}:silent").judge(case))


def test_what_a_package_offers(module: str, monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    points = [EntryPoint("mine", f"{module}:plain", GROUP), EntryPoint("broken", f"{module}:nothing", GROUP)]

    def installed(*, group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr("envolve.agents.named.entry_points", installed)
    assert asyncio.run(judge_named("mine").judge(case)).reason == "plain"
    with pytest.raises(InputError, match="cannot be loaded"):
        judge_named("broken")
    with pytest.raises(InputError, match=r"Judges: rules, .*broken, mine; or give module:attr"):
        judge_named("ruels")


def test_deciding_judges_by_name(module: str) -> None:
    assert decider_named(f"{module}:both").name == "both"
    assert decider_named("openai:m@http://127.0.0.1:9/v1").name == "openai:m@http://127.0.0.1:9/v1"
    for name in ("rules", f"{module}:plain"):
        with pytest.raises(InputError, match="no deciding judge"):
            decider_named(name)


def said(ruling: Ruling) -> Judgement:
    return Judgement(ruling=ruling, reason="so")


def test_disagreements_by_task(rollout: Rollout) -> None:
    def of(task: str, index: int, **verdict: Any) -> Rollout:
        changed = rollout.verdict.model_copy(update=verdict)
        return rollout.model_copy(update={"task": task, "index": index, "verdict": changed})

    broken = {"outcome": "environment_error", "reward": None}
    failed = {"outcome": "incomplete", "reward": 0.0}
    found = disagreements(
        [
            (of("a", 0), said("met")),
            (of("a", 1), said("not_met")),
            (of("a", 2, **failed), said("met")),
            (of("a", 3, **failed), said("not_met")),
            (of("a", 4), said("cannot_tell")),
            (of("a", 5), None),
            (of("a", 6, **broken), said("not_met")),
            (of("b", 0), said("met")),
            (of("c", 0), said("cannot_tell")),
        ]
    )
    assert sorted(found) == ["a", "b"]
    assert (found["a"].rollouts, found["a"].judged, found["a"].disagreed) == ((1, 2), 4, 2)
    assert (found["b"].rollouts, found["b"].judged) == ((), 1)


def test_they_are_what_triggers_take(rollout: Rollout) -> None:
    often = disagreements((rollout.model_copy(update={"index": n}), said("not_met")) for n in range(8))[rollout.task]
    found = triggers(Evidence(rollouts=8, judged=often.judged, disagreed=often.disagreed))
    assert [trigger.kind for trigger in found] == ["judge"]
