"""What a message says of moments, amounts and statuses, held against each of the tests that its guard makes."""

from __future__ import annotations

import re

from sqlglot import exp

from ...tester.columns import checked_values
from ...tester.conditions import Admitted, Comparison, Operator, looks_back, values_admitted
from ...tester.queries import bound_names
from ...tester.trees import place_of
from ...tester.words import stem, stems_in
from .comparisons import DENIED, ONLY
from .told import Test, Told
from .wording import numbers_in

_BEFORE: tuple[Operator, ...] = ("<", "<=")
_AFTER: tuple[Operator, ...] = (">", ">=")
_MOMENTS: tuple[tuple[re.Pattern[str], tuple[Operator, ...], str], ...] = (
    (re.compile(r"\b(?:day|time|date) to come\b"), _BEFORE, "is past"),
    (re.compile(r"\blies? ahead\b"), (*_BEFORE, ">="), "does not lie ahead"),
    (re.compile(r"\btoday or (?:later|within)\b"), (*_BEFORE, ">"), "is not of today or later alone"),
    (re.compile(r"\b(?:valid|good) until\b"), (*_BEFORE, ">"), "is not valid on its last day, too"),
    (re.compile(r"^[^.;]*\bis over\b(?! the)"), _BEFORE, "is over"),
    (re.compile(r"\bonly what is (?:overdue|past)\b"), _AFTER, "is not overdue"),
    (re.compile(r"\bonly what [^.;]*\bhas begun\b"), _AFTER, "has not begun"),
)
"""What is said, the comparisons with now or today that contradict it, and what these let pass."""
_AGO = re.compile(r"\b(more|less) than [\w-]+ (?:minute|hour|day|week)s? ago\b")
_NOT_BEFORE = re.compile(r"\bdoes not (\w+) before it (\w+)\b")
_IN_FULL = re.compile(r"\bin full\b|\bexactly\b")
_MUST_DIFFER = re.compile(r"\bmust (?:be different|differ)\b|\bcannot\b[^.;]*\bitself\b")
_DIFFER = re.compile(r"\bfrom different\b|^they (?:are different|differ)\b")
_MOST = re.compile(r"^(?:longest|largest|highest|most|max|maximum)(?:_|$)|_(?:max|maximum|limit)$")
_LEAST = re.compile(r"^(?:shortest|smallest|lowest|least|fewest|min|minimum)(?:_|$)|_(?:min|minimum)$")
_OVER = re.compile(r"\b(?:any more|any longer|no longer)\b")
_DEMANDS = (r"only what (?:is|was)(?: \w+)?", r"say (?:\w+ )?which", "both must be")
_LIVE = re.compile(r"\bmust be (?:live|active|under way)\b")
_ENDED = frozenset({"cancelled", "closed", "done", "ended", "expired", "finished", "void", "withdrawn"})


def _moments(told: Told) -> str | None:
    for pattern, wrong, what in _MOMENTS:
        if pattern.search(told.said) is None or (what == "is over" and DENIED.search(told.said)):
            continue
        for each in told.comparisons():
            clock = isinstance(each.right, exp.Placeholder) and each.right.name in ("now", "today")
            if clock and each.operator in wrong:
                return f"lets pass what {what}"
    return None


def _not_before(told: Told) -> str | None:
    """ "It does not end before it starts": it may end when it starts."""
    said = _NOT_BEFORE.search(told.said)
    for each in told.comparisons() if said is not None else ():
        if said is not None and stem(said[1]) in _words(each.left) and stem(said[2]) in _words(each.right):
            return f"lets pass only what {said[1]}s {each.operator} it {said[2]}" if each.operator != ">=" else None
    return None


def _words(node: exp.Expr) -> tuple[str, ...]:
    return tuple(stems_in(node.name)) if isinstance(node, exp.Placeholder | exp.Column) else ()


def _ago(told: Told) -> str | None:
    """ "More than 30 days ago" is why something is refused, not why it passes."""
    said = _AGO.search(told.said)
    if said is None or ONLY.search(told.said) is not None:
        return None
    wrong = _BEFORE if said[1] == "more" else _AFTER
    for each in told.comparisons():
        if looks_back(each.right) and not looks_back(each.left) and each.operator in wrong:
            return f"lets pass only what was {said[0]}"
    return None


