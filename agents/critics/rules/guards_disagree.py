"""Two tools that refuse with the same words, and test the opposite.

Stands for negated guards and boundaries off by one in one of several tools: approving asks `due_on >= today`, sending
back `NOT (due_on >= today)`, and both say that the deadline was missed. Guards are compared where code and message
are the same (names in braces aside) and where they test the same values; how these are joined and compared must then
be the same too. The tools in the minority are named; where two stand against two, all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Finding, Require
from ...tester.conditions import condition_of
from ...tester.names import Names
from ...tester.queries import Query
from ...tester.trees import text_of
from ..reading.base import Context, again, finding
from ..reading.minority import unusual

KIND = "guards_disagree"


class _Subject(NamedTuple):
    """What a guard is about: its error, and the values that it tests."""

    code: str
    message: str
    values: tuple[str, ...]


def check(context: Context) -> Iterator[Finding]:
    alike: dict[_Subject, dict[str, list[Query]]] = defaultdict(lambda: defaultdict(list))
    for query in context.anatomy.all_queries():
        condition = condition_of(query.tree) if query.kind == "require" else None
        if condition is not None and isinstance(query.step, Require):
            subject, form = _read(condition, query.step, context.anatomy.names[query.tool])
            alike[subject][form].append(query)
    for forms in alike.values():
        yield from _compared(forms)


def _read(condition: exp.Expr, step: Require, names: Names) -> tuple[_Subject, str]:
    plain = exp.Paren(this=condition.copy())
    for node in list(plain.find_all(exp.Placeholder)):
        behind = names.expression(node.name)
        node.replace(exp.column(text_of(behind) if behind is not None else f":{node.name}", quoted=True))
    values = Counter(text_of(node) for node in plain.find_all(exp.Column, exp.Literal))
    message = re.sub(r"\{[^{}]*\}", "{}", step.error.message)
    return _Subject(step.error.code, message, tuple(sorted(values.elements()))), text_of(plain.this)


def _compared(forms: dict[str, list[Query]]) -> Iterator[Finding]:
    tools = {query.tool for queries in forms.values() for query in queries}
    for _, query in unusual(forms) if len(tools) > 1 else ():
        assert isinstance(query.step, Require)
        others, said = sorted(tools - {query.tool}), query.step.error.message
        message = f"{query.tool} refuses with {said!r}, like {', '.join(others)}, and tests otherwise."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)
