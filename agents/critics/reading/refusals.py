"""What the message of a guard says it refuses, held against what it lets pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Failure
from ...tester.columns import checked_values
from ...tester.conditions import (
    Admitted,
    Comparison,
    Leaf,
    Membership,
    comparison,
    condition_of,
    leaves,
    literal_text,
    membership,
    values_admitted,
)
from ...tester.names import Names
from ...tester.queries import Query, bound_names
from ...tester.trees import ColumnPlace, Tables, place_of

_TAKEN = re.compile(r"\b(already|taken|exists|in use|duplicate|reserved by|occupied|closed|blocked|busy|overlaps?)\b")
_DENIED = re.compile(r"\b(not|no|nothing|none|only|must|cannot|never)\b")
_TOO_MUCH = re.compile(
    r"\b(too (?:many|much|large|long|high|late|big)|exceeds?|not enough|insufficient|only \{\w+\} left)\b"
)
_TOO_LITTLE = re.compile(r"\btoo (?:few|little|small|short|low|early)\b")
_GIVE = re.compile(r"^(give|name|pass|provide|nothing to change|at least one)\b")
_ELSEWHERE = re.compile(r"\b(another|other)\b")
_ONLY = re.compile(r"\b(not|only|must|has to|unless|until|once)\b")
_NOTHING = re.compile(r"^(there (is|are) (no|nothing)|nothing|no|you have no)\b")
_NOBODY = re.compile(r"^(nobody|no one|nothing|no) \w+")
_FUTURE = re.compile(r"\bin the future\b|\bstill to come\b")
_ONLY_SO_MANY = re.compile(
    r"\bonly \{(\w+)\}|\{(\w+)\}(?: \w+){0,2} at most\b|\b(?:at most|no more than|up to) \{(\w+)\}"
)
_AT_LEAST = re.compile(r"\b(?:at least|no fewer than|no less than) \{(\w+)\}")
_OWN = re.compile(r"\b(own|yourself|themselves|oneself)\b")
_NOT_THAT_MANY = re.compile(
    r"\b(?:seats?|holds?|takes?|fits?|has|have|allows?)\b[^{}]*\{(\w+)\}[^{}]*, not \{(\w+)\}"
)


_NO_SETS: Mapping[ColumnPlace, frozenset[str]] = {}


class Refusal(NamedTuple):
    """A guard of one test and its message in lower case."""

    found: Comparison
    said: str
    code: str
    names: Names


def contradiction(
    query: Query, error: Failure, names: Names, tables: Tables, sets: Mapping[ColumnPlace, frozenset[str]] = _NO_SETS
) -> str | None:
    """How the guard and its message contradict each other; None if they do not, or it cannot be told. `sets`: the
    texts that the tool writes, by column."""
    condition = condition_of(query.tree)
    said = error.message.lower()
    existing = membership(condition)
    if existing is not None:
        return _existence(existing, error)
    if condition is not None and (_gives(condition, said) or _changes_nothing(condition, said)):
        return "lets pass only calls that give none of it"
    admitted = values_admitted(condition)
    if admitted is not None:
        reason = _status(
            admitted, admitted.values | _listed(admitted.subject, names, tables), _words(said)
        ) or _set_already(admitted, said, _sets_of(admitted.subject, names, tables, sets))
        if reason is not None:
            return reason
    single = comparison(condition)
    if single is not None:
        refusal = Refusal(single, said, error.code, names)
        return next((reason for test in (*_TESTS, *_LEAF_TESTS) if (reason := test(refusal)) is not None), None)
    return _compound(list(leaves(condition)), error, names)


def _compound(found: Sequence[Leaf], error: Failure, names: Names) -> str | None:
    """A condition of several tests, or of one that is no comparison."""
    said = error.message.lower()
    if _strangers_only(found, error.code, said):
        return "lets pass only those who have nothing to do with it"
    if len(found) == 1 and _null(found[0], said):
        return "lets pass only where there is nobody"
    for leaf in found:
        each = comparison(leaf.node, leaf.negated)
        refusal = Refusal(each, said, error.code, names) if each is not None else None
        for test in _LEAF_TESTS if refusal is not None else ():
            reason = test(refusal) if refusal is not None else None
            if reason is not None:
                return reason
    return None


def _strangers_only(found: Sequence[Leaf], code: str, said: str) -> bool:
    """Tests that speak of the caller, all of which must fail, where only certain callers should pass."""
    asking = [leaf for leaf in found if bound_names(leaf.node) & {"actor_id", "actor_roles"}]
    denied = all(leaf.negated != isinstance(leaf.node, exp.NEQ) for leaf in asking)
    return code == "forbidden" and len(asking) > 1 and denied and _OWN.search(said) is None


def _null(leaf: Leaf, said: str) -> bool:
    """`x IS NULL` where the message regrets that there is none."""
    plain = isinstance(leaf.node, exp.Is) and isinstance(leaf.node.expression, exp.Null)
    return plain and not leaf.negated and _NOBODY.search(said) is not None


def _changes_nothing(condition: exp.Expr, said: str) -> bool:
    """A condition that holds only where all that is asked for is as it is already, where the message asks for
    something new."""
    found = list(leaves(condition))
    equal = [each for leaf in found if (each := comparison(leaf.node, leaf.negated)) is not None]
    return (
        _GIVE.search(said) is not None
        and len(equal) == len(found) > 1
        and all(each.operator == "=" and isinstance(each.right, exp.Placeholder) for each in equal)
    )


def _sets_of(
    subject: exp.Expr, names: Names, tables: Tables, sets: Mapping[ColumnPlace, frozenset[str]]
) -> frozenset[str]:
    place = place_of(names.origin(subject), tables)
    return sets.get(place, frozenset()) if place is not None else frozenset()


def _set_already(admitted: Admitted, said: str, sets: frozenset[str]) -> str | None:
    """ "It is … already": the status that the tool itself sets must not pass."""
    wrong = sorted(value for value in sets if admitted.holds(value))
    if wrong and len(wrong) == len(sets) and re.search(r"\balready\b", said) and not _ONLY.search(said):
        return f"lets pass what is {wrong[0]!r} already"
    return None


def _existence(found: Membership, error: Failure) -> str | None:
    said = error.message.lower()
    if error.code == "not_found" and not found.holds:
        return "lets pass only what does not exist"
    if error.code != "conflict" or not found.holds:
        return None
    if _TAKEN.search(said) and not _DENIED.search(said):
        return "lets pass only where there is one"
    for node in found.node.find_all(exp.NEQ):
        text = literal_text(node.expression) or literal_text(node.this)
        if text is not None and re.search(rf"\bonly {re.escape(_words(text))}\b", _words(said)):
            return f"lets pass only where something is not {text!r}"
    return None


def _gives(condition: exp.Expr, said: str) -> bool:
    """A condition that holds only if nothing is given, where the message asks for something."""
    if not isinstance(condition, exp.Not) or _GIVE.search(said) is None:
        return False
    leaves = [node for node in condition.find_all(exp.Placeholder)]
    return bool(leaves) and all(_holds_if_left_out(leaf) for leaf in leaves)


def _holds_if_left_out(leaf: exp.Placeholder) -> bool:
    """`NOT :given_x` and `x IS NULL`, but not `NOT x IS NULL`."""
    turned, above = False, leaf.parent
    while above is not None:
        turned ^= isinstance(above, exp.Not)
        above = above.parent
    if leaf.name.startswith("given_"):
        return turned
    return isinstance(leaf.parent, exp.Is) and isinstance(leaf.parent.expression, exp.Null) and not turned


def _words(text: str) -> str:
    return text.lower().replace("_", " ")


def _listed(subject: exp.Expr, names: Names, tables: Tables) -> frozenset[str]:
    """The values that a column may have, by its CHECK, through the `let` that read it."""
    place = place_of(names.origin(subject), tables)
    return frozenset(checked_values(tables[place.table], place.column)) if place is not None else frozenset()


def _status(admitted: Admitted, values: frozenset[str], said: str) -> str | None:
    """Values that the message refuses, or demands, against those that the guard lets pass."""
    for value in sorted(values):
        word = re.escape(_words(value))
        demanded = re.search(rf"\b(not(?: yet)?|only|must be|has to be|once it is)(?: an?)? {word}\b", said)
        refused = re.search(rf"\b(already|is|are|was|has been|have been) {word}\b", said)
        if demanded and not admitted.holds(value):
            return f"lets pass what is not {value!r}"
        if refused and not demanded and not _ONLY.search(said) and admitted.holds(value):
            return f"lets pass only what is {value!r}" if admitted.inside else f"lets pass what is {value!r}"
    return None


def _future(refusal: Refusal) -> str | None:
    """ "It must lie in the future"."""
    if _FUTURE.search(refusal.said) is None or "not in the future" in refusal.said:
        return None
    for each in (refusal.found, refusal.found.flipped()):
        if isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today"):
            return "lets pass only what is in the past" if each.operator in ("<", "<=") else None
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
    asked = [each for each in both if _asked(each.left, refusal.names) and not _asked(each.right, refusal.names)]
    if len(asked) != 1:
        return None
    operator = asked[0].operator
    if _TOO_MUCH.search(refusal.said) and operator in (">", ">="):
        return "lets pass only more than that"
    if _TOO_LITTLE.search(refusal.said) and operator in ("<", "<="):
        return "lets pass only less than that"
    return None


def _asked(node: exp.Expr, names: Names) -> bool:
    """Whether a value comes from what the caller asked for: from parameters that point at nothing."""
    behind = {param for bound in bound_names(node) for param in names.behind(bound) if param in names.params}
    return any(names.params[param].ref is None for param in behind)


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
    if _ELSEWHERE.search(refusal.said) and refusal.found.operator == "<>" and not _DENIED.search(refusal.said):
        return "lets pass only what is elsewhere"
    return None


def _stranger(refusal: Refusal) -> str | None:
    """forbidden to everybody but strangers."""
    if refusal.code != "forbidden" or refusal.found.operator != "<>" or _OWN.search(refusal.said):
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
        return "lets pass only what is so already" if not _ONLY.search(refusal.said) else None
    return None


_LEAF_TESTS: tuple[Callable[[Refusal], str | None], ...] = (_future, _all_of_it)
"""Tests that hold for each part of a condition, too."""
_TESTS: tuple[Callable[[Refusal], str | None], ...] = (
    _past,
    _room,
    _amount,
    _elsewhere,
    _stranger,
    _nothing,
    _already,
)
