"""Rows that nearly fit what an instruction says: the ones a careless solver takes instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..models import Task
from ..sql_text import SqlProblem
from ..verification import StateReader
from .sql_shape import joins, parse

if TYPE_CHECKING:
    from sqlglot import exp

    from ..package import Environment

_MOST = 20
_MOST_READ = 2_000


def near_misses(environment: Environment, task: Task) -> int:
    """Over all referring phrases, the rows that all attributes but one of the phrase's query fit (20 at most each).

    An attribute is a condition that the query's WHERE demands, joins of columns aside; the row is its first column.
    """
    queries = [ground.sql for ground in task.grounding.values() if ground.sql is not None]
    if not queries:
        return 0
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        return sum(min(_MOST, len(_near(reader, sql))) for sql in queries)


def _near(reader: StateReader, sql: str) -> set[object]:
    try:
        exact = {row[0] for row in reader.query(sql)}
        return {row[0] for relaxed in _relaxed(sql) for row in reader.query(relaxed)} - exact
    except SqlProblem:
        return set()


def _relaxed(sql: str) -> Iterator[str]:
    """The query once for each attribute, without it."""
    from sqlglot import exp

    tree = parse(sql)
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    if tree is None or where is None:
        return
    tests = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    for left_out in tests:
        if not joins(left_out):
            yield _with(tree, [test for test in tests if test is not left_out])


def _with(tree: exp.Expr, tests: list[exp.Expr]) -> str:
    from sqlglot import exp

    query = tree.copy()
    query.set("where", exp.Where(this=exp.and_(*(test.copy() for test in tests))) if tests else None)
    query.set("limit", exp.Limit(expression=exp.Literal.number(_MOST_READ)))
    return query.sql(dialect="sqlite")
