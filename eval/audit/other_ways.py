"""Other ways to the same end, found without search: harmless reads added, one write done in two, another world of
random codes; and programs that somebody found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...environments.models import CallStep
from .base import AuditContext, Program, Trial
from .programs import Variant, calls, with_step
from .trajectories import same_end

_OTHER_SEEDS = (1, 2)
_MOST_READS = 6
_MOST_SPLIT = 6


class OtherWays(NamedTuple):
    """`same` end ≈ gold's; `elsewhere` are given programs that pass and end in another state."""

    same: list[Trial]
    elsewhere: list[Trial]


def other_ways(context: AuditContext) -> OtherWays:
    found = OtherWays([], [])
    for variant in (*_with_reads(context), *_split_writes(context)):
        run = context.run(variant.program)
        if run.ok and same_end(context, run):
            found.same.append(Trial(variant.shown(), context.judge(run.after, run.changes, run.submission)))
    for seed in _OTHER_SEEDS:
        run = context.run(context.task.gold, seed=seed)
        if run.ok and run.signature == context.gold.signature:
            judgement = context.judge(run.after, run.changes, run.submission)
            found.same.append(Trial({"kind": "other random codes", "seed": seed}, judgement))
    for number, program in enumerate(context.alternatives):
        _given(context, number, program, found)
    return found


def _given(context: AuditContext, number: int, program: Program, found: OtherWays) -> None:
    run = context.run(program)
    if not run.ok:
        return
    names = [step.call for _, step in calls(program)]
    trial = Trial(
        {"kind": "found", "number": number, "calls": names}, context.judge(run.after, run.changes, run.submission)
    )
    if same_end(context, run):
        found.same.append(trial)
    elif trial.judgement.passed:
        found.elsewhere.append(trial)


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


def _split_writes(context: AuditContext) -> Iterator[Variant]:
    """A write with several optional arguments as two calls, one of which sets a single one."""
    program, number = context.task.gold, 0
    for index, step in calls(program):
        plan = context.environment.plans.get(step.call)
        if plan is None:
            continue
        optional = [name for name in step.args if name not in plan.tool.required]
        if not plan.writes or step.each is not None or len(optional) < 2:
            continue
        for name in optional[:_MOST_SPLIT]:
            if number == _MOST_SPLIT:
                return
            number += 1
            first = step.model_copy(
                update={
                    "args": {key: value for key, value in step.args.items() if key == name or key not in optional},
                    "as_": None,
                }
            )
            second = step.model_copy(update={"args": {key: value for key, value in step.args.items() if key != name}})
            yield Variant(
                "write done in two",
                {"step": index, "call": step.call, "first": name},
                with_step(program, index, first, second),
            )
