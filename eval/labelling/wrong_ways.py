"""Ways to a wrong end by calls, none of which the audit tries: several things wrong at once, half of a set, one more,
amounts in another unit, entities exchanged, somebody else's row, another tool to the same status, taken back.

An operator makes them without knowing whether they are wrong; where the goal still holds, the label leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from ...environments.models import RowChange
from ...environments.plans import Plan
from ..audit.programs import calls, without
from ..audit.siblings import near_values
from .base import Call, Candidate, Scene
from .rows import differing, is_amount, neighbours, of_another_owner, pointed_at, rows_of, scaled

_MOST = 3
_TRIES = 12
"""Calls tried for what may follow; those that fail cost little."""


def half_of_a_set(scene: Scene) -> Iterator[Candidate]:
    """Only the first half of a repeated write, or only the second."""
    for index, step in calls(scene.task.gold):
        turns = [number for number, call in enumerate(scene.gold.steps) if call.step == index]
        if step.each is None or not scene.writes(step.call) or len(turns) < 2:
            continue
        half = len(turns) // 2
        for name, gone in (("first", turns[half:]), ("second", turns[: len(turns) - half])):
            kept = [call for number, call in enumerate(scene.calls) if number not in gone]
            yield scene.played("wrong", f"the {name} half of {len(turns)} {step.call}", kept)


def several_left_out(scene: Scene) -> Iterator[Candidate]:
    """Two writes of more left out."""
    program = scene.task.gold
    writes = [index for index, step in calls(program) if scene.writes(step.call)]
    pairs = list(combinations(writes, 2)) if len(writes) > 2 else []
    for first, second in scene.random("left out").sample(pairs, min(_MOST, len(pairs))):
        yield scene.run("wrong", f"steps {first} and {second} left out", without(without(program, second), first))


def one_more(scene: Scene) -> Iterator[Candidate]:
    """A write done for one more entity, the one that is most alike."""
    yield from islice(_one_more(scene), _MOST)


def somebody_elses(scene: Scene) -> Iterator[Candidate]:
    """A write done to the row of another owner instead."""
    yield from islice(_somebody_elses(scene), _MOST)


def exchanged(scene: Scene) -> Iterator[Candidate]:
    """The values of an argument exchanged between two calls."""
    yield from islice(_exchanged(scene), _MOST)


def amounts(scene: Scene) -> Iterator[Candidate]:
    """An amount rounded, or in another unit."""
    for number, call in _writes(scene):
        params = scene.environment.params(call.call)
        for name, value in call.args.items():
            if is_amount(params.get(name), value):
                others = scaled(value)
                for other in scene.random("amount", str(number), name).sample(others, min(2, len(others))):
                    yield _changed(scene, f"{name} of {call.call} in another unit or rounded", number, {name: other})


def two_arguments(scene: Scene) -> Iterator[Candidate]:
    """Two arguments of one write changed at once."""
    for number, call in _writes(scene):
        others = {name: value for name, value in _others(scene, call).items() if value is not None}
        for pair in list(combinations(sorted(others), 2))[:2]:
            change = f"{' and '.join(pair)} of {call.call} changed"
            yield _changed(scene, change, number, {name: others[name] for name in pair})


def taken_back(scene: Scene) -> Iterator[Candidate]:
    """After everything one more call on a row that gold changed."""
    found = 0
    for change in _touched(scene):
        for call in islice(_calls_on(scene, change), _TRIES):
            candidate = scene.played("wrong", f"{call.call} afterwards", [*scene.calls, call])
            if not isinstance(candidate.end, str):
                yield candidate
                found += 1
            if found == 2 * _MOST:
                return


def by_another_tool(scene: Scene) -> Iterator[Candidate]:
    """The last write replaced by another tool's call on the same row, which may set the same status."""
    last = max((number for number, _ in _writes(scene)), default=None)
    if last is None:
        return
    found = 0
    for change in scene.gold.steps[last].changes:
        for call in islice(_calls_on(scene, change) if change.op == "update" else (), _TRIES):
            if call.call == scene.calls[last].call:
                continue
            instead = [*scene.calls[:last], call, *scene.calls[last + 1 :]]
            candidate = scene.played("wrong", f"{call.call} instead of {scene.calls[last].call}", instead)
            if not isinstance(candidate.end, str):
                yield candidate
                found += 1
            if found == _MOST:
                return


