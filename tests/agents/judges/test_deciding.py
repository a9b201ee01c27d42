"""Deciding where code cannot, within what code has decided."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from envolve.agents.judges import (
    DecidingCase,
    DecidingJudge,
    Decision,
    Signals,
    bounded_verdict,
    case_of,
    decide,
    deciding_case,
)
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.prompted.judge import PromptedDecider
from envolve.environments.episode import Episode
from envolve.environments.models import CheckResult, Rollout, Task
from envolve.environments.package import Environment
from envolve.eval.base import SolverProfile
from envolve.eval.rollouts import roll_out

from ...scripted_model import ScriptedModel

SAMPLE = Path("tests/data/table-booking")
COUNT = "count-fridays-guests"
LOOK = {"call": "list_restaurant_bookings", "args": {"on_date": "2026-03-06"}}
CANCEL = {"call": "cancel_booking", "args": {"booking_id": 1806}}
COMPLETED = {"reason": "He named him.", "step": 1, "outcome": "completed"}


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(SAMPLE)


@pytest.fixture(scope="module")
def task() -> Task:
    """Who brings the largest party on Friday: an open answer."""
    raw = yaml.safe_load((SAMPLE / "tasks" / f"{COUNT}.yaml").read_text(encoding="utf-8"))
    raw["verifier"]["answer"] = {"kind": "text", "value": "Ben Okafor", "describe": "who brings the largest party"}
    del raw["gold"]
    return Task.model_validate(raw)


def rolled(environment: Environment, task: Task, *calls: dict[str, Any], **submit: Any) -> Rollout:
    solver = Scripted((*calls, {"call": "submit", "args": {"status": "done", **submit}}))
    return asyncio.run(roll_out(environment, task, solver, index=0, purpose="free", seed=0))


class Scripted:
    """Makes these calls."""

    profile = SolverProfile(name="scripted", kind="custom", deterministic=True)

    def __init__(self, calls: tuple[dict[str, Any], ...]) -> None:
        self._calls = calls

    async def solve(self, episode: Episode) -> None:
        for call in self._calls:
            episode.call(call["call"], **call["args"])


def decider(server: ScriptedModel) -> PromptedDecider:
    return PromptedDecider(chat_with(server.name, ModelSettings(patience=0.0, timeout=20.0)))


def test_an_open_answer_is_decided(model_server: ScriptedModel, environment: Environment, task: Task) -> None:
    rollout = rolled(environment, task, LOOK, answer="That would be Mr. Okafor, with a party of eight.")
    assert rollout.verdict.outcome == "incomplete"
    model_server.say(COMPLETED)
    assert isinstance(decider(model_server), DecidingJudge)
    decided = asyncio.run(decide(decider(model_server), deciding_case(environment, task, rollout)))
    assert decided.by == "judge"
    assert decided.verdict is not None
    assert (decided.verdict.outcome, decided.verdict.reward) == ("completed", 1.0)
    assert decided.verdict.checks[-1].detail == "He named him."
    asked = model_server.requests[0].text
    for shown in ("holds: submitted as done", "'Ben Okafor' was expected", task.goal.text):
        assert shown in asked
    assert "value: Ben Okafor" in asked
    assert "Mr. Okafor, with a party of eight" in asked


@pytest.mark.parametrize(("outcome", "reward"), [("incomplete", 0.0), ("damaged", 0.0), ("environment_error", None)])
def test_outcomes_are_those_of_verdicts(
    outcome: str, reward: float | None, model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.say({"reason": "So.", "outcome": outcome})
    case = deciding_case(environment, task, rolled(environment, task, LOOK, answer="Somebody."))
    verdict = asyncio.run(decide(decider(model_server), case)).verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.reward) == (outcome, reward)


def test_what_code_decides_is_not_asked(environment: Environment, task: Task) -> None:
    right = rolled(environment, task, LOOK, answer="ben okafor")
    silent = rolled(environment, task, LOOK)
    for rollout, outcome in ((right, "completed"), (silent, "incomplete")):
        decided = asyncio.run(decide(Forbidden(), deciding_case(environment, task, rollout)))
        assert decided.by == "code"
        assert decided.verdict is not None
        assert decided.verdict.outcome == outcome


class Forbidden:
    name = "forbidden"

    async def decide(self, case: DecidingCase) -> Decision:
        raise AssertionError("nothing was open")


def test_damage_stands_whatever_the_model_says(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.answer(lambda body: COMPLETED)
    case = deciding_case(environment, task, rolled(environment, task, LOOK, CANCEL, answer="Mr. Okafor"))
    said = asyncio.run(decider(model_server).decide(case))
    assert said.outcome == "completed"
    assert "NOT ALLOWED" in model_server.requests[0].text
    for verdict in (
        bounded_verdict(case.signals, said, "model"),
        asyncio.run(decide(decider(model_server), case)).verdict,
    ):
        assert verdict is not None
        assert (verdict.outcome, verdict.reward) == ("damaged", 0.0)
        assert verdict.unallowed


def test_a_failed_required_check_stands_whatever_the_model_says(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.answer(lambda body: COMPLETED)
    refused = rolled(environment, task, LOOK, answer="Mr. Okafor", status="impossible")
    case = deciding_case(environment, task, refused)
    said = asyncio.run(decider(model_server).decide(case))
    assert "FAILS: submitted as done" in model_server.requests[0].text
    verdict = bounded_verdict(case.signals, said, "model")
    assert verdict is not None
    assert (verdict.outcome, verdict.reward) == ("incomplete", 0.0)


def test_a_limit_is_none_of_its_business(environment: Environment, task: Task) -> None:
    rollout = rolled(environment, task, *[LOOK] * 61, answer="Mr. Okafor")
    assert rollout.verdict.outcome == "protocol"
    decided = asyncio.run(decide(Forbidden(), deciding_case(environment, task, rollout)))
    assert decided.verdict == rollout.verdict


@pytest.mark.parametrize(
    "reply", ["He passes.", {"reason": "So.", "outcome": "passed"}, {"reason": "", "outcome": "completed"}]
)
def test_nonsense_is_no_verdict(
    reply: Any, model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.answer(lambda body: reply)
    case = deciding_case(environment, task, rolled(environment, task, LOOK, answer="Mr. Okafor"))
    decided = asyncio.run(decide(decider(model_server), case))
    assert (decided.verdict, decided.by) == (None, "nobody")
    assert decided.reason


def test_a_judge_that_cannot_tell_gives_no_verdict(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.say({"reason": "Two Okafors.", "outcome": "cannot_tell"})
    case = deciding_case(environment, task, rolled(environment, task, LOOK, answer="Okafor"))
    assert asyncio.run(decide(decider(model_server), case)).verdict is None


def test_code_of_ones_own_that_returns_something_else_gives_no_verdict(environment: Environment, task: Task) -> None:
    class Odd:
        name = "odd"

        async def decide(self, case: DecidingCase) -> Any:
            return "completed"

    case = deciding_case(environment, task, rolled(environment, task, LOOK, answer="Mr. Okafor"))
    assert asyncio.run(decide(Odd(), case)).verdict is None


def test_a_foreign_verifier_that_only_reports(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    rollout = rolled(environment, task, LOOK, answer="Mr. Okafor")
    signals = Signals(
        checks=(CheckResult(name="database intact", holds=True),),
        open=("Does the reported state meet the request?",),
        facts={"rows_found": 1, "largest": "Ben Okafor"},
    )
    case = DecidingCase(case_of(environment, task, rollout.trace), signals, "The name is told.", "def verify(): ...")
    model_server.say(COMPLETED)
    decided = asyncio.run(decide(decider(model_server), case))
    assert decided.verdict is not None
    assert decided.verdict.passed
    asked = model_server.requests[0].text
    assert 'reported: largest = "Ben Okafor"' in asked
    assert "def verify(): ..." in asked
