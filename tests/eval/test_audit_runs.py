"""Audits of several verifiers of one task that hand on what they ran."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Answer, ExpectedSubmission, Submission, SubmitStep, Task, Verifier
from envolve.eval.audit import AuditContext, Runs
from envolve.eval.audit import audit as whole_audit

from .conftest import Spoil

audit = partial(whole_audit, search_calls=0, attack_calls=0)
MOVE, ASK = "move-the-anniversary-dinner", "count-fridays-guests"


def fewer_checks(raw: dict[str, Any]) -> None:
    raw["verifier"]["require"] = raw["verifier"]["require"][:1]


def more_allowed(raw: dict[str, Any]) -> None:
    raw["verifier"]["allow"][0]["columns"].append("status")


def free_size(raw: dict[str, Any]) -> None:
    raw["verifier"]["free"] = {"bookings": ["party_size"]}


def tolerant(raw: dict[str, Any]) -> None:
    raw["verifier"]["answer"]["tolerance"] = 3


@pytest.mark.parametrize(("task", "spoil"), [(MOVE, fewer_checks), (MOVE, more_allowed), (ASK, tolerant)])
def test_another_verifier_runs_hardly_anything_again(
    environment: Environment, spoiled: Callable[[str, Spoil], Task], task: str, spoil: Spoil
) -> None:
    runs, alone = Runs(), Runs()
    audit(environment, environment.tasks[task], runs=runs)
    first = dict(runs)
    assert audit(environment, spoiled(task, spoil), runs=runs) == audit(environment, spoiled(task, spoil), runs=alone)
    # Each execution is an entry; one that was made again would be another object.
    assert all(runs[key] is run for key, run in first.items())
    assert len(runs) - len(first) <= len(alone) / 5


def test_what_else_is_free_is_another_state(environment: Environment, spoiled: Callable[[str, Spoil], Task]) -> None:
    runs, task = Runs(), spoiled(MOVE, free_size)
    audit(environment, environment.tasks[MOVE], runs=runs)
    assert audit(environment, task, runs=runs) == audit(environment, task)


def test_what_submit_takes_decides_what_is_handed_in(environment: Environment) -> None:
    shared = Runs()
    verifiers = (
        Verifier(),
        Verifier(allow=environment.tasks[MOVE].verifier.allow),
        Verifier(answer=Answer(kind="number", value=6)),
        Verifier(answer=Answer(kind="choice", options=("six", "seven"), value="six")),
        Verifier(submit=ExpectedSubmission(status="refused", reason=2, options=(1, 2, 3, 4))),
    )
    programs = [
        (SubmitStep(submit=given),)
        for given in (Submission(answer=6), Submission(answer="six"), Submission(status="refused", reason=9))
    ]
    for verifier in verifiers:
        task = environment.tasks[MOVE].model_copy(update={"verifier": verifier})
        with (
            AuditContext(environment, task, seed=0) as alone,
            AuditContext(environment, task, seed=0, runs=shared) as one,
        ):
            assert [one.run(program) for program in programs] == [alone.run(program) for program in programs]


def test_a_run_afresh_is_no_run_that_is_known(environment: Environment) -> None:
    """Gold has to end the same twice; a run that is kept always would."""
    task = environment.tasks[MOVE]
    with AuditContext(environment, task, seed=0) as context:
        known = context.run(task.gold)
        assert context.run(task.gold) is known
        again = context.run_afresh(task.gold)
        assert again is not known
        assert (again.signature, again.submission) == (known.signature, known.submission)
