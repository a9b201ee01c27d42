"""What SQL asks for, from its syntax tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

_REFERENCE = re.compile(r"\$([a-z][a-z0-9_]*)")


def parse(sql: str) -> exp.Expr | None:
    """The syntax tree of one statement; None if it cannot be read."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(_REFERENCE.sub(r'"\1"', sql), dialect="sqlite")
    except SqlglotError:
        return None


def aggregates(sql: str) -> bool:
    """Whether a query compares or combines rows: aggregate functions, grouping, or the first by some order."""
    from sqlglot import exp

    tree = parse(sql)
    return tree is not None and tree.find(exp.AggFunc, exp.Group, exp.Order) is not None


def conditions(sql: str) -> int:
    """How many comparisons the WHERE and HAVING clauses of a query make; joins of columns do not count."""
    from sqlglot import exp

    tree = parse(sql)
    if tree is None:
        return 0
    clauses = list(tree.find_all(exp.Where, exp.Having))
    return len({id(test) for clause in clauses for test in clause.find_all(exp.Predicate) if not joins(test)})


def joins(test: exp.Expr) -> bool:
    """Whether a condition merely equates two columns."""
    from sqlglot import exp

    return isinstance(test, exp.EQ) and isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Column)