def _so_many_already(told: Told) -> str | None:
    """ "Three reminders were sent already", "{load} already": so many are too many."""
    if told.single is None or "already" not in told.said or ONLY.search(told.said) is not None:
        return None
    for each in told.comparisons():
        number = isinstance(each.right, exp.Literal) and not each.right.is_string
        if number and each.operator in (*_AFTER, "<>") and _speaks_of(each, told.said):
            return f"lets pass only {each.operator} {each.right.this}"
    return None


def _speaks_of(found: Comparison, said: str) -> bool:
    named = any(f"{{{node.name}}}" in said for node in found.left.find_all(exp.Placeholder))
    return named or int(found.right.this) in set(numbers_in(said))


def _in_full(told: Told) -> str | None:
    """ "It has to be paid in full"."""
    found = next(told.comparisons(), None) if told.single is not None else None
    if found is not None and found.operator == "<>" and _IN_FULL.search(told.said):
        return "lets pass only another amount"
    return None


def _limits(told: Told) -> str | None:
    """A column whose name says that it is the most, or the least, that may be asked for."""
    for each in told.comparisons():
        limit = told.names.origin(each.right)
        if not isinstance(limit, exp.Column) or not bound_names(each.left):
            continue
        if _MOST.search(limit.name) and each.operator in (*_AFTER, "<"):
            return f"lets pass only what is {each.operator} {limit.name}"
        if _LEAST.search(limit.name) and each.operator in (*_BEFORE, ">"):
            return f"lets pass only what is {each.operator} {limit.name}"
    return None


def _different(told: Told) -> str | None:
    """ "The two must be different", "it cannot be one of itself"; "they come from different people"."""
    if told.single is None:
        return None
    wrong = "=" if _MUST_DIFFER.search(told.said) else "<>" if _DIFFER.search(told.said) else None
    for each in told.comparisons():
        if each.operator == wrong and not isinstance(each.right, exp.Literal):
            return "lets pass only what is the same" if wrong == "=" else "lets pass only what is different"
    return None


def _become(told: Told) -> str | None:
    """ "It is {current_status} and cannot become {status}": it must not be so already."""
    said = re.search(r"\bcannot become \{(\w+)\}", told.said)
    for each in told.comparisons() if said is not None else ():
        named = isinstance(each.right, exp.Placeholder) and said is not None and each.right.name == said[1]
        if named and each.operator == "=" and isinstance(each.left, exp.Placeholder):
            return f"lets pass only what is {{{each.right.name}}} already"
    return None


def _statuses(told: Told) -> str | None:
    """ "Only what is fully paid can be refunded", "it must not be closed", "reopen it first", "… any more"."""
    found = [each for leaf in told.leaves if (each := values_admitted(leaf.node, leaf.negated)) is not None]
    for value in sorted({value for each in found for value in _values(each, told)}):
        about = [each for each in found if value in _values(each, told)]
        passes = [each.holds(value) for each in about]
        word = re.escape(value.replace("_", " "))
        demanded = "|".join(rf"\b{phrase} {word}\b" for phrase in _DEMANDS) + rf"|\bre{word} it first\b"
        if re.search(demanded, told.said) and not any(passes):
            return f"lets pass what is not {value!r}"
        if re.search(rf"\bmust not be {word}\b", told.said) and any(passes):
            return f"lets pass what is {value!r}"
        if value in _ENDED and all(passes) and (_LIVE if len(told.leaves) > 1 else _OVER).search(told.said):
            return f"lets pass what is {value!r}"
    return None


def _values(admitted: Admitted, told: Told) -> frozenset[str]:
    """What a test speaks of: the values that it names, and those that the column may have."""
    place = place_of(told.names.origin(admitted.subject), told.tables)
    listed = checked_values(told.tables[place.table], place.column) if place is not None else ()
    return admitted.values | frozenset(listed)


AMOUNTS: tuple[Test, ...] = (
    _moments,
    _not_before,
    _ago,
    _so_many_already,
    _in_full,
    _limits,
    _different,
    _become,
    _statuses,
)
