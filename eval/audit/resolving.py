"""What the referring phrases of an instruction resolve to."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ...environments.models import Grounding
from ...environments.verification import SqlProblem
from .base import AuditContext
from .language import has_phrase
from .sql_literals import first_table


class Resolved(NamedTuple):
    """A phrase, the table and the keys of the rows that it means, and what is wrong with it (empty: nothing)."""

    phrase: str
    table: str | None
    ids: list[Any]
    problem: str = ""


def resolved_phrases(context: AuditContext) -> list[Resolved]:
    return [_resolve(context, phrase, grounding) for phrase, grounding in context.task.grounding.items()]


def _resolve(context: AuditContext, phrase: str, grounding: Grounding) -> Resolved:
    if not has_phrase(context.said, phrase):
        return Resolved(phrase, None, [], "is not in the instruction")
    if grounding.expect == "created":
        known = grounding.bind in context.task.verifier.bind
        return Resolved(phrase, None, [], "" if known else f"the verifier binds no {grounding.bind!r}")
    if grounding.sql is None:
        return Resolved(phrase, None, [], "has no SQL")
    context.reader.show_seed()
    try:
        rows = context.reader.query(grounding.sql)
        tied = grounding.expect == "first" and _tied(context, grounding)
    except SqlProblem as error:
        return Resolved(phrase, None, [], str(error))
    table = grounding.table or first_table(grounding.sql)
    ids = [row[0] for row in (rows if grounding.expect == "set" else rows[:1])]
    if grounding.expect == "first" and rows:
        ids = [_in_order(context, grounding)[0][0]]
    info = context.environment.tables().get(table or "")
    known = info is not None and not info.view
    problem = _problem(grounding, len(rows), tied, known)
    # Rows with a key of several columns cannot be told in results: whether they can be found is not checked.
    return Resolved(phrase, table if info and len(info.primary_key) == 1 else None, ids, problem)


def _problem(grounding: Grounding, rows: int, tied: bool, known: bool) -> str:
    if rows == 0:
        return "means no row"
    if grounding.expect == "one" and rows > 1:
        return f"means {rows} rows instead of one"
    if tied:
        return f"two rows are first by {grounding.order}"
    return "" if known else "does not say its table"


def _tied(context: AuditContext, grounding: Grounding) -> bool:
    rows = _in_order(context, grounding)
    keys = len(_order_terms(grounding.order or ""))
    return len(rows) > 1 and rows[0][-keys:] == rows[1][-keys:]


def _in_order(context: AuditContext, grounding: Grounding) -> list[tuple[Any, ...]]:
    """The first two rows by the declared order, followed by the values they are ordered by. Raises SqlProblem."""
    terms = _order_terms(grounding.order or "")
    if not terms:
        raise SqlProblem("does not say by which order it is the first")
    shown = ", ".join(f"({term})" for term in terms)
    sql = f"SELECT *, {shown} FROM (\n{grounding.sql}\n) ORDER BY {grounding.order} LIMIT 2"
    return context.reader.query(sql)


def _order_terms(order: str) -> list[str]:
    """The expressions of an ORDER BY, without directions."""
    try:
        tree = sqlglot.parse_one(f"SELECT 1 ORDER BY {order}", read="sqlite")
    except SqlglotError:
        return []
    return [term.this.sql("sqlite") for term in tree.find_all(exp.Ordered)]
