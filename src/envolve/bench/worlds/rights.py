"""Which tasks touch the rights of two roles.

A task does, if one of these holds:

- **a guard by role**: a write call of its gold goes through a `require` that is for some roles only, or whose SQL asks
  for the actor's roles. (Scopes of parameters do not count: they say whose row it is, not which role may do it.)
- **on behalf**: a write call of its gold changes a row that refers to somebody else, and none of the roles that this
  person holds may call that tool.
- **refused by role**: it is a refusal, and in its twin somebody of another role asks the same.

For a refusal the calls are those of its twin, which show what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from envolve.environments.gold import ExecutedCall, GoldRun
from envolve.environments.models import Actor, RowChange
from envolve.environments.package import Environment
from envolve.environments.plans import Condition
from envolve.environments.verification import StateReader
from envolve.eval.units import Unit

_ASKS_ROLES = ":actor_roles"


def touches_two_roles(environment: Environment, unit: Unit, run: GoldRun) -> bool:
    """`run`: of the gold of the task, or of the twin where it is a refusal."""
    asked = unit.twin or unit.task
    if unit.twin is not None and set(unit.twin.actor.roles) != set(unit.task.actor.roles):
        return True
    writes = [call for call in run.steps if call.result.ok and environment.writes(call.call)]
    if any(guarded_by_role(environment, call.call) for call in writes):
        return True
    with StateReader(environment, run.after, actor=asked.actor) as reader:
        return any(_on_behalf(environment, call, asked.actor, reader) for call in writes)


def guarded_by_role(environment: Environment, tool: str) -> bool:
    """Whether a guard of the tool depends on the role of who calls it."""
    conditions = [step for step in environment.plans[tool].steps if isinstance(step, Condition)]
    return any(step.roles is not None or _ASKS_ROLES in step.statement.sql for step in conditions)


def _on_behalf(environment: Environment, call: ExecutedCall, actor: Actor, reader: StateReader) -> bool:
    plan = environment.plans[call.call]
    return any(not plan.admits(held) for held in _held_by_others(environment, call, actor, reader))


def _held_by_others(
    environment: Environment, call: ExecutedCall, actor: Actor, reader: StateReader
) -> Iterator[tuple[str, ...]]:
    """The roles of each other person that a changed row refers to."""
    for change in call.changes:
        for column, table in _referring(environment, change.table):
            for (person,) in reader.query(f'SELECT "{column}" FROM before."{change.table}" WHERE {_key(change)}'):
                if isinstance(person, int) and (table, person) != (environment.actor_table(actor), actor.id):
                    yield from filter(None, [_roles(environment, table, person, reader)])


def _referring(environment: Environment, table: str) -> Iterator[tuple[str, str]]:
    """Columns of a table that refer to those who act, and the table in which these stand."""
    people = {role.table for role in environment.spec.roles.values()}
    for reference in environment.tables()[table].references:
        if reference.table in people and len(reference.columns) == 1:
            yield reference.columns[0], reference.table


def _key(change: RowChange) -> str:
    return " AND ".join(f'"{name}" = {_quoted(value)}' for name, value in change.key.items())


def _roles(environment: Environment, table: str, person: int, reader: StateReader) -> tuple[str, ...]:
    key = environment.tables()[table].primary_key[0]
    return tuple(
        name
        for name, role in environment.spec.roles.items()
        if role.table == table
        and reader.query(f'SELECT 1 FROM before."{table}" WHERE "{key}" = {person} AND ({role.where or "1"})')
    )


def _quoted(value: object) -> str:
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
