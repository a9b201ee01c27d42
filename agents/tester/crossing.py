"""Where one actor could reach another's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import apsw

from ...environments.models import Actor
from ...environments.resolution import ResolvedTool
from .anatomy import Anatomy
from .ownership import Owner, admitted, mentions_actor, privileged_with
from .queries import READS


class Gap(NamedTuple):
    """A parameter that points at rows that an actor of `owner.role` owns or not, in a tool that does not ask."""

    owner: Owner
    tool: str
    param: str
    column: str
    listed: bool


def unguarded(anatomy: Anatomy, tool: ResolvedTool) -> Iterator[Gap]:
    """The gaps of a tool. None if anything in it depends on who calls, since that may be its guard; if it takes two
    rows of the table, one of which may well be another's (a transfer); or if it admits roles that the guarding tools
    leave out, since then it is open to the public."""
    if any(mentions_actor(query) for query in anatomy.queries[tool.name] if query.kind in READS):
        return
    roles = admitted(anatomy.spec, tool)
    for owner in anatomy.owners:
        if owner.role not in roles or tool.name in owner.guarded:
            continue
        if not set(roles) <= privileged_with(owner, anatomy.spec, anatomy.tools):
            continue
        gaps = [gap for gap in _pointing(tool, owner) if len(anatomy.tables[owner.table].primary_key) == 1]
        if len(gaps) == 1:
            yield gaps[0]


def _pointing(tool: ResolvedTool, owner: Owner) -> Iterator[Gap]:
    for name, param in tool.params.items():
        source = param.items if param.items is not None else param
        if source.ref is not None and source.ref.split(".")[0] == owner.table and source.scope is None:
            yield Gap(owner, tool.name, name, source.ref.split(".")[1], param.items is not None)


def foreign_key(anatomy: Anatomy, ref: str, where: str, actor: Actor) -> Any:
    """A row of the seed that is not the actor's: its value of the `ref` column; None if all are, or none exist."""
    table, column = ref.split(".")
    sql = f'SELECT "{table}"."{column}" FROM "{table}" WHERE ({where}\n) IS NOT TRUE ORDER BY 1'
    try:
        rows = anatomy.seed_rows(sql, actor_id=actor.id, actor_roles="[]")
    except apsw.Error:
        return None
    return rows[len(rows) // 2][0] if rows else None
