"""Scripts of a model as attempts, tried on the way so that the model hears where they end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from ....environments.models import CallStep, Submission, SubmitStep
from ....eval.audit.attacks import Attempt
from ....eval.audit.base import AuditContext, Program
from ..clipping import clipped, one_line
from .drafts import AttackDraft, ScriptDraft

_GOAL_HOLDS = (
    "it passes and ends otherwise than the solution, but what must be so in the end is so; keep it only if something"
    " that the request asks for is missing all the same"
)


class Ended(NamedTuple):
    """Where a script ended: `passed` in another state than gold's while the goal does not hold, or why it may be no
    attack."""

    passed: bool
    why: str


class Trials:
    """Tries scripts against one verifier within `calls` tool calls; beyond them, nothing is said of a script."""

    def __init__(self, context: AuditContext, *, calls: int) -> None:
        self._context = context
        self._calls = calls
        self._known: dict[str, Ended] = {}
        self.spent = 0

    def problems(self, draft: AttackDraft) -> tuple[Sequence[str], Sequence[str]]:
        """What must be mended (scripts that cannot be run at all), and what had better be (those that come to
        nothing)."""
        hard = [problem for place, script in enumerate(draft.scripts) for problem in self._unusable(place, script)]
        if hard:
            return hard, ()
        ended = [(place, self.ended(script)) for place, script in enumerate(draft.scripts)]
        return (), [f"scripts[{place}]: {end.why}" for place, end in ended if end is not None and not end.passed]

    def ended(self, script: ScriptDraft) -> Ended | None:
        """None where the calls are used up. What was tried before costs nothing."""
        key, cost = script.model_dump_json(), len(script.calls) + 1
        if key not in self._known:
            if self.spent + cost > self._calls:
                return None
            self.spent += cost
            self._known[key] = self._tried(script)
        return self._known[key]

    def _tried(self, script: ScriptDraft) -> Ended:
        context = self._context
        run = context.run(program_of(script))
        if not run.ok:
            return Ended(False, clipped(one_line(str(run.failure and run.failure.message)), 300))
        judged = context.judge(run.after, run.changes, run.submission)
        if not judged.passed:
            failed = [f"{check.name} {check.detail}".rstrip() for check in judged.verdict.checks if not check.holds]
            told = [f"does not hold: {name}" for name in failed]
            told += [f"not allowed: {line}" for line in judged.verdict.unallowed]
            return Ended(False, clipped("it does not pass; " + "; ".join(told or [judged.verdict.message]), 300))
        if run.signature == context.gold.signature:
            return Ended(False, "it passes, but it does the work: its end is the solution's")
        if judged.goal:
            return Ended(False, _GOAL_HOLDS)
        return Ended(True, "")

    def _unusable(self, place: int, script: ScriptDraft) -> Iterator[str]:
        environment, roles = self._context.environment, self._context.task.actor.roles
        open_tools = [name for name, plan in environment.plans.items() if plan.admits(roles)]
        for number, call in enumerate(script.calls):
            where = f"scripts[{place}].calls[{number}]"
            if call.call not in open_tools:
                yield f"{where}.call: this person has no tool {call.call!r}; tools: {', '.join(open_tools)}"
                continue
            known = environment.plans[call.call].definition["inputSchema"]["properties"]
            for name in call.args:
                if name not in known:
                    yield f"{where}.args: {call.call} has no argument {name!r}; it has: {', '.join(known) or 'none'}"
        try:
            program_of(script)
        except ValidationError as error:
            yield f"scripts[{place}]: {clipped(one_line(str(error)), 200)}"


def program_of(script: ScriptDraft) -> Program:
    """Raises pydantic's ValidationError for a name that no result can have."""
    calls = tuple(CallStep(call=call.call, args=call.args, **{"as": call.as_}) for call in script.calls)
    return (*calls, SubmitStep(submit=Submission(**script.submit.model_dump())))


def attempts_of(draft: AttackDraft, trials: Trials, budget: int) -> Iterator[Attempt]:
    """Those that passed when they were tried first, as many as the budget holds. What trying took is the first one's
    cost."""
    ended = [(script, trials.ended(script)) for script in draft.scripts]
    ended.sort(key=lambda pair: not (pair[1] is not None and pair[1].passed))
    spent = trials.spent
    left = budget - spent
    for script, _ in ended:
        left -= len(script.calls) + 1
        if left < 0:
            return
        yield Attempt(kind=clipped(one_line(script.idea), 200), program=program_of(script), spent=spent)
        spent = 0
