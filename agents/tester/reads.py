"""Reading a world through its tools: whole lists, in the seed state, as one actor sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlglot import exp

from ...environments.models import Actor
from ...environments.resolution import ResolvedTool
from .anatomy import Anatomy
from .ownership import admitted
from .stage import Stage
from .trees import place_of
from .trials import Trials

_MOST = 1_000


class Listing(NamedTuple):
    """A list without optional arguments: who asked, with what, and every item."""

    tool: ResolvedTool
    actor: Actor
    args: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...]


def listing(anatomy: Anatomy, trials: Trials, tool: ResolvedTool) -> Listing | None:
    """A whole list of the tool, of at least two items; None if no call gave one."""
    largest = {"limit": tool.page.max} if tool.page is not None else {}
    optional = frozenset(tool.params) - set(tool.required) | {"offset", "sort"}
    trial = trials.through(
        tool,
        fixed=largest,
        without=optional,
        accept=lambda done: (
            2 <= len(done.result.value["items"]) == done.result.value.get("total", 0)
            if tool.page is not None
            else 2 <= len(done.result.value["items"]) < _MOST
        ),
        tries=16,
    )
    if trial is None:
        return None
    args = {name: value for name, value in trial.step.args.items() if name != "limit"}
    return Listing(tool, trial.step.actor, args, tuple(trial.outcome.result.value["items"]))


def pages(stage: Stage, found: Listing, size: int) -> list[Mapping[str, Any]]:
    """The list page by page, `size` items each."""
    items: list[Mapping[str, Any]] = []
    offset: int | None = 0
    while offset is not None and len(items) <= len(found.items):
        result = stage.call(found.tool.name, {**found.args, "limit": size, "offset": offset}, found.actor).result
        if not result.ok:
            break
        items += result.value["items"]
        offset = result.value["next_offset"]
    return items


def listed_table(anatomy: Anatomy, tool: ResolvedTool) -> str | None:
    """The table whose key a read shows as `id`; None if it shows none."""
    query = next((query for query in anatomy.queries[tool.name] if query.kind in ("one", "many")), None)
    if query is None or not isinstance(query.tree, exp.Select):
        return None
    for column in query.tree.selects:
        if column.alias_or_name == "id":
            place = place_of(column.this if isinstance(column, exp.Alias) else column, anatomy.tables)
            keyed = place is not None and anatomy.tables[place.table].primary_key == (place.column,)
            return place.table if place is not None and keyed else None
    return None


def may_call(anatomy: Anatomy, tool: ResolvedTool, actor: Actor) -> bool:
    return not set(admitted(anatomy.spec, tool)).isdisjoint(actor.roles)
