"""A model as a judge of real rollouts, over real HTTP: its rulings are written by hand for the test."""

from __future__ import annotations

import asyncio
from importlib.resources import files

import pytest

from envolve.agents.judges import Judgement, agreement, case_of
from envolve.agents.judges.case import net_changes
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.prompted.judge import PromptedJudge
from envolve.agents.solvers import solver_named
from envolve.environments.models import Rollout, RowChange, Task, Verdict
from envolve.environments.models.verdicts import Outcome
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out

from ...scripted_model import ScriptedModel

MOVE = "move-the-anniversary-dinner"


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load("tests/data/table-booking")


@pytest.fixture(scope="module")
def task(environment: Environment) -> Task:
    return environment.tasks[MOVE]


def rollout_of(environment: Environment, task: Task, solver: str) -> Rollout:
    return asyncio.run(roll_out(environment, task, solver_named(solver), index=0, purpose="free", seed=1))


def judged(server: ScriptedModel, environment: Environment, task: Task, solver: str = "gold") -> Judgement:
    judge = PromptedJudge(chat_with(server.name, ModelSettings(patience=0.0, timeout=20.0)))
    return asyncio.run(judge.judge(case_of(environment, task, rollout_of(environment, task, solver).trace)))


def test_a_ruling_with_reason_and_step(model_server: ScriptedModel, environment: Environment, task: Task) -> None:
    model_server.say({"reason": "Booking 1806 is now at table L4\nfor six.", "step": 3, "ruling": "met"})
    judgement = judged(model_server, environment, task)
    assert judgement == Judgement(ruling="met", reason="Booking 1806 is now at table L4 for six.", step=3)
    assert PromptedJudge(chat_with(model_server.name)).name == model_server.name


