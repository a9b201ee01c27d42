"""Labelled cases: attempts at procedural tasks whose label is known by how they were made.

No judge and no verifier has a say in a label. Half of the cases are met, half are not, and within each half every way
of making them has an equal share as far as there are enough.
"""

from __future__ import annotations

from math import ceil
from random import Random

from envolve.environments.canonical import seed_from
from envolve.eval.audit.base import AuditContext

from .base import LabelledCase, Maker, Scene
from .met import failed_first, failed_last, gold, more_reads, other_order
from .not_met import damage, given_up, made_up, mistakes, nothing_worked, out_of_calls, stopped_early
from .worlds import SCENARIOS, Posed, posed_tasks

MAKERS: tuple[Maker, ...] = (
    gold,
    more_reads,
    other_order,
    failed_first,
    failed_last,
    mistakes,
    damage,
    stopped_early,
    out_of_calls,
    given_up,
    nothing_worked,
    made_up,
)

CASES_A_WORLD = 50
CASES_A_TASK = 4
"""Of the about twenty that one gives: more would be much the same."""


async def labelled_cases(count: int, *, seed: int = 0) -> list[LabelledCase]:
    """At most `count` cases, from as many worlds and tasks as it takes; the same for the same seed."""
    worlds = min(ceil(count / CASES_A_WORLD), len(SCENARIOS))
    posed_ones = posed_tasks(worlds, ceil(count / worlds / CASES_A_TASK), seed=seed)
    found = [case async for posed in posed_ones for case in cases_of(posed, seed)]
    random = Random(seed_from("labelled cases", seed))
    met = _spread([case for case in found if case.label == "met"], (count + 1) // 2, random)
    not_met = _spread([case for case in found if case.label == "not_met"], count // 2, random)
    return [*met, *not_met]


def cases_of(posed: Posed, seed: int) -> list[LabelledCase]:
    """All cases of a task; none where gold does not reach the task's own goal, for then nothing is known."""
    with AuditContext(posed.environment, posed.task, seed=seed) as context:
        run = context.gold
        judged = context.judge(run.after, run.changes, run.submission) if run.ok else None
        if judged is None or judged.goal is False or judged.problem:
            return []
        scene = Scene(context, Random(seed_from("cases", seed, posed.environment.hash, posed.task.id)))
        return [case for make in MAKERS for case in make(scene)]


def _spread(cases: list[LabelledCase], most: int, random: Random) -> list[LabelledCase]:
    """At most `most`, as equal a share of each kind as there are cases for."""
    groups: dict[str, list[LabelledCase]] = {}
    for case in cases:
        groups.setdefault(case.kind, []).append(case)
    for group in groups.values():
        random.shuffle(group)
    found = list[LabelledCase]()
    while len(found) < most and any(groups.values()):
        found += [group.pop() for group in groups.values() if group]
    return found[:most]
