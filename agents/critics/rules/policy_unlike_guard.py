"""A guard that stands for a rule of the policy and does not say what the rule says.

Stands for limits turned round: "A booking within two hours of its start can only be cancelled by a host" with a guard
that lets pass less than two hours. Rule and guard are matched by their number, with its unit; the guard must compare
one thing with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding, Require
from ...tester.conditions import Operator, comparison, condition_of, looks_back, turned
from ...tester.queries import Query
from ..reading.base import Context, again, finding
from ..reading.wording import bound_in, quantities_in, spans_in, stem

KIND = "policy_unlike_guard"
_TIMELY = re.compile(r"minute|hour|day|week|month|year|time|date|until|since|age|_at\b|_on\b|starts|ends|due")
"""In names of what is measured in time: three reservations are not three days."""
_ONLY_WITHIN = re.compile(r"\bonly\b[^.;]*\bwithin\b")
_FORBIDS = re.compile(r"\b(only|cannot|can not|may not|not allowed|never|no longer)\b")


def check(context: Context) -> Iterator[Finding]:
    lines = [line.strip() for line in context.anatomy.spec.policy.splitlines() if line.strip()]
    for query in context.anatomy.all_queries():
        if query.kind == "require" and isinstance(query.step, Require):
            for line in lines:
                yield from _check(query, line)


def _check(query: Query, line: str) -> Iterator[Finding]:
    wanted = _passing(line)
    found = comparison(condition_of(query.tree))
    amounts = set(quantities_in(line))
    if wanted is None or found is None or len(amounts) != 1 or not _speaks_of(query.tool, line):
        return
    for each in (found, found.flipped()):
        matched = amounts & set(spans_in(each.right)) and not spans_in(each.left)
        operator = turned(each.operator) if looks_back(each.right) else each.operator
        if matched and _is_timely(query) and operator not in ("=", "<>", *wanted):
            message = f"{query.tool} tests {each.operator} where the policy says: {line}"
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _speaks_of(tool: str, line: str) -> bool:
    """Whether a rule has a word of the tool's name: thirty days to pay are not thirty days to return."""
    return bool(
        {stem(word) for word in tool.split("_")} & {stem(word) for word in re.findall(r"[a-z]+", line.lower())}
    )


def _is_timely(query: Query) -> bool:
    """Whether anything that the guard names is about time."""
    if query.tree is None:
        return False
    named = [*query.tree.find_all(exp.Column), *query.tree.find_all(exp.Placeholder)]
    functions = [node for node in query.tree.find_all(exp.Func) if not isinstance(node, exp.Count | exp.Coalesce)]
    texts = [node.name.lower() for node in named] + [node.sql().lower() for node in functions]
    return any(_TIMELY.search(text) for text in texts)


def _within(shut: bool) -> tuple[Operator, ...]:
    return (">", ">=") if shut else ("<", "<=")


def _passing(line: str) -> tuple[Operator, ...] | None:
    """The operators, between a value and the rule's number, that a guard for the rule may let pass."""
    lowered = line.lower()
    forbids = _FORBIDS.search(lowered) is not None
    within = re.search(r"\bwithin\b", lowered)
    if within is not None:
        # "Within two hours of its start it cannot be cancelled", but "only within seven days of the handover".
        shut = _FORBIDS.search(lowered, within.end()) is not None
        return None if forbids and not shut and not _ONLY_WITHIN.search(lowered) else _within(shut)
    said = bound_in(lowered)
    if said is None:
        return None
    if said in (">=", "<="):
        return (said,)
    return ("<=", "<") if (said == ">") == forbids else (">=", ">")
