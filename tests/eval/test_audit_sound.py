"""Sound tasks are found sound, always the same way, and can be frozen."""

import pytest

from envolve.environments import Environment
from envolve.environments.canonical import canonical_json
from envolve.environments.errors import InputError
from envolve.environments.models import AuditReport, Task
from envolve.eval.audit import ALL, audit, freeze, is_frozen_valid
from envolve.eval.audit.dropping import RULES

TASKS = ["book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"]


@pytest.fixture(scope="module")
def reports(environment: Environment) -> dict[str, AuditReport]:
    return {name: audit(environment, environment.tasks[name]) for name in TASKS}


@pytest.mark.parametrize("name", TASKS)
def test_the_samples_tasks_are_sound(reports: dict[str, AuditReport], name: str) -> None:
    report = reports[name]
    failed = {result.gate: result.message for result in report.gates if result.status == "failed"}
    assert not failed
    assert report.grade == "sound"
    assert [result.gate for result in report.gates] == list(ALL)
    assert report.null_passes == 0
    assert 20 <= report.mutants.killed == report.mutants.total
    assert 4 <= report.alternatives.passed == report.alternatives.total


@pytest.mark.parametrize("name", TASKS)
def test_an_audit_repeats_exactly(environment: Environment, reports: dict[str, AuditReport], name: str) -> None:
    assert canonical_json(audit(environment, environment.tasks[name])) == canonical_json(reports[name])


def test_dropped_mutants_name_their_rule(reports: dict[str, AuditReport]) -> None:
    dropped = reports["book-the-terrace-for-four"].mutants.dropped
    assert set(dropped) <= set(RULES)
    assert {"≈", "breaks a constraint", "breaks an invariant", "no tool writes it", "a call failed"} <= set(dropped)


def test_gates_that_did_not_run_are_listed_with_the_reason(environment: Environment) -> None:
    report = audit(environment, environment.tasks["count-fridays-guests"], gates=("gold", "null"))
    not_run = {result.gate: result.message for result in report.gates if result.status == "not_run"}
    assert not_run["leak"] == "not asked for"
    assert "twin" in not_run["twins"]
    assert not_run["attack"] == "not asked for"
    assert report.gate("gold").status == report.gate("null").status == "passed"
    assert report.mutants.total == 0


def test_without_gold_its_gates_do_not_run_and_nothing_is_frozen(environment: Environment) -> None:
    task = environment.tasks["move-the-anniversary-dinner"].model_copy(update={"gold": ()})
    report = audit(environment, task)
    assert report.gate("gold").status == "not_run"
    assert freeze(task, report).verifier.frozen is None


def test_a_sound_verifier_is_frozen_until_it_changes(
    environment: Environment, reports: dict[str, AuditReport]
) -> None:
    task = environment.tasks["move-the-anniversary-dinner"]
    assert not is_frozen_valid(task)
    frozen = freeze(task, reports[task.id])
    assert is_frozen_valid(frozen)
    assert frozen.verifier.frozen is not None
    assert frozen.verifier.frozen.startswith("sha256:")
    again = Task.model_validate(frozen.model_dump(mode="json", by_alias=True))
    assert is_frozen_valid(again)
    weaker = frozen.verifier.model_copy(update={"require": frozen.verifier.require[1:]})
    assert not is_frozen_valid(frozen.model_copy(update={"verifier": weaker}))
    with pytest.raises(InputError):
        freeze(environment.tasks["count-fridays-guests"], audit(environment, task))


def test_freezing_does_not_change_the_audit(environment: Environment) -> None:
    task = environment.tasks["move-the-anniversary-dinner"]
    report = audit(environment, task)
    assert audit(environment, freeze(task, report)) == report