def test_it_sees_what_happened_and_never_what_decides(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.say({"reason": "Moved.", "ruling": "met"})
    judged(model_server, environment, task)
    text = model_server.requests[0].text
    assert task.instruction.strip() in text
    assert "3. A party never gets a table with fewer seats than guests." in text
    assert "3. move_booking(booking_id=1806" in text
    assert "bookings id=1806 updated: " in text
    assert 'Submitted: {"status":"done"}' in text
    for secret in [check.name for check in task.verifier.require] + [task.goal.text, "$booking", "completed"]:
        assert secret not in text


def test_it_sees_in_which_form_an_answer_is_asked_for(model_server: ScriptedModel, environment: Environment) -> None:
    task = environment.tasks["count-fridays-guests"]
    model_server.say({"reason": "Counted.", "ruling": "met"})
    judged(model_server, environment, task)
    text = model_server.requests[0].text
    assert task.verifier.answer.describe in text
    asked, done = text.split("## What it did")
    assert "24" not in asked.split("## What it could hand in")[1]
    assert "Ben Okafor" in done


def test_an_attempt_without_a_submission(model_server: ScriptedModel, environment: Environment, task: Task) -> None:
    model_server.say({"reason": "Nothing was done.", "step": None, "ruling": "not_met"})
    case = case_of(
        environment,
        task,
        rollout_of(environment, task, "gold").trace.model_copy(
            update={"submission": None, "limit": "turns", "events": ()}
        ),
    )
    judge = PromptedJudge(chat_with(model_server.name))
    assert asyncio.run(judge.judge(case)).ruling == "not_met"
    assert "ran into a limit (turns)" in model_server.requests[0].text


def test_a_step_that_is_not_there_goes_back(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    model_server.say(
        {"reason": "Moved.", "step": 9, "ruling": "met"}, {"reason": "Moved.", "step": 3, "ruling": "met"}
    )
    assert judged(model_server, environment, task).step == 3
    assert "numbered from 1 to 4" in model_server.requests[1].text


def test_no_ruling_is_no_judgement(model_server: ScriptedModel, environment: Environment, task: Task) -> None:
    model_server.answer(lambda body: {"reason": "It looks good.", "ruling": "pass"})
    with pytest.raises(Unusable):
        judged(model_server, environment, task)


def test_the_example_of_the_prompt_is_right(
    model_server: ScriptedModel, environment: Environment, task: Task
) -> None:
    text = (files("envolve.agents.prompted.judge") / "prompts" / "example.json").read_text(encoding="utf-8")
    model_server.say(text)
    assert judged(model_server, environment, task).ruling == "not_met"
    assert text.strip() in model_server.requests[0].text


def change(op: str, old: dict[str, int], new: dict[str, int]) -> RowChange:
    return RowChange.model_validate({"table": "t", "op": op, "key": {"id": 1}, "old": old, "new": new})


@pytest.mark.parametrize(
    ("changes", "net"),
    [
        ([change("insert", {}, {"id": 1, "a": 1}), change("delete", {"id": 1, "a": 1}, {})], []),
        (
            [change("insert", {}, {"id": 1, "a": 1}), change("update", {"a": 1}, {"a": 2})],
            [change("insert", {}, {"id": 1, "a": 2})],
        ),
        ([change("update", {"a": 1}, {"a": 2}), change("update", {"a": 2}, {"a": 1})], []),
        (
            [change("update", {"a": 1}, {"a": 2}), change("update", {"a": 2, "b": 5}, {"a": 3, "b": 6})],
            [change("update", {"a": 1, "b": 5}, {"a": 3, "b": 6})],
        ),
        (
            [change("update", {"a": 1}, {"a": 2}), change("delete", {"id": 1, "a": 2, "b": 5}, {})],
            [change("delete", {"id": 1, "a": 1, "b": 5}, {})],
        ),
        (
            [change("delete", {"id": 1, "a": 1, "b": 5}, {}), change("insert", {}, {"id": 1, "a": 2, "b": 5})],
            [change("update", {"a": 1}, {"a": 2})],
        ),
    ],
)
def test_changes_add_up(changes: list[RowChange], net: list[RowChange]) -> None:
    assert net_changes(changes) == tuple(net)


@pytest.mark.parametrize("solver", ["gold", "slip:-1", "random:20"])
def test_changes_add_up_to_what_the_world_says(solver: str, environment: Environment) -> None:
    for task in environment.tasks.values():
        for seed in range(5):
            with environment.open(task, seed=seed) as episode:
                asyncio.run(solver_named(solver).solve(episode))
                assert case_of(environment, task, episode.trace).changes == episode.changes().rows


def test_agreement_figures() -> None:
    def pairs(ruling: str, outcome: Outcome, count: int) -> list[tuple[Judgement, Verdict]]:
        reward = {"completed": 1.0, "infra_error": None}.get(outcome, 0.0)
        judgement = Judgement.model_validate({"ruling": ruling, "reason": "so"})
        return [(judgement, Verdict(outcome=outcome, reward=reward))] * count

    found = agreement(
        [
            *pairs("met", "completed", 20),
            *pairs("met", "incomplete", 5),
            *pairs("not_met", "completed", 10),
            *pairs("not_met", "damaged", 15),
            *pairs("cannot_tell", "incomplete", 4),
            *pairs("met", "infra_error", 2),
        ]
    )
    assert (found.both_met, found.judge_only, found.verifier_only, found.both_not_met) == (20, 5, 10, 15)
    assert (found.cannot_tell, found.left_out) == (4, 2)
    assert found.kappa == pytest.approx(0.4)  # the textbook's example
    assert (found.agreed.count, found.agreed.n, found.agreed.rate) == (35, 50, 0.7)
    assert found.agreed.interval.low < 0.7 < found.agreed.interval.high
    assert (found.met_of_passed.count, found.met_of_passed.n) == (20, 30)
    assert (found.not_met_of_failed.count, found.not_met_of_failed.n) == (15, 20)


def test_agreement_without_anything_to_compare() -> None:
    none = agreement([])
    assert (none.kappa, none.agreed.rate, none.agreed.interval) == (None, None, (0.0, 1.0))
    same = agreement([(Judgement(ruling="met", reason="so"), Verdict(outcome="completed", reward=1.0))] * 3)
    assert (same.kappa, same.agreed.rate) == (None, 1.0)
