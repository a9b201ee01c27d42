"""A request that cannot be met: what it means is there, but a rule forbids the call, for this row or for this actor."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.gold import GoldRun, run_gold
from ....environments.models import Actor, Task
from ....environments.package import Environment
from ...tester.actors import actors_by_role
from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values, is_status
from ..base import TaskChange
from ..seeds import current, with_value

_REFUSALS = ("conflict", "forbidden")


class TaskInfeasible:
    kind = "task_infeasible"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        run = run_gold(environment, task)
        yield from _closed_rows(environment, task, run)
        yield from _other_actors(environment, task)


def _closed_rows(environment: Environment, task: Task, run: GoldRun) -> Iterator[TaskChange]:
    """The seed with another status of a row that gold changes."""
    tables = environment.tables()
    for change in run.changes.rows:
        info = tables[change.table]
        if change.op != "update" or len(info.primary_key) != 1:
            continue
        key = change.key[info.primary_key[0]]
        for column in (column.name for column in info.columns if is_status(column.name)):
            held = current(environment, change.table, column, key)
            for other in (value for value in checked_values(info, column) if value != held):
                note = f"{change.table}.{column} of {key!r} is {other!r} from the start"
                seed = with_value(environment, change.table, column, key, other)
                yield TaskChange(f"tasks.{task.id}", note, task, seed_sql=seed)


def _other_actors(environment: Environment, task: Task) -> Iterator[TaskChange]:
    """The task given to somebody whose roles do not admit a call of gold."""
    for name, actors in actors_by_role(Anatomy(environment), each=2).items():
        if name not in task.actor.roles:
            for actor in actors[:1]:
                other = task.model_copy(update={"actor": Actor(roles=actor.roles, id=actor.id)})
                run = run_gold(environment, other)
                error = run.steps[-1].result.error if run.steps else None
                if run.failure is not None and error is not None and error.code in _REFUSALS:
                    yield TaskChange(f"tasks.{task.id}.actor", f"asked by a {name}", other)
