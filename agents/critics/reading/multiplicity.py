"""How many rows a join gives: which sources are settled once some others are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from ...tester.trees import Source, Tables, conjuncts, place_of, sources, text_of, unwrapped


def single_row(select: exp.Select, tables: Tables) -> bool:
    """Whether a SELECT certainly gives at most one row: an aggregate without groups, or every source is settled by
    unique keys and bound values."""
    if select.args.get("group") is not None:
        return False
    if own_aggregates(select):
        return True
    return not unsettled(select, tables)


def unsettled(select: exp.Select, tables: Tables, given: str | None = None) -> tuple[Source, ...]:
    """The sources that may give several rows, for one row of the source with the alias `given` (None: at all). Those
    that are no tables of the schema (subqueries, json_each) always count."""
    parts = sources(select, tables)
    facts = _Facts(tuple(_equalities(select, tables)), frozenset(text_of(each) for each in _conditions(select)))
    settled = {given} if given is not None else set[str]()
    while True:
        more = {part.alias for part in parts if part.alias not in settled and _fixed(part, settled, facts, tables)}
        if not more:
            return tuple(part for part in parts if part.alias not in settled)
        settled |= more


class _Equality(NamedTuple):
    """`alias.column` is equal to something that is known once the sources `needs` are."""

    alias: str
    column: str
    needs: frozenset[str]


class _Facts(NamedTuple):
    """What the conditions of a SELECT say. `conditions` are their texts without qualifying tables."""

    equal: tuple[_Equality, ...]
    conditions: frozenset[str]


def _conditions(select: exp.Select) -> Iterator[exp.Expr]:
    yield from conjuncts(select.args.get("where"))
    for join in select.args.get("joins") or ():
        yield from conjuncts(join.args.get("on"))


def _equalities(select: exp.Select, tables: Tables) -> Iterator[_Equality]:
    for condition in _conditions(select):
        for left, right in _equated(condition):
            for side, other in ((left, right), (right, left)):
                column = _folded(side)
                alias = alias_of(column, select, tables) if isinstance(column, exp.Column) else None
                if alias is not None:
                    yield _Equality(alias, column.name.lower(), _aliases(other, select, tables))


def _equated(condition: exp.Expr) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """Two things that a condition makes equal; texts may be so but for case."""
    if isinstance(condition, exp.EQ | exp.NullSafeEQ):
        yield condition.this, condition.expression
    elif isinstance(condition, exp.Anonymous) and condition.name.lower() == "same_text":
        yield condition.expressions[0], condition.expressions[1]


def _folded(side: exp.Expr) -> exp.Expr:
    """A column, also where only its case is taken away."""
    plain = unwrapped(side)
    if isinstance(plain, exp.Upper | exp.Lower | exp.Trim):
        return unwrapped(plain.this)
    folds = isinstance(plain, exp.Anonymous) and plain.name.lower() == "fold"
    return unwrapped(plain.expressions[0]) if folds else plain


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


def _fixed(source: Source, settled: set[str], facts: _Facts, tables: Tables) -> bool:
    """Whether a unique key of the source is equal to what the settled sources and bound values say; a key among some
    rows only where the query keeps to such rows."""
    if source.table is None:
        return False
    known = {each.column for each in facts.equal if each.alias == source.alias and each.needs <= settled}
    table = tables[source.table]
    keys = [*table.unique, *(key for key, condition in table.unique_where if _holds(condition, known, facts))]
    return any(set(key) <= known for key in keys)


def _holds(condition: str, known: set[str], facts: _Facts) -> bool:
    """Whether a query keeps to rows that meet a condition, told by its own conditions in the same words."""
    return all(
        text_of(each) in facts.conditions or _not_null(each) in known or _among(each, facts)
        for each in conjuncts(sqlglot.parse_one(condition, read="sqlite"))
    )


def _not_null(condition: exp.Expr) -> str | None:
    """The column that must have a value: one that is equal to something has."""
    inner = condition.this if isinstance(condition, exp.Not) else None
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return str(inner.this.name).lower()
    return None


def _among(condition: exp.Expr, facts: _Facts) -> bool:
    """`kind IN ('a', 'b')` where the query says `kind = 'a'`."""
    if not isinstance(condition, exp.In):
        return False
    return any(
        text_of(exp.EQ(this=condition.this, expression=value)) in facts.conditions for value in condition.expressions
    )


def own_aggregates(select: exp.Select) -> tuple[exp.Expr, ...]:
    """The aggregates of the select list, those of subqueries and window functions left out."""
    return tuple(
        node
        for column in select.expressions
        for node in column.find_all(exp.AggFunc)
        if node.find_ancestor(exp.Select) is select and not isinstance(node.parent, exp.Window)
    )
