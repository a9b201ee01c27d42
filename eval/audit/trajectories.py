"""Other ways to act: gold's program varied, run, and told apart.

A variant that ends in a state ≈ gold's with the same answer is another way to the same end, and has to pass; one
that ends elsewhere is a mistake, and has to fail. Variants in which a call fails say nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from ...environments.answer_matching import answers_match
from ...environments.canonical import canonical_json
from ...environments.gold import GoldRun
from ...environments.models import CallStep, Param, PickStep
from .base import AuditContext, Trial
from .programs import (
    Variant,
    calls,
    fixed_pick,
    hoisted,
    shuffled,
    with_argument,
    with_step,
    without,
)
from .siblings import near_values

_MOST_MISTAKES = 36
_MOST_REORDERED = 12
_SHUFFLES = 3
_SIBLINGS = 2
FAILED = "a call failed"
SAME = "≈"


class Trajectories(NamedTuple):
    """Variants of gold that were run: `mistakes` end elsewhere, `same` end where gold ends; `dropped` by rule."""

    mistakes: list[Trial]
    same: list[Trial]
    dropped: Counter[str]


def trajectories(context: AuditContext) -> Trajectories:
    """Run gold's mistakes, and its calls in other orders."""
    found = Trajectories([], [], Counter())
    random = Random(context.seed)
    seen = {canonical_json(list(context.task.gold))}
    mistakes = _spread(list(_mistakes(context, random)), _MOST_MISTAKES, random)
    reordered = _spread(list(_reordered(context, random)), _MOST_REORDERED, random)
    for variant in (*mistakes, *reordered):
        key = canonical_json(list(variant.program))
        if key in seen:
            continue
        seen.add(key)
        run = context.run(variant.program)
        if not run.ok:
            found.dropped[FAILED] += 1
            continue
        trial = Trial(variant.shown(), context.judge(run.after, run.changes, run.submission))
        if not same_end(context, run):
            found.mistakes.append(trial)
        elif variant in reordered:
            found.same.append(trial)
        else:
            found.dropped[SAME] += 1
    return found


def same_end(context: AuditContext, run: GoldRun) -> bool:
    """Whether a run ends ≈ gold's state, with the same submission."""
    gold, given = context.gold.submission, run.submission
    if run.signature != context.gold.signature or gold is None or given is None:
        return False
    if (gold.status, gold.reason) != (given.status, given.reason):
        return False
    return answers_match(context.task.verifier.answer, gold.answer, given.answer)


def _spread(variants: list[Variant], most: int, random: Random) -> list[Variant]:
    """At most `most`, an equal share of each kind."""
    by_kind: dict[str, list[Variant]] = {}
    for variant in variants:
        by_kind.setdefault(variant.kind, []).append(variant)
    for kind in by_kind.values():
        random.shuffle(kind)
    found: list[Variant] = []
    while any(by_kind.values()) and len(found) < most:
        found += [kind.pop() for kind in by_kind.values() if kind]
    return found[:most]


def _mistakes(context: AuditContext, random: Random) -> Iterator[Variant]:
    program, environment = context.task.gold, context.environment
    for index, step in calls(program):
        yield Variant("call dropped", {"step": index, "call": step.call}, without(program, index))
        if environment.writes(step.call):
            yield Variant("call repeated", {"step": index, "call": step.call}, with_step(program, index, step, step))
        for kind, name, value in _other_arguments(context, index, step, random):
            change = {"step": index, "call": step.call, "argument": name, "value": value}
            yield Variant(kind, change, with_step(program, index, with_argument(step, name, value)))
    for index, pick in enumerate(program):
        if isinstance(pick, PickStep) and not pick.many:
            for row in _other_rows(context, index, pick, random):
                change = {"step": index, "pick": pick.pick, "row": row}
                yield Variant("another row picked", change, with_step(program, index, fixed_pick(pick, row)))


def _other_arguments(
    context: AuditContext, index: int, step: CallStep, random: Random
) -> Iterator[tuple[str, str, Any]]:
    """(kind, argument, value): a sibling entity or another option in its place, or a value near its own."""
    params = context.environment.params(step.call)
    sent = next((call.args for call in context.gold.steps if call.step == index), {})
    for name, value in sent.items():
        if name not in params or name not in step.args:
            continue
        if isinstance(value, list):
            swapped: Iterable[Any] = _list_swaps(context, params[name], value, random)
        else:
            swapped = _siblings(context, name, params[name], value, random)
        yield from (("argument swapped", name, other) for other in swapped)
        if params[name].ref is None and params[name].enum is None:
            yield from (("argument changed", name, other) for other in near_values(value))


def _list_swaps(context: AuditContext, param: Param, value: list[Any], random: Random) -> Iterator[list[Any]]:
    if len(value) > 1:
        yield value[1:]
    if param.items is not None and value:
        for other in _siblings(context, "", param.items, value[0], random):
            if other not in value:
                yield [other, *value[1:]]


def _siblings(context: AuditContext, name: str, param: Param, value: Any, random: Random) -> list[Any]:
    if param.enum is not None:
        found = [other for other in param.enum if other != value]
    elif param.ref is not None:
        table, _, column = param.ref.partition(".")
        found = _column_values(context, table, column, value)
    else:
        owners = (table.name for table in context.environment.tables().values() if name in table.by_name)
        found = [other for table in owners for other in _column_values(context, table, name, value)]
        found = [other for other in found if type(other) is type(value)]
    random.shuffle(found)
    return found[:_SIBLINGS]


def _column_values(context: AuditContext, table: str, column: str, value: Any) -> list[Any]:
    """Other values of a seed column that holds `value`; empty if it does not hold it."""
    sql = f'SELECT DISTINCT "{column}" FROM before."{table}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 500'
    values = [found for (found,) in context.reader.query(sql)]
    return [other for other in values if other != value] if value in values else []


def _other_rows(context: AuditContext, index: int, pick: PickStep, random: Random) -> list[dict[str, Any]]:
    """Rows with the picked columns that gold saw beside the one it picked."""
    chosen = next((pick.value for pick in context.gold.chosen if pick.step == index), None)
    if not isinstance(chosen, Mapping):
        return []
    found = {
        canonical_json(row): row
        for call in context.gold.steps
        if call.step < index
        for row in _rows(call.result.value, set(chosen))
        if row != dict(chosen)
    }
    rows = [found[key] for key in sorted(found)]
    random.shuffle(rows)
    return rows[:_SIBLINGS]


def _rows(value: Any, columns: set[str]) -> Iterator[dict[str, Any]]:
    """Objects anywhere in a result that have these columns, cut down to them."""
    if isinstance(value, Mapping):
        if columns <= set(value):
            yield {name: value[name] for name in sorted(columns)}
        for inner in value.values():
            yield from _rows(inner, columns)
    elif isinstance(value, list):
        for inner in value:
            yield from _rows(inner, columns)


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
            order = shuffled(program, random)
            names = [step.call for _, step in calls(order)]
            yield Variant("calls shuffled", {"order": names, "number": number}, order)
