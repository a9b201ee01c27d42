"""Ways to gold's end that the audit does not try: other orders, other look-ups, other splits, other worlds, routes.

Each is played; whether it ends where gold ends is for the label to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from ...environments.models import Param
from ..audit.base import Program
from ..audit.programs import ancestors, arranged, calls, with_step
from ..audit.siblings import near_values
from .base import Call, Candidate, Scene
from .rows import rows_of

OTHER_WORLDS = (11, 23)
"""World seeds; the audit rolls others."""
_MOST = 3
_TRIES = 30


def other_orders(scene: Scene) -> Iterator[Candidate]:
    """Look-ups first, look-ups as late as can be, the last thing first: as far as data flow lets them."""
    program = scene.task.gold
    seen = [program]
    for change, ordered in (
        ("look-ups first", _look_ups_first(scene, program)),
        ("each look-up as late as can be", _late(scene, program)),
        ("the last thing first", _sorted(program, lambda step: -step)),
    ):
        if ordered not in seen:
            seen.append(ordered)
            yield scene.run("right", change, ordered)


def orders_elsewhere(scene: Scene) -> Iterator[Candidate]:
    """The last thing first, in a world of other random codes."""
    ordered = _sorted(scene.task.gold, lambda step: -step)
    yield scene.run("right", f"the last thing first, world seed {OTHER_WORLDS[0]}", ordered, seed=OTHER_WORLDS[0])


def detours(scene: Scene) -> Iterator[Candidate]:
    """Before anything else something of another row changed, and changed back."""
    found = 0
    for away, back in islice(_there_and_back(scene), _TRIES):
        candidate = scene.played("right", f"a detour through {away.call}, put back", [away, back, *scene.calls])
        if not isinstance(candidate.end, str):
            yield candidate
            found += 1
        if found == _MOST:
            return


def other_worlds(scene: Scene) -> Iterator[Candidate]:
    """Gold in worlds of other random codes."""
    for seed in OTHER_WORLDS:
        yield scene.run("right", f"world seed {seed}", scene.task.gold, seed=seed)


def other_routes(scene: Scene) -> Iterator[Candidate]:
    """Programs that were given: the same thing asked for in other words and looked up accordingly."""
    for number, program in enumerate(scene.routes):
        yield scene.run("right", f"route {number + 1}", program)


def without_looking(scene: Scene) -> Iterator[Candidate]:
    """The writes alone, by somebody who knows the ids."""
    writes = [call for call in scene.calls if scene.writes(call.call)]
    if writes and len(writes) < len(scene.calls):
        yield scene.played("right", "writes alone", writes)


def looking_back(scene: Scene) -> Iterator[Candidate]:
    """After each write all that can be read of the rows that it changed."""
    found: list[Call] = []
    for step in scene.gold.steps:
        found.append(Call(step.call, step.args))
        for change in step.changes if scene.writes(step.call) else ():
            found += _reads_of(scene, change.table, next(iter(change.key.values()), None))
    if len(found) > len(scene.calls):
        yield scene.played("right", "read back after each write", found)


def wider_look_ups(scene: Scene) -> Iterator[Candidate]:
    """Lists asked for with one filter less."""
    program = scene.task.gold
    wider = (
        (name, with_step(program, index, step.model_copy(update={"args": _without(step.args, name)})))
        for index, step in calls(program)
        if not scene.writes(step.call)
        for name in scene.optional(step.call, step.args)
    )
    for name, changed in islice(wider, _MOST):
        yield scene.run("right", f"looked up without {name}", changed)


def refused_attempts(scene: Scene) -> Iterator[Candidate]:
    """Before each write calls that are refused: of a tool that is not there, for a row that is not there."""
    found: list[Call] = []
    for call in scene.calls:
        if scene.writes(call.call):
            params = scene.environment.params(call.call)
            nowhere = {name: -1 for name in call.args if name in params and params[name].ref is not None}
            found.append(Call(f"{call.call}_now", call.args, attempt=True))
            found += [Call(call.call, {**call.args, **nowhere}, attempt=True)] if nowhere else []
        found.append(call)
    if len(found) > len(scene.calls):
        yield scene.played("right", "refused attempts before writes", found)


def put_right(scene: Scene) -> Iterator[Candidate]:
    """A write with another value first, then as gold does it."""
    yield from islice(_put_right(scene), _MOST)


def one_by_one(scene: Scene) -> Iterator[Candidate]:
    """A write with several optional arguments as so many calls, the last argument first."""
    for number, call in enumerate(scene.calls):
        optional = scene.optional(call.call, call.args)
        if scene.writes(call.call) and len(optional) > 1:
            given = {name: value for name, value in call.args.items() if name not in optional}
            single = [Call(call.call, {**given, name: call.args[name]}) for name in reversed(optional)]
            whole = [*scene.calls[:number], *single, *scene.calls[number + 1 :]]
            yield scene.played("right", f"{call.call} one argument at a time", whole)


def _put_right(scene: Scene) -> Iterator[Candidate]:
    for number, call in enumerate(scene.calls):
        if not scene.writes(call.call):
            continue
        for name, value in call.args.items():
            for other in _other_values(scene, call, name, value)[:1]:
                wrong = Call(call.call, {**call.args, name: other})
                whole = [*scene.calls[:number], wrong, *scene.calls[number:]]
                yield scene.played("right", f"{name} of {call.call} wrong first, then put right", whole)


def _other_values(scene: Scene, call: Call, name: str, value: Any) -> list[Any]:
    param = scene.environment.params(call.call).get(name)
    return [] if param is None else _others_of(param, value)


def _others_of(param: Param, value: Any) -> list[Any]:
    if param.ref is not None:
        return []
    if param.enum is not None:
        return [other for other in param.enum if other != value]
    return list(near_values(value))


def _there_and_back(scene: Scene) -> Iterator[tuple[Call, Call]]:
    """Two calls of one tool: values of a row changed, and the values that it holds."""
    for name, plan in scene.tools():
        params = plan.tool.params
        refs = [one for one in plan.tool.required if params[one].ref is not None]
        if not plan.writes or len(refs) > 1:
            continue
        place = params[refs[0]].ref if refs else None
        table, _, column = (place or f"{scene.environment.actor_table(scene.task.actor)}.id").partition(".")
        rows = [row for row in rows_of(scene, table) if refs or row[column] == scene.task.actor.id]
        needed = [one for one in plan.tool.required if one not in refs]
        set_ones = needed or [one for one in params if one in scene.environment.tables()[table].by_name][:1]
        for row in scene.random("detour", name).sample(rows, min(2, len(rows))):
            own = {one: row.get(one) for one in set_ones}
            given = {refs[0]: row[column]} if refs else {}
            others = {one: next(iter(_others_of(params[one], value)), None) for one, value in own.items()}
            if set_ones and None not in (*own.values(), *others.values()):
                yield Call(name, {**given, **others}), Call(name, {**given, **own})


def _reads_of(scene: Scene, table: str, key: Any) -> Iterator[Call]:
    """Calls of reading tools that need one thing: a row of this table."""
    for name, plan in scene.tools():
        (needed, *others) = plan.tool.required or ("",)
        ref = plan.tool.params[needed].ref if needed else None
        if not plan.writes and not others and ref is not None and ref.partition(".")[0] == table:
            yield Call(name, {needed: key}, attempt=True)


def _look_ups_first(scene: Scene, program: Program) -> Program:
    writes = {index for index, step in calls(program) if scene.writes(step.call)}
    after = {index for index in range(len(program)) if index in writes or ancestors(program, index) & writes}
    return _sorted(program, lambda step: step + len(program) * (step in after))


def _late(scene: Scene, program: Program) -> Program:
    """Writes in their order, before each what it needs and nothing else; what no write needs comes last."""
    order: list[int] = []
    for index, step in calls(program):
        if scene.writes(step.call):
            order += [k for k in sorted({*ancestors(program, index), index}) if k not in order]
    order += [k for k in range(len(program) - 1) if k not in order]
    return (*(program[k] for k in order), program[-1])


def _sorted(program: Program, rank: Callable[[int], int]) -> Program:
    """The steps in an order that respects data flow, of those that can come next the one of least rank."""
    return arranged(program, lambda ready: min(ready, key=rank))


def _without(args: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in args.items() if key != name}
