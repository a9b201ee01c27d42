"""Labels of ends: what is right and wrong of the sample's tasks, whatever their verifiers say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from envolve.environments import Environment
from envolve.environments.models import Check, Task, Verifier
from envolve.eval.audit import audit
from envolve.eval.audit.base import AuditContext
from envolve.eval.audit.end_states import end_states
from envolve.eval.audit.other_ways import other_ways
from envolve.eval.audit.trajectories import trajectories
from envolve.eval.labelling import (
    RIGHT,
    WRONG,
    Labelled,
    LabelledTrial,
    Scene,
    label_of,
    labelled,
    null_passes,
    verdict_on,
)
from envolve.eval.labelling.met import noted_audit
from envolve.eval.labelling.trials import MET, end_key

TASKS = ["book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"]


def trials(environment: Environment, task: Task) -> list[LabelledTrial]:
    with Scene(environment, task, seed=3) as scene:
        return labelled(scene).trials


def told(found: list[LabelledTrial]) -> list[tuple[str, str, str]]:
    return [(trial.label, trial.operator, trial.change) for trial in found]


@pytest.mark.parametrize("name", TASKS)
def test_verdicts_agree_with_labels(environment: Environment, name: str) -> None:
    task = environment.tasks[name]
    found = trials(environment, task)
    assert {trial.label for trial in found} == {"right", "wrong"}
    assert wrong_verdicts(environment, task) == []


@pytest.mark.parametrize("name", TASKS)
def test_labels_do_not_look_at_the_verifier(environment: Environment, name: str) -> None:
    task = environment.tasks[name]
    answer = task.verifier.answer
    if answer.kind != "none":
        answer = answer.model_copy(update={"value": "nothing of the kind", "sql": None, "tolerance": 9e9})
    gutted = Verifier(free=task.verifier.free, answer=answer)
    assert told(trials(environment, task)) == told(trials(environment, task.model_copy(update={"verifier": gutted})))


def test_a_verifier_that_lets_wrong_ends_pass_shows(environment: Environment) -> None:
    task = environment.tasks["book-the-terrace-for-four"]
    weak = task.verifier.model_copy(update={"bind": {}, "require": ()})
    passing = wrong_verdicts(environment, task.model_copy(update={"verifier": weak}))
    assert {trial.label for trial in passing} == {"wrong"}


def test_a_verifier_that_refuses_right_ends_shows(environment: Environment) -> None:
    """The booking must have the random code that gold saw."""
    task = environment.tasks["book-the-terrace-for-four"]
    by_code = Check(
        name="gold's code", sql=f"SELECT confirmation_code = '{_code(environment, task)}' FROM inserted.bookings"
    )
    strict = task.verifier.model_copy(update={"require": (*task.verifier.require, by_code)})
    refused = wrong_verdicts(environment, task.model_copy(update={"verifier": strict}))
    assert {trial.label for trial in refused} == {"right"}
    assert {"another world", "another order in another world", "as left later"} == {one.operator for one in refused}


def test_golds_own_end_is_never_wrong_even_if_the_goal_does_not_hold_in_it(environment: Environment) -> None:
    task = environment.tasks["book-the-terrace-for-four"]
    unmet = task.model_copy(update={"goal": task.goal.model_copy(update={"sql": "SELECT 0"})})
    with Scene(environment, unmet, seed=3) as scene:
        as_gold = scene.handed_in("wrong", "nothing otherwise", scene.submission)
        assert label_of(scene, as_gold).outcome == "undecided"
        assert label_of(scene, as_gold._replace(aim="right")).outcome == "undecided"
        given_up = scene.submission.model_copy(update={"status": "impossible"})
        assert label_of(scene, scene.handed_in("wrong", "given up", given_up)).outcome == "wrong"


def test_nothing_done_is_tried_apart(environment: Environment) -> None:
    task = environment.tasks["move-the-anniversary-dinner"]
    lenient = task.model_copy(update={"verifier": Verifier()})
    with Scene(environment, task, seed=3) as scene:
        assert null_passes(scene, task) == []
        assert null_passes(scene, lenient)


@pytest.mark.parametrize("name", TASKS)
def test_no_end_is_one_that_the_audit_judged(environment: Environment, name: str) -> None:
    task = environment.tasks[name]
    with Scene(environment, task, seed=3) as scene:
        _, met = noted_audit(environment, task, seed=3)
        found = labelled(scene, met=met)
        assert not {end_key(trial.end) for trial in found.trials} & met
        assert len({end_key(trial.end) for trial in found.trials}) == len(found.trials)
        assert _left_out(found, MET)


def test_noting_does_not_change_an_audit(environment: Environment) -> None:
    task = environment.tasks["count-fridays-guests"]
    assert noted_audit(environment, task, seed=3).report == audit(environment, task, seed=3)


def test_the_audit_has_none_of_the_operators(environment: Environment) -> None:
    kinds: set[str] = set()
    for task in environment.tasks.values():
        with AuditContext(environment, task, seed=0, alternatives=()) as context:
            edited, acted, others = end_states(context), trajectories(context), other_ways(context)
            trials = (*edited.mutants, *edited.same, *acted.mistakes, *acted.same, *others.same)
            kinds |= {str(trial.shown["kind"]) for trial in trials}
    assert len(kinds) > 10
    assert kinds.isdisjoint({*RIGHT, *WRONG})


def test_audit_and_labelling_live_apart() -> None:
    rooms = Path(__file__).resolve().parents[2] / "eval"
    assert not [path for path in (rooms / "audit").rglob("*.py") if "labelling" in imported(path)]
    machinery = {"base", "edits", "programs", "siblings"}
    for path in (rooms / "labelling").glob("*.py"):
        taken = {name.removeprefix("audit.") for name in imported(path) if name.startswith("audit.")}
        assert taken <= machinery or path.stem == "met", path


def imported(path: Path) -> set[str]:
    """What a file imports from beside its room: `audit.base`."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level}


def wrong_verdicts(environment: Environment, task: Task) -> list[LabelledTrial]:
    found = trials(environment, task)
    return [trial for trial in found if verdict_on(environment, task, trial.end).passed != (trial.label == "right")]


def _left_out(found: Labelled, reason: str) -> int:
    return sum(reasons[reason] for reasons in found.undecided.values())


def _code(environment: Environment, task: Task) -> str:
    with Scene(environment, task, seed=3) as scene:
        (row,) = [change.new for change in scene.gold.changes.rows if change.table == "bookings"]
        return str(row["confirmation_code"])
