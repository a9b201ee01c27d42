"""Whose a row is, read from the tools' own guards: where some tool lets an actor touch only its own rows of a table,
the rows of that table have owners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlglot import exp

from ...environments.models import EnvironmentSpec, Param
from ...environments.resolution import ResolvedTool
from .queries import Query
from .trees import Tables, conjuncts, parse, place_of, render, sources, unwrapped


class Owner(NamedTuple):
    """For actors of `role`, rows of `table` are their own where `where` holds (SQL over the table's columns and
    `:actor_id`). `guarded` are the tools that check it, `params` their parameters that must point at one's own row,
    one entry a tool. `people`: the rows are people, who may be named for many reasons."""

    table: str
    role: str
    where: str
    guarded: tuple[str, ...]
    params: tuple[str, ...]
    people: bool = False


class _Guard(NamedTuple):
    """`roles` are those it binds, `free` those that may call the tool and that it leaves out by name."""

    table: str
    where: str
    roles: tuple[str, ...]
    free: tuple[str, ...]
    tool: str
    param: str | None = None

    @property
    def meant(self) -> bool:
        """Whether it binds its roles on purpose: it names them, or the tool admits no other."""
        return bool(self.free) or len(self.roles) == 1


def owners(
    spec: EnvironmentSpec, tools: Mapping[str, ResolvedTool], queries: Iterable[Query], tables: Tables
) -> tuple[Owner, ...]:
    """The owned tables by role. Where guards differ, the condition that most tools check. A role that some guard of
    the table leaves out by name owns rows only if another guard means it."""
    found: dict[tuple[str, str], list[_Guard]] = {}
    actors = {role.table for role in spec.roles.values()}
    guards = [*_scope_guards(spec, tools), *_require_guards(spec, tools, queries, tables)]
    free = {(guard.table, role) for guard in guards for role in guard.free}
    for guard in guards:
        for role in guard.roles if guard.table not in actors or guard.param is not None else ():
            found.setdefault((guard.table, role), []).append(guard)
    return tuple(
        _owner(table, role, found[table, role], table in actors)
        for table, role in sorted(found)
        if (table, role) not in free or any(guard.meant for guard in found[table, role])
    )


def _owner(table: str, role: str, guards: list[_Guard], people: bool) -> Owner:
    counts = Counter(guard.where for guard in guards)
    where = max(sorted(counts), key=lambda each: counts[each])
    params = tuple(sorted(guard.param for guard in guards if guard.param is not None))
    return Owner(table, role, where, tuple(sorted({guard.tool for guard in guards})), params, people)


def privileged_with(owner: Owner, spec: EnvironmentSpec, tools: Mapping[str, ResolvedTool]) -> frozenset[str]:
    """The roles for which rows of the table are nothing public: those that the guarding tools admit."""
    return frozenset(role for name in owner.guarded for role in admitted(spec, tools[name]))


def admitted(spec: EnvironmentSpec, tool: ResolvedTool) -> tuple[str, ...]:
    """The roles that may call a tool."""
    return tool.roles if tool.roles is not None else tuple(spec.roles)


def _scope_guards(spec: EnvironmentSpec, tools: Mapping[str, ResolvedTool]) -> Iterator[_Guard]:
    for tool in tools.values():
        for name, param in tool.params.items():
            source: Param = param.items if param.items is not None else param
            if source.scope is None or source.ref is None or ":actor_id" not in source.scope.where:
                continue
            table, may = source.ref.split(".")[0], admitted(spec, tool)
            roles = tuple(role for role in source.scope.roles or may if role in may)
            free = tuple(role for role in may if role not in roles)
            yield _Guard(table, plain(source.scope.where, table), roles, free, tool.name, name)


def _require_guards(
    spec: EnvironmentSpec, tools: Mapping[str, ResolvedTool], queries: Iterable[Query], tables: Tables
) -> Iterator[_Guard]:
    for query in queries:
        if query.kind != "require" or query.tree is None or ":actor_id" not in query.sql:
            continue
        tool = tools[query.tool]
        may = admitted(spec, tool)
        roles = tuple(role for role in query.roles or may if role in may)
        free = tuple(role for role in may if role not in roles)
        for table, column in _own_columns(query.tree, tables):
            yield _Guard(table, f"{column} = :actor_id", roles, free, tool.name)


def plain(where: str, table: str) -> str:
    """A condition without the table's name in front of its columns, where it reads no other table."""
    tree = parse(f"SELECT 1 FROM {table} WHERE {where}")
    if tree is None or len(list(tree.find_all(exp.Select))) > 1:
        return where
    copied = tree.copy()
    for column in copied.find_all(exp.Column):
        column.set("table", None)
    return render(copied.args["where"].this)


def _own_columns(tree: exp.Expr, tables: Tables) -> Iterator[tuple[str, str]]:
    """Columns that a guard holds against the actor, of the row that a parameter points at."""
    for condition in tree.find_all(exp.EQ):
        place = place_of(_against_actor(condition), tables)
        if place is not None and _by_key(condition, place.table, tables):
            yield place


def _against_actor(condition: exp.EQ) -> exp.Expr | None:
    left, right = unwrapped(condition.this), unwrapped(condition.expression)
    for column, other in ((left, right), (right, left)):
        if isinstance(other, exp.Placeholder) and other.name == "actor_id":
            return column
    return None


def _by_key(condition: exp.Expr, table: str, tables: Tables) -> bool:
    """Whether the query around picks one row of the table by its key."""
    scope = condition.find_ancestor(exp.Select)
    if scope is None or not any(source.table == table for source in sources(scope, tables)):
        return False
    key = tables[table].primary_key
    for part in conjuncts(scope.args.get("where")):
        if isinstance(part, exp.EQ) and part is not condition:
            for side, other in ((part.this, part.expression), (part.expression, part.this)):
                place = place_of(unwrapped(side), tables)
                if place is not None and place.table == table and (place.column,) == key and _bound(other):
                    return True
    return False


def _bound(node: exp.Expr) -> bool:
    plain = unwrapped(node)
    return isinstance(plain, exp.Placeholder) and plain.name not in {"actor_id", "now", "today"}


def mentions_actor(query: Query) -> bool:
    """Whether a query depends on who calls."""
    return query.tree is not None and bool({"actor_id", "actor_roles"} & query.names)
