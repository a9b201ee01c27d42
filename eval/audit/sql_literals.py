"""The constants that SQL holds, and the columns that they are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ..sql_trees import parsed

Value = int | float | str

_MODIFIER = re.compile(r"[+-]?\d+(\.\d+)? *(second|minute|hour|day|month|year)s?|start of \w+|weekday \d|auto", re.I)
_UNIT_FACTORS = frozenset({7, 12, 24, 60, 100, 1000, 1440, 3600, 86400})
_COMPARISONS = (exp.EQ, exp.NEQ, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.In)


class Compared(NamedTuple):
    """A column, and the tables it may belong to (one, if it is qualified)."""

    tables: tuple[str, ...]
    column: str


class Constant(NamedTuple):
    """A constant; `compared` is the column that it is set equal to, if it is, texts also by `same_text`."""

    value: Value
    compared: Compared | None = None


@lru_cache(maxsize=2048)
def constants(sql: str) -> tuple[Constant, ...]:
    """The constants of a query or condition that carry meaning, in order of appearance.

    Left out: LIMIT and OFFSET, what SELECT lists without comparing (`EXISTS (SELECT 1 …)`), JSON paths, formats,
    modifiers of dates, positions in texts (`substr(x, 1, 10)`), digits of round, and factors between units
    (`/ 100.0`). SQL that does not parse has none: whatever runs it reports it.
    """
    tree = parsed(sql)
    if tree is None:
        return ()
    return tuple(
        Constant(literal_value(literal), _compared(literal))
        for literal in tree.find_all(exp.Literal, bfs=False)
        if not _structural(literal)
    )


@lru_cache(maxsize=1024)
def plain_constants(sql: str) -> frozenset[Value]:
    """Every string and number in any SQL text, definitions of tables included."""
    try:
        found = sqlglot.tokenize(sql, read="sqlite")
    except SqlglotError:
        return frozenset()
    strings = {token.text for token in found if token.token_type.name == "STRING"}
    return frozenset(strings | {_number(token.text) for token in found if token.token_type.name == "NUMBER"})


@lru_cache(maxsize=1024)
def listed_constants(definition: str) -> frozenset[Value]:
    """The texts in a table's definition, and the numbers that its clauses list or set: bounds and lengths are left
    out. All constants of one that does not parse."""
    tree = parsed(definition)
    if tree is None:
        return plain_constants(definition)
    return frozenset(
        literal_value(literal)
        for literal in tree.find_all(exp.Literal)
        if literal.is_string or isinstance(literal.parent, (*_COMPARISONS, exp.DefaultColumnConstraint))
    )


def owners(compared: Compared, columns: Mapping[str, Iterable[str]]) -> Sequence[str]:
    """The table that the column belongs to, of the innermost query that has one; `columns` maps each table to its
    columns. Empty for a column that none has."""
    return [table for table in compared.tables if compared.column in columns.get(table, ())][:1]


def _structural(literal: exp.Literal) -> bool:
    parent = literal.parent
    if isinstance(parent, exp.Limit | exp.Offset | exp.Select | exp.JSONPath | exp.TimeToStr):
        return True
    if not literal.is_string:
        return _of_form(literal)
    return _is_format(literal) or bool(_MODIFIER.fullmatch(literal.this) or literal.this.startswith("$"))


def _is_format(text: exp.Literal) -> bool:
    call = text.parent
    if isinstance(call, exp.Anonymous):
        return str(call.name).lower() == "printf" and call.expressions[0] is text
    return isinstance(call, exp.Format) and call.this is text


def _of_form(number: exp.Literal) -> bool:
    """Whether a number is a position in a text, digits to round to, or a factor between units."""
    parent = number.parent
    while isinstance(parent, exp.Neg | exp.Paren):
        parent = parent.parent
    if isinstance(parent, exp.Mul | exp.Div | exp.IntDiv | exp.Mod):
        return _number(number.this) in _UNIT_FACTORS
    return isinstance(parent, exp.Substring | exp.Round)


def literal_value(literal: exp.Expr) -> Value:
    return str(literal.this) if literal.is_string else _number(str(literal.this))


def _number(text: str) -> Value:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def _compared(literal: exp.Literal) -> Compared | None:
    parent = literal.parent
    if isinstance(parent, _COMPARISONS):
        other = parent.this if parent.this is not literal else parent.args.get("expression")
    elif is_same_text(parent):
        other = next((side for side in parent.expressions if side is not literal), None)
    else:
        return None
    return compared_column(other) if isinstance(other, exp.Column) else None


def is_same_text(node: exp.Expr | None) -> TypeGuard[exp.Anonymous]:
    """Whether a node is a call of `same_text`, which sets its two sides equal but for spelling."""
    return isinstance(node, exp.Anonymous) and str(node.name).lower() == "same_text" and len(node.expressions) == 2


def compared_column(column: exp.Column) -> Compared:
    """The column with the tables around it: those of its own SELECT and of the SELECTs that hold it."""
    names: dict[str, None] = {}
    select = column.find_ancestor(exp.Select)
    while select is not None:
        for source in _sources(select):
            if not column.table or source.alias_or_name == column.table:
                names[source.name] = None
        select = select.find_ancestor(exp.Select)
    return Compared(tuple(names), column.name)


def _sources(select: exp.Expression) -> list[exp.Table]:
    joins = [join.this for join in select.args.get("joins") or ()]
    start = select.args.get("from_") or select.args.get("from")
    found = [start.this, *joins] if start is not None else joins
    return [source for source in found if isinstance(source, exp.Table)]


def equalities(condition: str, bound: Mapping[str, Any]) -> dict[str, Any]:
    """What a condition sets its columns equal to, texts also by `same_text`: constants, and names that are `bound`. Of
    several the first."""
    tree = parsed(condition)
    if tree is None:
        return {}
    found: dict[str, Any] = {}
    for test in tree.find_all(exp.EQ, exp.Is, exp.In, exp.Anonymous, bfs=False):
        for column, value in _sides(test):
            if not isinstance(column, exp.Column) or column.name in found:
                continue
            if isinstance(value, exp.Literal):
                found[column.name] = literal_value(value)
            elif isinstance(value, exp.Placeholder) and value.name in bound:
                found[column.name] = bound[value.name]
    return found


def _sides(test: exp.Expr) -> list[tuple[Any, Any]]:
    """What a comparison holds against each other, either way round."""
    if isinstance(test, exp.Anonymous):
        first, others = (test.expressions[0], test.expressions[1:]) if is_same_text(test) else (None, ())
    else:
        first, others = test.this, (test.args.get("expression"), *(test.args.get("expressions") or ()))
    return [(first, other) for other in others] + [(other, first) for other in others]


def first_table(sql: str) -> str | None:
    """The table that the first result column of a query comes from; None where that cannot be told."""
    tree = parsed(sql)
    if tree is None:
        return None
    select = tree.find(exp.Select)
    if select is None or not select.expressions:
        return None
    column = select.expressions[0].find(exp.Column)
    sources = _sources(select)
    named = [source.name for source in sources if column is not None and source.alias_or_name == column.table]
    return named[0] if named else sources[0].name if len(sources) == 1 else None
