"""Other ways to the same end: harmless reads added, one write done in two, another world of random codes, texts spelled
otherwise; and paths unlike gold, as found by a search or by somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...environments.models import CallStep
from .base import AuditContext, Program, Trial
from .found_ways import found_ways
from .programs import Variant
from .respelling import respelled
from .splitting import split_writes
from .trajectories import same_end

_OTHER_SEEDS = (1, 2)
_MOST_READS = 6


class OtherWays(NamedTuple):
    """`same` end ≈ gold's, or pass and differ in spelling alone; `elsewhere` pass and end in another state; `refused`
    are rejected though they reach the goal in another state."""

    same: list[Trial]
    elsewhere: list[Trial]
    refused: list[Trial]


def other_ways(context: AuditContext) -> OtherWays:
    unlike = context.once(found_ways)
    found = OtherWays([], [*unlike.elsewhere], [*unlike.refused])
    for variant in (*_with_reads(context), *split_writes(context)):
        run = context.run(variant.program)
        if run.ok and same_end(context, run):
            found.same.append(Trial(variant.shown(), context.judge(run.after, run.changes, run.submission)))
    for seed in _OTHER_SEEDS:
        run = context.run(context.task.gold, seed=seed)
        if run.ok and run.signature == context.gold.signature:
            judgement = context.judge(run.after, run.changes, run.submission)
            found.same.append(Trial({"kind": "other random codes", "seed": seed}, judgement))
    found.same.extend(unlike.same)
    _spell(context, found)
    return found


def _spell(context: AuditContext, found: OtherWays) -> None:
    """Texts that the solver writes, in other spellings. Where neither goal nor verifier takes one it is a mistake as
    any other; where the goal alone takes it, it is refused."""
    for variant in respelled(context):
        run = context.run(variant.program)
        if not run.ok:
            continue
        judgement = context.judge(run.after, run.changes, run.submission)
        if judgement.passed or same_end(context, run):
            found.same.append(Trial(variant.shown(), judgement))
        elif judgement.goal and judgement.unharmed and not judgement.required:
            sent = [{"call": call.call, "args": call.args} for call in run.steps]
            found.refused.append(Trial({**variant.shown(), "calls": sent}, judgement))


def _with_reads(context: AuditContext) -> Iterator[Variant]:
    program, plans = context.task.gold, context.environment.plans
    doubled: Program = ()
    for step in program:
        again = isinstance(step, CallStep) and not context.environment.writes(step.call)
        doubled = (*doubled, step, step) if again else (*doubled, step)
    if len(doubled) > len(program):
        yield Variant("reads added", {"reads": "each twice"}, doubled)
    roles = context.task.actor.roles
    looks = [
        CallStep(call=name)
        for name, plan in plans.items()
        if not plan.writes and not plan.tool.required and plan.admits(roles)
    ][:_MOST_READS]
    if looks:
        names = [look.call for look in looks]
        yield Variant("reads added", {"reads": names}, (*looks, *program[:-1], *looks, program[-1]))
