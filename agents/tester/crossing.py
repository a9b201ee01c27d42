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
from .queries import RESULTS, Query, bound_names
from .trees import conjuncts, place_of, sources

_ACTOR = frozenset({"actor_id", "actor_roles"})


class Gap(NamedTuple):
    """A parameter that points at rows that an actor of `owner.role` owns or not, in a tool that does not ask."""

    owner: Owner
    tool: str
    param: str
    column: str
    listed: bool


def unguarded(anatomy: Anatomy, tool: ResolvedTool) -> Iterator[Gap]:
    """The gaps of a tool. None for a role if anything that binds it depends on who calls, since that may be its
    guard; if the tool takes two rows of the table, one of which may well be another's (a transfer); or if it is open
    to a role that guards nowhere hold back, since then the rows are public."""
    for owner in anatomy.owners:
        if owner.role not in admitted(anatomy.spec, tool) or len(anatomy.tables[owner.table].primary_key) != 1:
            continue
        gaps = list(_pointing(anatomy, tool, owner))
        if (
            len(gaps) == 1
            and not _asks(anatomy, tool, owner.role, gaps[0].param)
            and not _public(anatomy, tool, owner)
        ):
            yield gaps[0]


def _asks(anatomy: Anatomy, tool: ResolvedTool, role: str, param: str | None = None) -> bool:
    """Whether something in the tool that binds actors of a role depends on who calls (and on `param`, if given)."""
    names = anatomy.names[tool.name]
    for query in anatomy.queries[tool.name]:
        bound = _deciding(anatomy, query)
        binds = query.roles is None or role in query.roles
        if binds and _ACTOR & bound and (param is None or any(param in names.behind(name) for name in bound)):
            return True
    return False


def _deciding(anatomy: Anatomy, query: Query) -> frozenset[str]:
    """The names that a query decides by: those of guards and scopes, of a result's conditions, and of look-ups, where
    they do more than take the caller for want of another."""
    if query.tree is None or query.kind == "do":
        return frozenset()
    if query.kind in RESULTS:
        parts = conjuncts(query.tree.args.get("where"))
        return frozenset(name for part in parts if not _sorts_rows(anatomy, part) for name in bound_names(part))
    condition = query.tree.selects[0] if isinstance(query.tree, exp.Select) and query.tree.selects else None
    if query.kind == "let" and isinstance(condition, exp.Coalesce):
        return frozenset()
    return query.names


def _sorts_rows(anatomy: Anatomy, part: exp.Expr) -> bool:
    """Whether a condition keeps some rows for some roles ("internal comments are for staff"): whose they are it does
    not ask."""
    columns = (place_of(column, anatomy.tables) for column in part.find_all(exp.Column))
    return bound_names(part) & _ACTOR == {"actor_roles"} and any(place is not None for place in columns)


def _public(anatomy: Anatomy, tool: ResolvedTool, owner: Owner) -> bool:
    trusted = privileged_with(owner, anatomy.spec, anatomy.tools)
    others = set(admitted(anatomy.spec, tool)) - {owner.role}
    return any(role not in trusted and not _asks(anatomy, tool, role) for role in others)


def _pointing(anatomy: Anatomy, tool: ResolvedTool, owner: Owner) -> Iterator[Gap]:
    """Parameters that point at rows of the table and are not checked: of several, those that other tools check."""
    pointing = {
        name: source
        for name, param in tool.params.items()
        for source in [param.items if param.items is not None else param]
        if source.ref is not None and source.ref.split(".")[0] == owner.table
    }
    for name, source in pointing.items():
        scope = source.scope
        checked = scope is not None and (scope.roles is None or owner.role in scope.roles)
        known = _names_own(anatomy, tool, owner, name) if owner.people else len(pointing) == 1 or name in owner.params
        if known and not checked and source.ref is not None:
            yield Gap(owner, tool.name, name, source.ref.split(".")[1], source is not tool.params[name])


def _names_own(anatomy: Anatomy, tool: ResolvedTool, owner: Owner, param: str) -> bool:
    """Whether a parameter that points at people must name the caller: as in two tools that check it, or in one if
    the person's own row is read or changed. What only picks among rows that are nobody's own need not, whatever it is
    called."""
    times = owner.params.count(param)
    about = any(_is_about(anatomy, query, owner.table) for query in anatomy.queries[tool.name])
    return (times == 1 and about) or (times > 1 and (about or not _picks_public(anatomy, tool, owner, param)))


def _picks_public(anatomy: Anatomy, tool: ResolvedTool, owner: Owner, param: str) -> bool:
    """Whether a tool lists rows that no tool asks for their owner, all of them where the parameter is left out."""
    if tool.kind != "read" or param in tool.required or any(map(mentions_actor, anatomy.queries[tool.name])):
        return False
    owned = [each.table for each in anatomy.owners if each.role == owner.role]
    shown = [query for query in anatomy.queries[tool.name] if query.kind in RESULTS]
    asked = [*owned, *_shown_by_own(anatomy, owner)]
    return bool(shown) and not any(_is_about(anatomy, query, table) for query in shown for table in asked)


def _shown_by_own(anatomy: Anatomy, owner: Owner) -> Iterator[str]:
    """Tables whose rows some read picks by a person that it checks to be the caller. What shows a row that it just
    made for the caller says nothing of others' rows."""
    for name in owner.guarded:
        checked = set(anatomy.tools[name].params) & set(owner.params)
        for query in anatomy.queries[name] if anatomy.tools[name].kind == "read" else ():
            behind = {each for bound in _deciding(anatomy, query) for each in anatomy.names[name].behind(bound)}
            if query.kind in RESULTS and query.tree is not None and checked & behind:
                yield from (each.table for each in sources(query.tree, anatomy.tables)[:1] if each.table is not None)


def _is_about(anatomy: Anatomy, query: Query, table: str) -> bool:
    if query.tree is None or query.kind not in (*RESULTS, "do"):
        return False
    first = sources(query.tree, anatomy.tables)[:1]
    return bool(first) and first[0].table == table


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
