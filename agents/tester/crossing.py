"""Where one actor could reach another's rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import apsw
from sqlglot import exp

from ...environments.models import Actor
from ...environments.resolution import ResolvedTool
from .anatomy import Anatomy
from .ownership import Owner, admitted, mentions_actor, privileged_with
from .queries import READS, Query
from .trees import conjuncts, place_of, sources


class Gap(NamedTuple):
    """A parameter that points at rows that an actor of `owner.role` owns or not, in a tool that does not ask."""

    owner: Owner
    tool: str
    param: str
    column: str
    listed: bool


def unguarded(anatomy: Anatomy, tool: ResolvedTool) -> Iterator[Gap]:
    """The gaps of a tool. None for a role if anything that binds it depends on who calls, since that may be its
    guard; if the tool takes two rows of the table, one of which may well be another's (a transfer); or if the tool is
    open to a role that guards nowhere hold back, since then the rows are public."""
    for owner in anatomy.owners:
        if owner.role not in admitted(anatomy.spec, tool) or _asks(anatomy, tool, owner.role):
            continue
        if not _public(anatomy, tool, owner) and len(anatomy.tables[owner.table].primary_key) == 1:
            gaps = list(_pointing(tool, owner))
            if len(gaps) == 1:
                yield gaps[0]


def _asks(anatomy: Anatomy, tool: ResolvedTool, role: str) -> bool:
    """Whether something in the tool that binds actors of a role depends on who calls."""
    return any(
        mentions_actor(query) and (query.roles is None or role in query.roles)
        for query in anatomy.queries[tool.name]
        if query.kind in READS
    )


def _public(anatomy: Anatomy, tool: ResolvedTool, owner: Owner) -> bool:
    trusted = privileged_with(owner, anatomy.spec, anatomy.tools)
    others = set(admitted(anatomy.spec, tool)) - {owner.role}
    return any(role not in trusted and not _asks(anatomy, tool, role) for role in others)


def _pointing(tool: ResolvedTool, owner: Owner) -> Iterator[Gap]:
    for name, param in tool.params.items():
        source = param.items if param.items is not None else param
        if source.ref is None or source.ref.split(".")[0] != owner.table:
            continue
        if source.scope is None or (source.scope.roles is not None and owner.role not in source.scope.roles):
            yield Gap(owner, tool.name, name, source.ref.split(".")[1], param.items is not None)


def reads_are_private(anatomy: Anatomy, owner: Owner) -> bool:
    """Whether actors of the role see only their own rows elsewhere: another read asks whose the row is, or lists show
    them only the rows whose owner column is theirs."""
    if any(anatomy.tools[name].kind == "read" for name in owner.guarded):
        return True
    own = re.fullmatch(r"\s*(?:\w+\.)?(\w+)\s*=\s*:actor_id\s*", owner.where)
    shown = [query for query in anatomy.all_queries() if query.kind == "many" and _shows(anatomy, query, owner)]
    return own is not None and bool(shown) and all(_only_own(anatomy, query, owner.table, own[1]) for query in shown)


def _shows(anatomy: Anatomy, query: Query, owner: Owner) -> bool:
    tool = anatomy.tools[query.tool]
    if owner.role not in admitted(anatomy.spec, tool) or not isinstance(query.tree, exp.Select):
        return False
    return any(source.table == owner.table for source in sources(query.tree, anatomy.tables))


def _only_own(anatomy: Anatomy, query: Query, table: str, column: str) -> bool:
    assert query.tree is not None
    for part in conjuncts(query.tree.args.get("where")):
        if isinstance(part, exp.EQ):
            for side, other in ((part.this, part.expression), (part.expression, part.this)):
                asks = isinstance(other, exp.Placeholder) and other.name == "actor_id"
                if asks and place_of(side, anatomy.tables) == (table, column):
                    return True
    return False


def foreign_key(anatomy: Anatomy, ref: str, where: str, actor: Actor) -> Any:
    """A row of the seed that is not the actor's: its value of the `ref` column; None if all are, or none exist."""
    table, column = ref.split(".")
    sql = f'SELECT "{table}"."{column}" FROM "{table}" WHERE ({where}\n) IS NOT TRUE ORDER BY 1'
    try:
        rows = anatomy.seed_rows(sql, actor_id=actor.id, actor_roles=json.dumps(actor.roles))
    except apsw.Error:
        return None
    return rows[len(rows) // 2][0] if rows else None
