"""Stopping early fails, and every write is needed.

Gold's calls are replayed one by one; after each the state is judged, with gold's answer offered. Then each write is
left out: a step of the program, and each turn of a repeated one. A write without which the rest cannot be done is
needed. What passes all the same comes with the fewest calls that do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....environments.changes import ChangeSet
from ....environments.gold import ExecutedCall
from ....environments.models import GateResult, Submission
from ..base import AuditContext, shortest
from ..edits import EndState
from ..programs import calls, without
from ..shrinking import shortest_calls


def gate(context: AuditContext) -> GateResult:
    made = {call.step for call in context.gold.steps}
    writes = [at for at, step in calls(context.task.gold) if at in made and context.environment.writes(step.call)]
    if not writes:
        return GateResult(gate="prefix", status="not_run", message="gold writes nothing")
    passing = [*_passing_prefixes(context), *_needless(context, writes)]
    if passing:
        return GateResult(gate="prefix", status="failed", message=passing[0]["problem"], evidence=shortest(passing))
    return GateResult(gate="prefix", status="passed", message=f"{len(writes)} writes, all needed")


def _passing_prefixes(context: AuditContext) -> Iterator[dict[str, Any]]:
    """Prefixes that end before the last call that changed what counts, and pass all the same."""
    states = list(_states(context, context.gold.steps))
    signatures = [context.seed_signature, *(state.signature for state in states)]
    effective = [number for number in range(len(states)) if signatures[number] != signatures[number + 1]]
    judged = {context.seed_signature}
    for number in range(effective[-1] if effective else 0):
        state = states[number]
        if state.signature in judged:
            continue
        judged.add(state.signature)
        if context.judge(state.image, state.changes, context.gold.submission).passed:
            call = context.gold.steps[number]
            shortest = _shortest(context, context.gold.steps[: number + 1])
            problem = f"passes when gold stops after {call.call}"
            yield {"problem": problem, "call": call.call, "args": call.args, **shortest}


def _needless(context: AuditContext, writes: list[int]) -> Iterator[dict[str, Any]]:
    for index in writes:
        run = context.run(without(context.task.gold, index))
        if run.ok and context.judge(run.after, run.changes, run.submission).passed:
            call = next(call for call in context.gold.steps if call.step == index)
            shortest = _shortest(context, run.steps)
            yield {"problem": f"passes without {call.call}", "step": index, "call": call.call, **shortest}
    for number, call in enumerate(context.gold.steps):
        if call.turn is not None and call.step in writes:
            rest = (*context.gold.steps[:number], *context.gold.steps[number + 1 :])
            state = context.played((other.call, other.args) for other in rest)
            if state is not None and context.judge(state.image, state.changes, context.gold.submission).passed:
                shortest = _shortest(context, rest)
                yield {"problem": f"passes without one {call.call}", "call": call.call, "args": call.args, **shortest}


def _shortest(context: AuditContext, steps: Sequence[ExecutedCall]) -> dict[str, Any]:
    submission = context.gold.submission or Submission()
    return {"shortest": shortest_calls(context, [(step.call, step.args) for step in steps], submission)}


def _states(context: AuditContext, sent: tuple[ExecutedCall, ...]) -> Iterator[EndState]:
    """The state after each call, as far as they succeed."""
    state = EndState(context.before, ChangeSet(), context.seed_signature)
    with context.environment.open(context.task) as episode:
        for call in sent:
            if not episode.call(call.call, **call.args).ok:
                return
            if context.environment.writes(call.call):
                state = context.state(episode.final_image(), episode.changes())
            yield state
