"""Task files against their environment: what they name must exist. Whether a task is sound is the audit's to say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from pydantic import ValidationError

from .errors import PackageError
from .faults import Fault
from .models import EnvironmentSpec, Task
from .person import Person
from .schema import TableInfo


def check_tasks(
    tasks: Iterable[Task], spec: EnvironmentSpec, tables: Mapping[str, TableInfo], tools: Collection[str]
) -> None:
    """Raise PackageError for the first task that names a role, table, column or faulty tool that does not exist."""
    for task in tasks:
        for field, problem in (*_problems(task, spec, tables), *_behaviour(task, tools)):
            raise PackageError(problem, file=f"tasks/{task.id}.yaml", field=field)


def _problems(task: Task, spec: EnvironmentSpec, tables: Mapping[str, TableInfo]) -> Iterator[tuple[str, str]]:
    for role in task.actor.roles:
        if role not in spec.roles:
            yield "actor.roles", f"there is no role {role!r}; roles: {', '.join(spec.roles)}"
    for phrase, grounding in task.grounding.items():
        if grounding.table is not None and grounding.table not in tables:
            yield f"grounding.{phrase}.table", f"there is no table {grounding.table!r}"
    for index, allow in enumerate(task.verifier.allow):
        columns = (*allow.columns, *(allow.key or {}))
        yield from _columns(f"verifier.allow.{index}", allow.table, columns, tables)
    for table, free in task.verifier.free.items():
        yield from _columns(f"verifier.free.{table}", table, free, tables)


def _behaviour(task: Task, tools: Collection[str]) -> Iterator[tuple[str, str]]:
    """Problems of the faults and of the simulated person."""
    try:
        for index, fault in enumerate(task.faults):
            named = Fault.model_validate(fault)
            if named.tool not in tools:
                yield f"faults.{index}.tool", f"there is no tool {named.tool!r}"
        if task.user is not None:
            Person.model_validate(task.user)
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
        place = "faults" if error.title == "Fault" else "user"
        yield ".".join([place, *map(str, details["loc"])]), details["msg"]


def _columns(
    field: str, table: str, columns: Iterable[str], tables: Mapping[str, TableInfo]
) -> Iterator[tuple[str, str]]:
    if table not in tables:
        yield field, f"there is no table {table!r}"
        return
    for column in columns:
        if column not in tables[table].by_name:
            yield field, f"{table} has no column {column!r}"
