"""What a message says of who may, of whose it is, and of what is there, held against the tests that its guard makes."""

from __future__ import annotations

import re

from sqlglot import exp

from ...tester.columns import checked_values
from ...tester.conditions import Leaf, literal_text
from ...tester.queries import bound_names
from ...tester.trees import place_of, sources
from ...tester.words import stem
from .comparisons import DENIED, ONLY
from .told import Test, Told, is_null

_THERE = re.compile(
    r"^(?:there (?:is|are|was|were) (?!no\b|not\b|nothing\b|none\b|nobody\b)|something (?:is|was|were|has)\b)"
    r"|\bbelongs to (?:somebody|someone) else\b"
)
_A_THING = re.compile(r"^(?:an?|another) ((?:\w+ ){1,3})")
_NOT_THERE = re.compile(
    r"^(?:there is nothing (?:in|on|to)\b|none of\b|you (?:do|are|have) not\b|there is no \w+ (?:with|called)\b)"
)
_SOMEBODY_ELSE = re.compile(r"\b(?:somebody|someone) else\b")
_WANTED = re.compile(r"\b(?:must|has to|have to|should|needs? to)\b")
_STAFF = re.compile(r"\b(?:only|for) staff\b|\bstaff only\b")
_GONE = re.compile(r"\b(?:removed|cleared|withdrawn|taken off|given up|gone|free)\b")


def _shut(told: Told) -> str | None:
    """A guard that tests nothing and refuses everything."""
    leaf = told.single
    if leaf is None or not isinstance(leaf.node, exp.Literal | exp.Boolean | exp.Null):
        return None
    holds = str(leaf.node.this).lower() not in ("0", "false", "none")
    return "lets nothing pass" if holds == leaf.negated else None


def _there(told: Told) -> str | None:
    """ "There is a closure in that time", "Something was paid on it", "A live complaint disputes it"."""
    found = told.stored()
    said = _THERE.search(told.said) is not None or (DENIED.search(told.said) is None and _names_one(told, found))
    if found and said and not any(leaf.negated for leaf in found):
        return "lets pass only where there is one"
    return None


def _names_one(told: Told, found: list[Leaf]) -> bool:
    """Whether the message begins with a row of a table that the guard looks at."""
    thing = _A_THING.search(told.said)
    tables = {source.table for leaf in found for source in sources(leaf.node.this, told.tables)[:1]}
    named = {tuple(map(stem, table.split("_"))) for table in tables if table is not None}
    words = tuple(map(stem, thing[1].split())) if thing is not None else ()
    return any(
        words[start : start + len(name)] == name for name in named for start in range(len(words) - len(name) + 1)
    )


def _not_there(told: Told) -> str | None:
    """ "There is nothing in it", "You do not take part in it"; an id that was not found."""
    missing = _NOT_THERE.search(told.said) is not None
    if is_null(told.single) and told.single is not None and not told.single.negated:
        return "lets pass only what is not there" if missing or told.code == "not_found" else None
    found = told.stored()
    if missing and found and all(leaf.negated for leaf in found):
        return "lets pass only where there is none"
    return None


def _unlike_status(told: Told) -> str | None:
    """ "Its invoice is not paid": a row of another status must not be what is asked for."""
    for leaf in told.stored() if len(told.leaves) == 1 else ():
        for node in leaf.node.find_all(exp.EQ) if not leaf.negated else ():
            text, place = literal_text(node.expression), place_of(node.this, told.tables)
            values = checked_values(told.tables[place.table], place.column) if place is not None and text else ()
            said = [
                value for value in values if re.search(rf"\bnot {re.escape(value.replace('_', ' '))}\b", told.said)
            ]
            if text in values and said and text not in said:
                return f"lets pass only where one is {text!r}, not {said[0]!r}"
    return None


def _somebody_else(told: Told) -> str | None:
    """ "That invoice is somebody else's"."""
    if _SOMEBODY_ELSE.search(told.said) is None or _WANTED.search(told.said) is not None:
        return None
    for each in told.comparisons():
        named = not isinstance(each.left, exp.Literal) and not isinstance(each.right, exp.Literal)
        if each.operator == "<>" and named:
            return "lets pass only what is somebody else's"
    return None


def _roles(told: Told) -> str | None:
    """ "Only a supervisor can void it now", "Internal messages are for staff"."""
    for leaf in told.leaves:
        for node in leaf.node.find_all(exp.EQ, exp.NEQ) if leaf.negated and _asks_role(leaf) else ():
            role = (literal_text(node.expression) or "").replace("_", " ")
            only = rf"\bonly (?:an? |the )?{re.escape(role)}|\b{re.escape(role)}s? only\b"
            if isinstance(node, exp.EQ) and role and re.search(only, told.said):
                return f"lets no {role} pass"
            if isinstance(node, exp.NEQ) and _STAFF.search(told.said):
                return f"lets pass only those who are no more than {role}"
    return None


def _only_some(told: Told) -> str | None:
    """ "Only a host can bring somebody in": not all who are asked for may be unwanted."""
    asking = [leaf for leaf in told.leaves if bound_names(leaf.node) & {"actor_id", "actor_roles"}]
    denied = all(leaf.negated != isinstance(leaf.node, exp.NEQ) for leaf in asking)
    only = told.code == "forbidden" and told.said.startswith("only ")
    return "lets pass only those who have nothing to do with it" if only and denied and len(asking) > 1 else None


def _asks_role(leaf: Leaf) -> bool:
    return isinstance(leaf.node, exp.Exists) and "actor_roles" in bound_names(leaf.node)


def _named_value(told: Told) -> str | None:
    """ "There is not enough of {short}": what the message names must have a value when it is said. "One was used on it
    already": where there is one, it must be refused."""
    leaf = told.single
    if leaf is None or not is_null(leaf) or not leaf.negated:
        return None
    if any(f"{{{name}}}" in told.said for name in bound_names(leaf.node)):
        return f"refuses only where {leaf.node.this.name} has no value"
    plain = DENIED.search(told.said) is None and ONLY.search(told.said) is None and _GONE.search(told.said) is None
    return "lets pass only what has one already" if plain and re.search(r"\balready\b", told.said) else None


PRESENCE: tuple[Test, ...] = (
    _shut,
    _there,
    _not_there,
    _unlike_status,
    _somebody_else,
    _roles,
    _only_some,
    _named_value,
)
