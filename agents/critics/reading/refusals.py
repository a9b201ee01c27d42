"""What the message of a guard says it refuses, held against what it lets pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlglot import exp

from ....environments.models import Failure
from ...tester.columns import checked_values
from ...tester.conditions import (
    Admitted,
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
from ...tester.trees import ColumnPlace, Tables, place_of, unwrapped
from .amounts import AMOUNTS
from .comparisons import DENIED, LEAF_TESTS, ONLY, OWN, TESTS, Refusal
from .presence import PRESENCE
from .told import told

_TAKEN = re.compile(
    r"\b(already|taken|exists|in use|duplicate|reserved by|occupied|closed|blocked|busy|overlaps?|to come)\b"
)
_GIVE = re.compile(r"^(give|name|pass|provide|nothing to change|at least one)\b")
_NOBODY = re.compile(r"^(nobody|no one|nothing|no) \w+")


_LIVE = re.compile(
    r"\bonly (?:what is|those that are|if it is|while it is) (?:still )?(?:live|active|under way)\b|\bwhat is live only\b"
)
_OVER = frozenset({"cancelled", "closed", "done", "ended", "expired", "finished", "void", "withdrawn"})
"""Statuses in which nothing is live."""
_NO_SETS: Mapping[ColumnPlace, frozenset[str]] = {}


def contradiction(
    query: Query, error: Failure, names: Names, tables: Tables, sets: Mapping[ColumnPlace, frozenset[str]] = _NO_SETS
) -> str | None:
    """How the guard and its message contradict each other; None if they do not, or it cannot be told. `sets`: the
    texts that the tool writes, by column."""
    condition = condition_of(query.tree)
    if condition is None:
        return None
    reason = _whole(condition, error, names, tables, sets)
    if reason is not None:
        return reason
    guard = told(condition, error.message.lower(), error.code, names, tables)
    return next((reason for test in (*PRESENCE, *AMOUNTS) if (reason := test(guard)) is not None), None)


def _whole(
    condition: exp.Expr, error: Failure, names: Names, tables: Tables, sets: Mapping[ColumnPlace, frozenset[str]]
) -> str | None:
    """What the condition as a whole, of one shape, contradicts."""
    said = error.message.lower()
    existing = membership(condition)
    if existing is not None:
        return _existence(existing, error)
    if _gives(condition, said) or _changes_nothing(condition, said):
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
        return next((reason for test in (*TESTS, *LEAF_TESTS) if (reason := test(refusal)) is not None), None)
    return _compound(list(leaves(condition)), error, names)


def _compound(found: Sequence[Leaf], error: Failure, names: Names) -> str | None:
    """A condition of several tests, or of one that is no comparison."""
    said = error.message.lower()
    if _strangers_only(found, error.code, said):
        return "lets pass only those who have nothing to do with it"
    if len(found) == 1 and _flag(found[0], said):
        return "lets pass only what the message regrets"
    if len(found) == 1 and _null(found[0], said):
        return "lets pass only where there is nobody"
    for leaf in found:
        each = comparison(leaf.node, leaf.negated)
        refusal = Refusal(each, said, error.code, names) if each is not None else None
        for test in LEAF_TESTS if refusal is not None else ():
            reason = test(refusal) if refusal is not None else None
            if reason is not None:
                return reason
    return None


def _strangers_only(found: Sequence[Leaf], code: str, said: str) -> bool:
    """Tests that speak of the caller, all of which must fail, where only certain callers should pass."""
    asking = [leaf for leaf in found if bound_names(leaf.node) & {"actor_id", "actor_roles"}]
    denied = all(leaf.negated != isinstance(leaf.node, exp.NEQ) for leaf in asking)
    return code == "forbidden" and len(asking) > 1 and denied and OWN.search(said) is None


def _flag(leaf: Leaf, said: str) -> bool:
    """`NOT :extra_available` where the message says that it is not available."""
    plain = isinstance(leaf.node, exp.Placeholder | exp.Column) and leaf.negated
    word = leaf.node.name.rpartition("_")[2].lower()
    return plain and bool(word) and re.search(rf"\bnot {re.escape(word)}\b", said) is not None


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
    if wrong and len(wrong) == len(sets) and re.search(r"\balready\b", said) and not ONLY.search(said):
        return f"lets pass what is {wrong[0]!r} already"
    return None


def _existence(found: Membership, error: Failure) -> str | None:
    said = error.message.lower()
    if error.code == "not_found" and not found.holds:
        return "lets pass only what does not exist"
    if error.code != "conflict" or not found.holds:
        return None
    if _TAKEN.search(said) and not DENIED.search(said):
        return "lets pass only where there is one"
    for node in found.node.find_all(exp.NEQ):
        text = literal_text(node.expression) or literal_text(node.this)
        if text is not None and re.search(rf"\bonly {re.escape(_words(text))}\b", _words(said)):
            return f"lets pass only where something is not {text!r}"
    return None


def _gives(condition: exp.Expr, said: str) -> bool:
    """A condition that holds only if nothing is given, where the message asks for something."""
    if not isinstance(condition, exp.Not | exp.Is) or _GIVE.search(said) is None:
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
    source = unwrapped(names.origin(subject))
    inner = (
        source.this.selects[:1] if isinstance(source, exp.Subquery) and isinstance(source.this, exp.Select) else []
    )
    place = place_of(inner[0] if inner else source, tables)
    return frozenset(checked_values(tables[place.table], place.column)) if place is not None else frozenset()


def _clause(said: str, found: re.Match[str]) -> str:
    """The part of a message, between semicolons and full stops, in which something was found."""
    before, after = said[: found.start()], said[found.start() :]
    return re.split(r"[;.]", before)[-1] + re.split(r"[;.]", after)[0]


def _status(admitted: Admitted, values: frozenset[str], said: str) -> str | None:
    """Values that the message refuses, or demands, against those that the guard lets pass."""
    over = sorted(value for value in values & _OVER if admitted.holds(value))
    if over and _LIVE.search(said):
        return f"lets pass what is {over[0]!r}"
    for value in sorted(values):
        word = re.escape(_words(value))
        demanded = re.search(rf"\b(not(?: yet)?|only|must be|has to be|once it is)(?: an?)? {word}\b", said)
        refused = re.search(rf"\b(already|is|are|was|has been|have been) {word}\b", said)
        if demanded and not admitted.holds(value):
            return f"lets pass what is not {value!r}"
        if refused and not demanded and not ONLY.search(_clause(said, refused)) and admitted.holds(value):
            return f"lets pass only what is {value!r}" if admitted.inside else f"lets pass what is {value!r}"
    return None
