"""Can the actor find a row? By what gold's calls returned, else by calling the read tools that the actor has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import product
from typing import Any

from ...environments.episode import Episode
from ...environments.limits import Limits
from ...environments.models import Param
from ...environments.plans import Plan
from ...environments.schema import TableInfo
from .base import AuditContext

_PAGES = 5
_TRIES_A_TOOL = 6
_VALUES_A_PARAM = 3
_LIMITS = Limits(calls=5_000)


class Reach:
    """Which rows the actor's tools can return in the task's seed state."""

    def __init__(self, context: AuditContext) -> None:
        self._context = context
        self._tables = context.environment.tables()
        self._seen = [call.result.value for call in context.gold.steps]
        self._episode: Episode | None = None

    def reaches(self, table: str, id: Any) -> bool:
        """Whether the row of `table` with this key was seen by gold, or is returned by some read tool: called
        without arguments, or with what is known of the row and of the rows that it refers to, its own key aside."""
        names = self._names(table)
        if any(_shows(value, names, id) for value in self._seen):
            return True
        about = self._about(table, id)
        return any(_shows(value, names, id) for plan in self._reads() for value in self._answers(plan, table, about))

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()

    def _names(self, table: str) -> set[str]:
        """The fields under which a key of `table` shows in results."""
        key = self._tables[table].primary_key[0]
        referring = {
            column.name
            for other in self._tables.values()
            for column in other.columns
            if column.references == f"{table}.{key}"
        }
        return {key, *referring}

    def _about(self, table: str, id: Any) -> dict[str, list[Any]]:
        """Values of the row and of the rows that it refers to, up to two references away, by column."""
        found: dict[str, list[Any]] = {}
        queue = [(table, self._tables[table].primary_key[0], id, 0)]
        while queue:
            name, by, value_of, distance = queue.pop(0)
            info = self._tables[name]
            rows = self._context.reader.before.select(name, info.stored, {by: value_of})
            for column, value in zip(info.stored, rows[0], strict=True) if rows else ():
                if distance or column not in info.primary_key:
                    found.setdefault(column, []).append(value)
                parent = info.by_name[column].references
                if parent is not None and value is not None and distance < 2:
                    owner, _, key = parent.partition(".")
                    queue.append((owner, key, value, distance + 1))
                    found.setdefault(f"{owner}.", []).append(value)
        return found

    def _reads(self) -> Iterator[Plan]:
        roles = self._context.task.actor.roles
        return (plan for plan in self._context.environment.plans.values() if not plan.writes and plan.admits(roles))

    def _answers(self, plan: Plan, table: str, about: Mapping[str, list[Any]]) -> Iterator[Any]:
        required = {name: plan.tool.params[name] for name in plan.tool.required}
        options = [_candidates(name, param, table, about)[:_VALUES_A_PARAM] for name, param in required.items()]
        for values in list(product(*options))[:_TRIES_A_TOOL]:
            yield from self._pages(plan, dict(zip(required, values, strict=True)))

    def _pages(self, plan: Plan, args: dict[str, Any]) -> Iterator[Any]:
        if self._episode is None:
            context = self._context
            self._episode = context.environment.open(context.task, limits=_LIMITS)
        page = plan.tool.page
        paging = {"limit": page.max} if page else {}
        for number in range(_PAGES if page else 1):
            offset = {"offset": number * page.max} if page and number else {}
            result = self._episode.call(plan.tool.name, **args, **paging, **offset)
            if not result.ok:
                return
            yield result.value
            if not isinstance(result.value, Mapping) or result.value.get("next_offset") is None:
                return


def first_unreachable(context: AuditContext, table: str, ids: list[Any]) -> Any:
    """The first of these rows that the actor cannot find; None if all can be found."""
    with closing(Reach(context)) as reach:
        return next((id for id in ids if not reach.reaches(table, id)), None)


def _candidates(name: str, param: Param, table: str, about: Mapping[str, list[Any]]) -> list[Any]:
    """Values for a required parameter that somebody who looks for the row may have."""
    if param.ref is not None:
        parent = param.ref.partition(".")[0]
        return [] if parent == table else about.get(f"{parent}.", [])
    if param.enum is not None:
        return list(param.enum)
    same_name = [value for column, values in about.items() if column == name for value in values]
    alike = [value for column, values in about.items() if column in name or name in column for value in values]
    texts = [value for values in about.values() for value in values if isinstance(value, str)]
    found = [*same_name, *alike, *(texts if param.type == "string" else ())]
    shaped = [shape for value in found if (shape := _shaped(param, value)) is not None]
    return list(dict.fromkeys(shaped))


def _shaped(param: Param, value: Any) -> Any:
    """`value` as the parameter wants it; None where it does not fit."""
    if param.type == "string":
        if not isinstance(value, str):
            return None
        # A datetime says a date too.
        return value[: {"date": 10, "date-time": 19}.get(param.format or "", len(value))]
    fits = isinstance(value, int) if param.type == "integer" else isinstance(value, int | float)
    return value if fits and param.type in ("integer", "number") else None


def _shows(value: Any, names: set[str], id: Any, field: str = "") -> bool:
    """Whether a result holds `id` under one of these names (or as one of a list named so)."""
    if isinstance(value, Mapping):
        return any(_shows(inner, names, id, key) for key, inner in value.items())
    if isinstance(value, list):
        return any(_shows(inner, names, id, field.removesuffix("s")) for inner in value)
    return bool(value == id) and (field in names or any(field.endswith(f"_{name}") for name in names))


def key_tables(tables: Mapping[str, TableInfo]) -> dict[str, str]:
    """`table.column` → the table whose rows it names: single keys, and the columns that refer to them."""
    found = {
        f"{table.name}.{table.primary_key[0]}": table.name
        for table in tables.values()
        if len(table.primary_key) == 1 and not table.view
    }
    referring = {
        f"{table.name}.{column.name}": found[column.references]
        for table in tables.values()
        for column in table.columns
        if column.references in found
    }
    return found | referring
