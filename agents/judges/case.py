"""A rollout as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...environments.canonical import canonical_json
from ...environments.changes import in_order
from ...environments.models import RowChange, Task, Trace
from ...environments.package import Environment
from ...environments.prompting import episode_prompt
from ...environments.submitting import submit_tool
from .base import Case
from .meaning import created_phrases, meant_rows


def case_of(environment: Environment, task: Task, trace: Trace) -> Case:
    """What a judge may see of `task`'s rollout. Raises InputError for a task whose actor cannot act."""
    return next(cases_of(environment, task, [trace]))


def cases_of(environment: Environment, task: Task, traces: Iterable[Trace]) -> Iterator[Case]:
    """The same for several rollouts of `task`: what they share is made once."""
    shared = _without_trace(environment, task)
    for trace in traces:
        changes = net_changes(change for event in trace.events for change in event.changes)
        yield shared._replace(trace=trace, changes=changes)


def _without_trace(environment: Environment, task: Task) -> Case:
    name = environment.kit.actor_name(task.actor, task)
    return Case(
        environment=environment.without_tasks(),
        roles=task.actor.roles,
        prompt=episode_prompt(environment.spec, task, task.actor, name),
        trace=Trace(environment=environment.id, task=task.id),
        changes=(),
        instruction=task.instruction,
        actor=task.actor,
        submit=submit_tool(task.verifier)["inputSchema"],
        answer=task.verifier.answer.kind,
        meant=meant_rows(environment, task),
        created=created_phrases(task),
    )


def net_changes(changes: Iterable[RowChange]) -> tuple[RowChange, ...]:
    """What changes of rows, one after the other, add up to."""
    rows: dict[tuple[str, str], RowChange] = {}
    for change in changes:
        place = (change.table, canonical_json(change.key))
        before = rows.pop(place, None)
        joined = change if before is None else _joined(before, change)
        if joined is not None:
            rows[place] = joined
    return in_order(rows.values())


def _joined(first: RowChange, then: RowChange) -> RowChange | None:
    """Two changes of one row as one; None if they undo each other."""
    if first.op == "insert":
        if then.op == "delete":
            return None
        return first.model_copy(update={"new": {**first.new, **then.new}})
    if then.op == "delete":
        return then.model_copy(update={"old": {**then.old, **first.old}})
    old, new = {**then.old, **first.old}, {**first.new, **then.new}
    differing = {name for name in new if old.get(name) != new[name]}
    if not differing:
        return None
    return RowChange(
        table=then.table,
        op="update",
        key=then.key,
        old={name: old[name] for name in old if name in differing},
        new={name: new[name] for name in new if name in differing},
    )
