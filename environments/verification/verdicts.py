"""From the checks of a verifier to a verdict."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ..changes import ChangeSet
from ..keeping import Latest, kept_beside
from ..models import Actor, CheckResult, Outcome, Submission, Task, Verdict, Verifier
from ..sql_text import SqlProblem
from ..states import comparison_of
from .allowances import Allowances
from .checks import answer_check, bind, state_checks, submission_check
from .reader import StateReader

if TYPE_CHECKING:
    from ..kit import Kit
    from ..package import Environment

_CODES = frozenset({"unparseable", "gave_up"})
_BROKE = "The verifier of "


def verify(
    environment: Environment,
    task: Task,
    *,
    before: bytes,
    after: bytes,
    changes: ChangeSet,
    submission: Submission | None,
    limit: str | None = None,
    internal_error: str | None = None,
    reader: StateReader | None = None,
) -> Verdict:
    """The verdict on one rollout. Never raises for what the rollout or the verifier did.

    `before` is the image of the task's seed state, `changes` lead net from it to `after`. `limit` names what
    ended the rollout without a submission (`unparseable` and `gave_up` become the code, anything else `limit`).
    Without submission and limit, `done` without answer counts as submitted. `reader` is one over the same
    `before` and actor, for callers that verify many end states.
    """
    if internal_error is not None:
        return Verdict(outcome="environment_error", message=internal_error)
    submission = submission or (None if limit else Submission())
    try:
        if reader is not None:
            return _verdict(environment, task, reader, before, after, changes, submission, limit)
        with StateReader(environment, before, actor=task.actor) as own:
            return _verdict(environment, task, own, before, after, changes, submission, limit)
    except SqlProblem as error:
        return Verdict(outcome="environment_error", message=f"{_BROKE}{task.id} broke: {error}")


def verifier_broke(verdict: Verdict) -> bool:
    """Whether it was the verifier that failed, and not the world: another verifier may decide the rollout."""
    return verdict.outcome == "environment_error" and verdict.message.startswith(_BROKE)


def partial_reward(verdict: Verdict) -> float | None:
    """A reward for part of the work, always below 1: of the checks on the state that failed in the seed state, those
    that hold now. Whatever else fails (the submission, the answer, what held before) counts as missing too.

    Doing nothing earns 0, and so do damage and running into a limit; None where the verdict says nothing. Opt-in:
    `Verdict.reward` is 1 or 0.
    """
    if verdict.outcome != "incomplete":
        return verdict.reward
    gained = sum(check.holds for check in verdict.checks if check.before is False)
    missing = sum(not check.holds for check in verdict.checks)
    return gained / (gained + missing) if gained else 0.0


def _verdict(
    environment: Environment,
    task: Task,
    reader: StateReader,
    before: bytes,
    after: bytes,
    changes: ChangeSet,
    submission: Submission | None,
    limit: str | None,
) -> Verdict:
    verifier = task.verifier
    seed = _held_before(environment, before, task.actor, verifier)
    reader.show(after, changes)
    bound = bind(reader, verifier)
    checks = [
        CheckResult(name=check.name, holds=check.holds, before=held, detail=check.detail)
        for check, held in zip(state_checks(reader, verifier, bound), seed, strict=True)
    ]
    checks.append(submission_check(verifier.submit, submission))
    if verifier.answer.kind != "none":
        checks.append(answer_check(reader, verifier.answer, bound.values, submission))
    allowances = Allowances(reader, comparison_of(environment), verifier.allow, verifier.free, bound.values)
    unallowed = allowances.violations(changes)
    outcome = _outcome(checks, unallowed, limit)
    return Verdict(
        outcome=outcome,
        reward=1.0 if outcome == "completed" else 0.0,
        checks=tuple(checks),
        unallowed=tuple(unallowed),
        code=(limit if limit in _CODES else "limit") if outcome == "protocol" else None,
        message=f"Nothing was submitted: {limit}." if outcome == "protocol" else "",
    )


_KEPT = 32


@kept_beside
def _seeds(_: Kit) -> Latest[tuple[Hashable, ...], tuple[bool, ...]]:
    """What `_held_before` gave last: it is the same for all rollouts of a task. Images are told apart by what is in
    them, which costs nothing where it is the same object; it mostly is, and one that the kit keeps anyhow."""
    return Latest(_KEPT)


def _held_before(environment: Environment, before: bytes, actor: Actor, verifier: Verifier) -> tuple[bool, ...]:
    """Whether each `bind` and `require` held in the seed state."""

    def found() -> tuple[bool, ...]:
        with StateReader(environment, before, actor=actor) as reader:
            checks = state_checks(reader, verifier, bind(reader, verifier))
            return tuple(check.holds for check in checks)

    key = (before, actor, tuple(verifier.bind.items()), verifier.require)
    return _seeds(environment.kit).of(key, found)


def _outcome(checks: list[CheckResult], unallowed: list[str], limit: str | None) -> Outcome:
    if limit is not None:
        return "protocol"
    if unallowed:
        return "damaged"
    return "completed" if all(check.holds for check in checks) else "incomplete"
