"""A guard that lets pass what its message refuses.

Stands for negated guards and swapped sides: `status <> 'confirmed'` with "… is not confirmed", NOT EXISTS with
not_found, `:starts_at < :now` with "… is in the past". Only guards of a single test are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

from ....environments.models import Failure, Finding, Require
from ...tester.names import Names
from ...tester.queries import Query
from ..reading.base import Context, again, finding
from ..reading.conditions import Comparison, comparison, condition_of, literal_text, membership

KIND = "guard_contradicts_message"
_TAKEN = re.compile(r"\b(already|taken|exists|in use|duplicate|reserved by|occupied)\b")
_DENIED = re.compile(r"\b(not|no|nothing|none|only|must|cannot|never)\b")
_TOO_MUCH = re.compile(
    r"\b(too (?:many|much|large|long|high|late|big)|exceeds?|not enough|insufficient|only \{\w+\} left)\b"
)
_TOO_LITTLE = re.compile(r"\btoo (?:few|little|small|short|low|early)\b")


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        if query.kind == "require" and isinstance(query.step, Require):
            reason = _contradiction(query, query.step.error, context.anatomy.names[query.tool])
            if reason is not None:
                message = f"{query.tool}: the guard refuses with {query.step.error.message!r}, but {reason}."
                yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _contradiction(query: Query, error: Failure, names: Names) -> str | None:
    condition = condition_of(query.tree)
    found = membership(condition)
    if found is not None:
        return _existence(found.holds, error)
    single = comparison(condition)
    if single is None:
        return None
    return next(
        (reason for test in _TESTS if (reason := test(single, error.message.lower(), names)) is not None), None
    )


def _existence(must_exist: bool, error: Failure) -> str | None:
    if error.code == "not_found" and not must_exist:
        return "lets pass only what does not exist"
    said = error.message.lower()
    if error.code == "conflict" and must_exist and _TAKEN.search(said) and not _DENIED.search(said):
        return "lets pass only where there is one"
    return None


def _status(found: Comparison, said: str, names: Names) -> str | None:
    text = literal_text(found.right) or literal_text(found.left)
    if text is None or found.operator not in ("=", "<>"):
        return None
    word = re.escape(text.lower().replace("_", " "))
    plain = said.replace("_", " ")
    wanted = re.search(rf"\b(not(?: yet)?|only|must be|has to be)(?: an?)? {word}\b", plain)
    refused = re.search(rf"\b(already|is|was|has been) {word}\b", plain) and not _DENIED.search(plain)
    if wanted and found.operator == "<>":
        return f"lets pass what is not {text!r}"
    if refused and found.operator == "=":
        return f"lets pass only what is {text!r}"
    return None


def _past(found: Comparison, said: str, names: Names) -> str | None:
    if "in the past" not in said or "not in the past" in said:
        return None
    for each in (found, found.flipped()):
        if isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today"):
            return "lets pass what is in the past" if each.operator in ("<", "<=") else None
    return None


def _amount(found: Comparison, said: str, names: Names) -> str | None:
    """Too much of what was asked for, or too little: the asked-for side must be the smaller, or the larger one."""
    asked = [each for each in (found, found.flipped()) if _asked(each.left, names) and not _asked(each.right, names)]
    if len(asked) != 1:
        return None
    operator = asked[0].operator
    if _TOO_MUCH.search(said) and operator in (">", ">="):
        return "lets pass only more than that"
    if _TOO_LITTLE.search(said) and operator in ("<", "<="):
        return "lets pass only less than that"
    return None


def _asked(node: exp.Expr, names: Names) -> bool:
    """Whether a value comes from what the caller asked for: from parameters that point at nothing."""
    found = [node] if isinstance(node, exp.Placeholder) else node.find_all(exp.Placeholder)
    behind = {param for each in found for param in names.behind(each.name) if param in names.params}
    return any(names.params[param].ref is None for param in behind)


_TESTS: tuple[Callable[[Comparison, str, Names], str | None], ...] = (_status, _past, _amount)