def _writes(scene: Scene) -> Iterator[tuple[int, Call]]:
    return ((number, call) for number, call in enumerate(scene.calls) if scene.writes(call.call))


def _changed(scene: Scene, change: str, number: int, args: dict[str, Any]) -> Candidate:
    """Gold's calls with arguments of one of them changed."""
    call = scene.calls[number]
    instead = Call(call.call, {**call.args, **args})
    return scene.played("wrong", change, [*scene.calls[:number], instead, *scene.calls[number + 1 :]])


def _one_more(scene: Scene) -> Iterator[Candidate]:
    for number, call in _writes(scene):
        for name, table, column in pointed_at(scene, call):
            used = {other.args.get(name) for other in scene.calls}
            alike = [row[column] for row in neighbours(scene, table, column, call.args[name])]
            for value in [value for value in alike if value not in used][:2]:
                more = Call(call.call, {**call.args, name: value})
                whole = [*scene.calls[: number + 1], more, *scene.calls[number + 1 :]]
                yield scene.played("wrong", f"{call.call} for one {name} more", whole)


def _somebody_elses(scene: Scene) -> Iterator[Candidate]:
    for number, call in _writes(scene):
        for name, table, column in pointed_at(scene, call):
            for row in of_another_owner(scene, table, column, call.args[name])[:2]:
                yield _changed(scene, f"{call.call} for somebody else's {name}", number, {name: row[column]})


def _exchanged(scene: Scene) -> Iterator[Candidate]:
    for (one, first), (other, second) in combinations(_writes(scene), 2):
        for name in differing(first.args, second.args):
            whole = scene.calls
            whole[one] = Call(first.call, {**first.args, name: second.args[name]})
            whole[other] = Call(second.call, {**second.args, name: first.args[name]})
            yield scene.played("wrong", f"{name} of {first.call} and {second.call} exchanged", whole)


def _others(scene: Scene, call: Call) -> dict[str, Any]:
    """Another value for each argument that has one."""
    rows = {name: (table, column) for name, table, column in pointed_at(scene, call)}
    params = scene.environment.params(call.call)
    found: dict[str, Any] = {}
    for name, value in call.args.items():
        param = params.get(name)
        if name in rows:
            table, column = rows[name]
            found[name] = next((row[column] for row in neighbours(scene, table, column, value)), None)
        elif param is not None and param.enum is not None:
            found[name] = next((other for other in param.enum if other != value), None)
        elif not isinstance(value, list):
            found[name] = next(iter(near_values(value)), None)
    return found


def _touched(scene: Scene) -> Sequence[RowChange]:
    logs = scene.context.comparison.logs
    return [change for change in scene.gold.changes.rows if change.op != "delete" and change.table not in logs]


def _calls_on(scene: Scene, change: RowChange) -> Iterator[Call]:
    """Calls of the actor's writing tools on a changed row, with values that the world or the tool knows."""
    for name, plan in scene.tools():
        if not plan.writes:
            continue
        for needed, param in plan.tool.params.items():
            table, _, column = (param.ref or "").partition(".")
            value = {**change.new, **change.key}.get(column)
            if table == change.table and value is not None and needed in plan.tool.required:
                args = _filled(scene, plan, {needed: value}, change)
                if args is not None:
                    yield Call(name, args)


def _filled(scene: Scene, plan: Plan, given: dict[str, Any], change: RowChange) -> dict[str, Any] | None:
    """All needed arguments: what the row held before, what gold said, an option, a row of the table; None where
    there is nothing for one."""
    said = {name: value for call in scene.calls for name, value in call.args.items()}
    args = dict(given)
    for name in plan.tool.required:
        if name in args:
            continue
        param = plan.tool.params[name]
        value = change.old.get(name, said.get(name))
        if value is None and param.enum is not None:
            value = param.enum[0]
        if value is None and param.ref is not None:
            table, _, column = param.ref.partition(".")
            value = next((row[column] for row in rows_of(scene, table)), None)
        value = {"string": "As it was", "integer": 1}.get(param.type) if value is None else value
        if value is None:
            return None
        args[name] = value
    return args
