"""What the message of a guard says it refuses, held against the one comparison that it makes, or against one of several.

Conditions of other shapes, statuses among them, are read in `refusals.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sqlglot import exp

from ...tester.conditions import Comparison
from ...tester.names import Names
from ...tester.queries import bound_names
from .told import is_asked

DENIED = re.compile(r"\b(not|no|nothing|none|only|must|cannot|never)\b")
ONLY = re.compile(r"\b(not|only|must|has to|unless|until|once)\b")
OWN = re.compile(r"\b(own|yourself|themselves|oneself)\b")
_TOO_MUCH = re.compile(
    r"\b(too (?:many|much|large|long|high|late|big)|exceeds?|not enough|not that many|no room for so many|"
    r"insufficient|only \{\w+\} left)\b|\{\w+\} (?:were|are)(?: \w+){1,3} already\b"
)
_EXPIRED = re.compile(r"\b(?:valid|good) until\b|\bexpired\b|\bran out\b")
_TOO_LITTLE = re.compile(r"\btoo (?:few|little|small|short|low|early)\b")
_ELSEWHERE = re.compile(r"\b(another|other)\b")
_NOTHING = re.compile(r"^(there (is|are) (no|nothing)|nothing|no|you have no)\b")
_FUTURE = re.compile(r"\bin the future\b|\bstill to come\b")
_ONLY_SO_MANY = re.compile(
    r"\bonly \{(\w+)\}|\{(\w+)\}(?: \w+){0,2} at most\b|\b(?:at most|no more than|up to) \{(\w+)\}"
    r"|\{(\w+)\} (?:are|is) (?:available|left)\b"
)
_AT_LEAST = re.compile(r"\b(?:at least|no fewer than|no less than) \{(\w+)\}")
_NOT_THAT_MANY = re.compile(
    r"\b(?:seats?|holds?|takes?|fits?|has|have|allows?)\b[^{}]*\{(\w+)\}[^{}]*, not \{(\w+)\}"
)


class Refusal(NamedTuple):
    """A guard of one test and its message in lower case."""

    found: Comparison
    said: str
    code: str
    names: Names


def _future(refusal: Refusal) -> str | None:
    """ "It must lie in the future"."""
    if _FUTURE.search(refusal.said) is None or "not in the future" in refusal.said:
        return None
    for each in (refusal.found, refusal.found.flipped()):
        if isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today"):
            if each.operator == ">=" and each.right.name == "now":
                return "lets pass what is now"
            return "lets pass only what is in the past" if each.operator in ("<", "<=") else None
    return None


def _expired(refusal: Refusal) -> str | None:
    """ "It was valid until …"."""
    for each in (refusal.found, refusal.found.flipped()) if _EXPIRED.search(refusal.said) else ():
        if isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today"):
            return "lets pass only what has expired" if each.operator in ("<", "<=") else None
    return None


def _all_of_it(refusal: Refusal) -> str | None:
    """ "Only {left} are left", "{table} takes {seats} at most": as much as that may be asked for."""
    for pattern, strict, wrong in ((_ONLY_SO_MANY, "<", (">", ">=")), (_AT_LEAST, ">", ("<", "<="))):
        said = pattern.search(refusal.said)
        bound = next(filter(None, said.groups()), None) if said is not None else None
        for each in (refusal.found, refusal.found.flipped()) if bound is not None else ():
            if isinstance(each.right, exp.Placeholder) and each.right.name == bound and bound_names(each.left):
                if each.operator == strict:
                    return f"refuses {bound} itself"
                return f"lets pass only what goes beyond {bound}" if each.operator in wrong else None
    return None


def _past(refusal: Refusal) -> str | None:
    if "in the past" not in refusal.said or "not in the past" in refusal.said:
        return None
    for each in (refusal.found, refusal.found.flipped()):
        if isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today"):
            if each.operator in ("<", "<="):
                return "lets pass what is in the past"
            return "refuses today, too" if each.operator == ">" and each.right.name == "today" else None
    return None


def _amount(refusal: Refusal) -> str | None:
    """Too much of what was asked for, or too little: the asked-for side must be the smaller, or the larger one."""
    both = (refusal.found, refusal.found.flipped())
    asked = [each for each in both if is_asked(each.left, refusal.names) and not is_asked(each.right, refusal.names)]
    if len(asked) != 1:
        return None
    operator = asked[0].flipped().operator if _taken_off(asked[0].left, refusal.names) else asked[0].operator
    if _TOO_MUCH.search(refusal.said) and operator in (">", ">="):
        return "lets pass only more than that"
    if _TOO_LITTLE.search(refusal.said) and operator in ("<", "<="):
        return "lets pass only less than that"
    return None


def _taken_off(node: exp.Expr, names: Names) -> bool:
    """Whether what was asked for is taken off something: `capacity - :party`."""
    return isinstance(node, exp.Sub) and is_asked(node.expression, names) and not is_asked(node.this, names)


def _room(refusal: Refusal) -> str | None:
    """ "seats {table_seats}, not {party_size}": what is asked for may be as much as there is, not more."""
    said = _NOT_THAT_MANY.search(refusal.said)
    if said is None:
        return None
    for each in (refusal.found, refusal.found.flipped()):
        sides = [side.name if isinstance(side, exp.Placeholder) else None for side in (each.left, each.right)]
        if sides == [said[2], said[1]] and each.operator != "<=":
            return f"lets pass {said[2]} {each.operator} {said[1]}"
    return None


def _elsewhere(refusal: Refusal) -> str | None:
    if _ELSEWHERE.search(refusal.said) and refusal.found.operator == "<>" and not DENIED.search(refusal.said):
        return "lets pass only what is elsewhere"
    return None


def _stranger(refusal: Refusal) -> str | None:
    """forbidden to everybody but strangers."""
    if refusal.code != "forbidden" or refusal.found.operator != "<>" or OWN.search(refusal.said):
        return None
    asks = bound_names(refusal.found.left) | bound_names(refusal.found.right)
    return "lets pass only those who have nothing to do with it" if "actor_id" in asks else None


def _nothing(refusal: Refusal) -> str | None:
    """ "There is nothing …": a number that must be above zero."""
    for each in (refusal.found, refusal.found.flipped()):
        zero = isinstance(each.right, exp.Literal) and each.right.this == "0"
        if zero and _NOTHING.search(refusal.said) and each.operator in ("<", "<=", "="):
            return "lets pass only where there is nothing"
    return None


def _already(refusal: Refusal) -> str | None:
    """ "… already": what is asked for must differ from what is."""
    plain = not any(isinstance(side, exp.Literal) for side in (refusal.found.left, refusal.found.right))
    if plain and refusal.found.operator == "=" and re.search(r"\balready\b", refusal.said):
        return "lets pass only what is so already" if not ONLY.search(refusal.said) else None
    return None


LEAF_TESTS: tuple[Callable[[Refusal], str | None], ...] = (_future, _all_of_it, _expired)
"""Tests that hold for each part of a condition, too."""
TESTS: tuple[Callable[[Refusal], str | None], ...] = (
    _past,
    _room,
    _amount,
    _elsewhere,
    _stranger,
    _nothing,
    _already,
)
