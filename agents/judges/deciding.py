"""The deciding judge: an outcome where code cannot decide, within what code has decided.

Code leaves open the wording of a text answer, and whatever a foreign environment's verifier only reports on. What code
has decided stands: a failed required check or an unallowed change is no pass, whatever the judge says. Where code
leaves nothing open the judge is not asked. A judge that gives no decision leads to no verdict.

This is no independent opinion: it sees the verifier, so its agreement with it says nothing (`base.py` has those).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from ...environments.models import CheckResult, Frozen, Rollout, Task, Verdict
from ...environments.package import Environment
from ...environments.writing import model_yaml
from ..llm.errors import Unusable
from .base import Case, NoJudgement
from .case import case_of

DecidedOutcome = Literal["completed", "incomplete", "damaged", "environment_error"]
"""The outcomes of a verdict that a judge may give. Limits and providers' failures are seen by code alone."""
_ANSWER = "answer"


class Signals(Frozen):
    """What code found. `checks` are required, all of them; what it leaves open is not among them."""

    checks: tuple[CheckResult, ...] = ()
    unallowed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """What the judge is asked about, each in a sentence; empty where code decides alone."""
    facts: dict[str, Any] = {}
    """What a foreign verifier reports, as JSON."""
    ended: Verdict | None = None
    """The verdict of a rollout that came to no end of its own: a limit, a broken world, a provider's failure."""


class DecidingCase(NamedTuple):
    """A rollout with all that there is to know of it but its verdict."""

    case: Case
    signals: Signals
    criteria: str
    """In words, what must be so in the end."""
    verifier: str
    """The verifier's code, as it is written."""


class Decision(Frozen):
    """What a judge decides: an outcome, or that it cannot; and by which step of the trace (from 1)."""

    outcome: DecidedOutcome | Literal["cannot_tell"]
    reason: str
    step: int | None = None


@runtime_checkable
class DecidingJudge(Protocol):
    @property
    def name(self) -> str: ...

    async def decide(self, case: DecidingCase) -> Decision:
        """Raises NoJudgement, or Unusable of a model, where there is none."""
        ...


class Decided(NamedTuple):
    """The verdict that code and judge come to; None where there is none, and why."""

    verdict: Verdict | None
    by: Literal["code", "judge", "nobody"]
    reason: str = ""


def deciding_case(environment: Environment, task: Task, rollout: Rollout) -> DecidingCase:
    """Of a task of ours: code leaves open a text answer that is not worded as one of those it knows to be right."""
    answer = task.verifier.answer
    return DecidingCase(
        case=case_of(environment, task, rollout.trace),
        signals=_signals(rollout.verdict, open_answer=answer.kind == "text"),
        criteria=task.goal.text,
        verifier=model_yaml(task.verifier),
    )


def _signals(verdict: Verdict, *, open_answer: bool) -> Signals:
    if verdict.outcome in ("protocol", "environment_error", "infra_error"):
        return Signals(checks=verdict.checks, unallowed=verdict.unallowed, ended=verdict)
    wrong = next((check for check in verdict.checks if check.name == _ANSWER and not check.holds), None)
    given = wrong is not None and wrong.detail != "no answer was given"
    if wrong is None or not open_answer or not given:
        return Signals(checks=verdict.checks, unallowed=verdict.unallowed)
    rest = tuple(check for check in verdict.checks if check is not wrong)
    question = f"Does the answer say what it must, in other words? {wrong.detail}".strip()
    return Signals(checks=rest, unallowed=verdict.unallowed, open=(question,))


async def decide(judge: DecidingJudge, case: DecidingCase) -> Decided:
    """The verdict on a rollout. The judge is asked only about what is still open. Errors of providers pass through."""
    settled = _settled(case.signals)
    if settled is not None:
        return Decided(settled, "code")
    try:
        decision = await judge.decide(case)
    except (NoJudgement, Unusable) as error:
        return Decided(None, "nobody", error.message)
    if not isinstance(decision, Decision):
        return Decided(None, "nobody", f"{judge.name} returned no decision: {decision!r:.80}")
    if decision.outcome == "cannot_tell":
        return Decided(None, "nobody", f"{judge.name} cannot tell: {decision.reason}")
    return Decided(bounded_verdict(case.signals, decision, judge.name), "judge", decision.reason)


def bounded_verdict(signals: Signals, decision: Decision, judge: str) -> Verdict | None:
    """The verdict by a decision, within what code found: what code has settled stands. None for `cannot_tell`."""
    settled = _settled(signals)
    if settled is not None:
        return settled
    if decision.outcome == "cannot_tell":
        return None
    reward = {"completed": 1.0, "environment_error": None}.get(decision.outcome, 0.0)
    said = CheckResult(name=f"judged by {judge}", holds=decision.outcome == "completed", detail=decision.reason)
    return Verdict(
        outcome=decision.outcome,
        reward=reward,
        checks=(*signals.checks, said),
        message=decision.reason,
    )


def _settled(signals: Signals) -> Verdict | None:
    """The verdict where code has decided; None where a judge may."""
    if signals.ended is not None:
        return signals.ended
    failed = not all(check.holds for check in signals.checks)
    if not signals.unallowed and not failed and signals.open:
        return None
    outcome: Literal["damaged", "incomplete", "completed"] = (
        "damaged" if signals.unallowed else "incomplete" if failed else "completed"
    )
    return Verdict(
        outcome=outcome,
        reward=1.0 if outcome == "completed" else 0.0,
        checks=signals.checks,
        unallowed=signals.unallowed,
    )
