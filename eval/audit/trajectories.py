"""Other ways to act: gold's program varied, run, and told apart.

A variant that ends in a state ≈ gold's with the same answer is another way to the same end, and has to pass; one
that ends elsewhere is a mistake, and has to fail. Variants in which a call fails say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from random import Random
from typing import NamedTuple

from ...environments.answer_matching import answers_match
from ...environments.canonical import canonical_json
from ...environments.gold import GoldRun
from ...environments.models import PickStep
from .base import AuditContext, Trial
from .choices import CHANGED, SWAPPED, other_arguments, other_rows, other_tools
from .dropping import AGAIN, FAILED, SAME, SPELLED, Dropped
from .extras import extra_effects
from .programs import (
    Variant,
    arranged,
    calls,
    fixed_pick,
    hoisted,
    with_argument,
    with_step,
    without,
)
from .shrinking import shortest_calls
from .spelling import spelled_otherwise

_MOST_MISTAKES = 36
_MOST_CHANGED = 20
_MOST_REORDERED = 12
_SHUFFLES = 3


class Trajectories(NamedTuple):
    """Variants of gold that were run: `mistakes` end elsewhere, `same` end where gold ends; `untried` is how many
    more there were than bounds let be run."""

    mistakes: list[Trial]
    same: list[Trial]
    dropped: list[Dropped]
    untried: int


def trajectories(context: AuditContext) -> Trajectories:
    """Run gold's mistakes, its calls in other orders, and calls besides."""
    random = Random(context.seed)
    changed, others = _parted(_mistakes(context, random))
    mistakes = [
        *_spread(
            changed, _MOST_CHANGED, random, by=lambda variant: (variant.change["step"], variant.change["argument"])
        ),
        *_spread(others, _MOST_MISTAKES, random, by=lambda variant: variant.kind),
    ]
    reorderings = list(_reordered(context, random))
    reordered = _spread(reorderings, _MOST_REORDERED, random, by=lambda variant: variant.kind)
    left = len(changed) + len(others) - len(mistakes) + len(reorderings) - len(reordered)
    extras = extra_effects(context)
    found = Trajectories([], [], extras.dropped, left + extras.untried)
    seen = {canonical_json(list(context.task.gold))}
    for number, variant in enumerate((*mistakes, *reordered)):
        result = _tried(context, variant, seen, may_be_same=number >= len(mistakes))
        if isinstance(result, str):
            found.dropped.append(Dropped(variant.kind, variant.place, result))
        else:
            trial, same = result
            (found.same if same else found.mistakes).append(trial)
    found.mistakes.extend(extras.trials)
    return found


def _tried(context: AuditContext, variant: Variant, seen: set[str], *, may_be_same: bool) -> tuple[Trial, bool] | str:
    """A variant run and judged, and whether it is another way to gold's end (`may_be_same`; else it is dropped
    there); the rule where it does not count."""
    key = canonical_json(list(variant.program))
    if key in seen:
        return AGAIN
    seen.add(key)
    run = context.run(variant.program)
    if not run.ok:
        return FAILED
    same = same_end(context, run)
    if same and not may_be_same:
        return SAME
    trial = Trial(variant.shown(), context.judge(run.after, run.changes, run.submission))
    if same or trial.killed or run.submission is None:
        return trial, same
    if spelled_otherwise(context, run):
        return SPELLED
    sent = [(step.call, step.args) for step in run.steps]
    shortest = shortest_calls(context, sent, run.submission)
    return trial._replace(shown={**trial.shown, "shortest": shortest}), False


def same_end(context: AuditContext, run: GoldRun) -> bool:
    """Whether a run ends ≈ gold's state, with the same submission. What the verifier accepts besides gold's answer,
    by a tolerance or by name, is not the same: a mistake that leads there must not pass."""
    gold, given = context.gold.submission, run.submission
    if run.signature != context.gold.signature or gold is None or given is None:
        return False
    if (gold.status, gold.reason) != (given.status, given.reason):
        return False
    if gold.answer == given.answer:
        return True
    exact = context.task.verifier.answer.model_copy(update={"tolerance": 0.0, "accept": ()})
    return answers_match(exact, gold.answer, given.answer)


def _parted(variants: Iterator[Variant]) -> tuple[list[Variant], list[Variant]]:
    """Other values for what is done, and all other mistakes."""
    found: tuple[list[Variant], list[Variant]] = [], []
    for variant in variants:
        found[variant.kind != CHANGED].append(variant)
    return found


def _spread(
    variants: list[Variant], most: int, random: Random, *, by: Callable[[Variant], Hashable]
) -> list[Variant]:
    """At most `most`, an equal share of each group."""
    groups: dict[Hashable, list[Variant]] = {}
    for variant in variants:
        groups.setdefault(by(variant), []).append(variant)
    for group in groups.values():
        random.shuffle(group)
    found: list[Variant] = []
    while any(groups.values()) and len(found) < most:
        found += [group.pop() for group in groups.values() if group]
    return found[:most]


def _mistakes(context: AuditContext, random: Random) -> Iterator[Variant]:
    program, environment = context.task.gold, context.environment
    for index, step in calls(program):
        yield Variant("call dropped", {"step": index, "call": step.call}, without(program, index))
        for tool, args in other_tools(context, step, random):
            other = step.model_copy(update={"call": tool, "args": args})
            change = {"step": index, "call": tool, "instead of": step.call}
            yield Variant("another tool", change, with_step(program, index, other))
        if environment.writes(step.call):
            yield Variant("call repeated", {"step": index, "call": step.call}, with_step(program, index, step, step))
        for kind, name, value in other_arguments(context, index, step, random):
            # A kind of its own, so that what is merely looked up does not crowd out what is done.
            kind = kind if environment.writes(step.call) or kind == SWAPPED else "look-up changed"
            change = {"step": index, "call": step.call, "argument": name, "value": value}
            yield Variant(kind, change, with_step(program, index, with_argument(step, name, value)))
    for index, pick in enumerate(program):
        if isinstance(pick, PickStep) and not pick.many:
            for row in other_rows(context, index, pick, random):
                change = {"step": index, "pick": pick.pick, "row": row}
                yield Variant("another row picked", change, with_step(program, index, fixed_pick(pick, row)))


def _reordered(context: AuditContext, random: Random) -> Iterator[Variant]:
    """Calls moved before writes that they do not depend on by data flow."""
    program, environment = context.task.gold, context.environment
    writes = [index for index, step in calls(program) if environment.writes(step.call)]
    for later, step in calls(program):
        for first in (index for index in writes if index < later):
            moved = hoisted(program, first, later)
            if moved is not None:
                yield Variant("calls swapped", {"step": later, "call": step.call, "before": first}, moved)
    if writes and len(list(calls(program))) > 2:
        for number in range(_SHUFFLES):
            order = arranged(program, random.choice)
            names = [step.call for _, step in calls(order)]
            yield Variant("calls shuffled", {"order": names, "number": number}, order)
