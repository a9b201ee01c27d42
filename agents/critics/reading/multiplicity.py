"""How many rows a join gives: whether a source adds at most one row to each row before it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.trees import Source, Tables, conjuncts, place_of, sources, unwrapped


def single_row(select: exp.Select, tables: Tables) -> bool:
    """Whether a SELECT certainly gives at most one row: an aggregate without groups, or every source fixed by a
    unique key."""
    if select.args.get("group") is not None:
        return False
    if any(not isinstance(part.parent, exp.Window) for part in _own(select, exp.AggFunc)):
        return True
    parts = sources(select, tables)
    return not multiplying(select, tables) and all(source.table is not None for source in parts)


def multiplying(select: exp.Select, tables: Tables) -> tuple[Source, ...]:
    """The sources that may give several rows for each row of the sources before them (the first: several rows at
    all). Sources that are not tables of the schema count as multiplying."""
    found = []
    before: set[str] = set()
    equal = list(_equalities(select, tables))
    for source in sources(select, tables):
        if source.table is None or not _fixed(source, before, equal, tables):
            found.append(source)
        before.add(source.alias)
    return tuple(found)


_Equality = tuple[str, str, frozenset[str]]
"""(alias, column, aliases that the other side needs)."""


def _equalities(select: exp.Select, tables: Tables) -> Iterator[_Equality]:
    conditions = [*conjuncts(select.args.get("where"))]
    for join in select.args.get("joins") or ():
        conditions += conjuncts(join.args.get("on"))
    for condition in conditions:
        if isinstance(condition, exp.EQ | exp.NullSafeEQ):
            for side, other in ((condition.this, condition.expression), (condition.expression, condition.this)):
                column = unwrapped(side)
                if isinstance(column, exp.Column):
                    alias = alias_of(column, select, tables)
                    if alias is not None:
                        yield alias, column.name.lower(), _aliases(other, select, tables)


def _aliases(node: exp.Expr, select: exp.Select, tables: Tables) -> frozenset[str]:
    columns = [node] if isinstance(node, exp.Column) else node.find_all(exp.Column)
    found = (alias_of(column, select, tables) for column in columns if isinstance(column, exp.Column))
    return frozenset(alias for alias in found if alias is not None)


def alias_of(column: exp.Column, select: exp.Select, tables: Tables) -> str | None:
    """Which source of `select` a column belongs to; None if to none of them (an outer query's)."""
    place = place_of(column, tables)
    for source in sources(select, tables):
        if column.table and column.table.lower() == source.alias:
            return source.alias
        if not column.table and place is not None and place.table == source.table:
            return source.alias
    return None


def _fixed(source: Source, before: set[str], equal: list[_Equality], tables: Tables) -> bool:
    """Whether a unique key of the source is equal to values known before it."""
    known = {column for alias, column, needs in equal if alias == source.alias and needs <= before}
    assert source.table is not None
    return any(set(unique) <= known for unique in tables[source.table].unique)


def _own(select: exp.Select, kind: type[exp.Expr]) -> Iterator[exp.Expr]:
    """Nodes of the select list that belong to this SELECT and to no subquery in it."""
    for column in select.expressions:
        for node in column.find_all(kind):
            if node.find_ancestor(exp.Select) is select:
                yield node


def own_aggregates(select: exp.Select) -> tuple[exp.Expr, ...]:
    """The aggregates of the select list, those of subqueries left out."""
    return tuple(node for node in _own(select, exp.AggFunc) if not isinstance(node.parent, exp.Window))
