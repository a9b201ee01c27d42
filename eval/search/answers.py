"""Answers put together from what calls returned.

The right answer is known here, as everything that a verifier knows; what is searched for is a way to read it off
results. A number that some list happens to have as its length is taken for a count of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...environments.answer_matching import answers_match
from ...environments.answer_matching.matching import scalars_match
from ...environments.models import Answer
from ...environments.models.answers import ScalarKind
from .readouts import Readout, Rows, key_of

Places = frozenset[int]
_NOWHERE: Places = frozenset()


class Result(NamedTuple):
    """What the call at `place` of a search returned, and what can be read off it."""

    place: int
    value: Any
    readout: Readout


class Built(NamedTuple):
    """An answer, and the places of the calls that it was read from."""

    answer: Any
    places: Places


def build_answer(answer: Answer, expected: Any, results: Sequence[Result]) -> Built | None:
    """The answer `expected`, put together from results; None if they do not give it."""
    if expected is None:
        return None
    if answer.kind == "object":
        built = _record(answer, answer.fields, expected, results)
    elif answer.kind == "rows":
        built = _rows(answer, expected, results)
    elif answer.kind in ("list", "set"):
        built = _list(answer, expected, results)
    else:
        built = _scalar(answer, _scalar_kind(answer), expected, results)
    if built is None or built.answer == expected:
        return built
    return built if answers_match(answer, expected, built.answer) else None


def share_seen(answer: Answer, expected: Any, results: Sequence[Result]) -> float:
    """Which share of the answer's parts can be read off results."""
    parts = list(_parts(answer, expected))
    return sum(_scalar(answer, kind, part, results) is not None for kind, part in parts) / max(1, len(parts))


def _scalar_kind(answer: Answer) -> ScalarKind:
    kinds: dict[str, ScalarKind] = {"text": "text", "number": "number", "date": "date", "choice": "choice"}
    return kinds[answer.kind]


def _parts(answer: Answer, expected: Any) -> Iterator[tuple[ScalarKind, Any]]:
    if answer.kind in ("list", "set"):
        yield from ((answer.of, part) for part in expected or ())
    elif answer.kind == "object":
        yield from ((kind, (expected or {}).get(name)) for name, kind in answer.fields.items())
    elif answer.kind == "rows":
        yield from ((kind, row.get(name)) for row in expected or () for name, kind in answer.columns.items())


def _scalar(answer: Answer, kind: ScalarKind, expected: Any, results: Sequence[Result]) -> Built | None:
    if expected is None:
        return Built(None, _NOWHERE)
    if kind == "choice":
        return _choice(answer, expected, results)
    key = key_of(expected)
    for result in results:
        values = result.readout.values
        if key in values:
            return Built(values[key], frozenset((result.place,)))
        if (kind == "number" and answer.tolerance) or kind == "date":
            found = (value for value in values.values() if scalars_match(answer, kind, expected, value))
            if (value := next(found, None)) is not None:
                return Built(value, frozenset((result.place,)))
    return None


def _choice(answer: Answer, expected: Any, results: Sequence[Result]) -> Built | None:
    """An option is decided by what was looked up about something in particular, which single rows stand for."""
    for result in results:
        if any(len(group) == 1 for group in result.readout.rows) or not result.readout.rows:
            return Built(expected, frozenset((result.place,)))
    return None


def _list(answer: Answer, expected: Any, results: Sequence[Result]) -> Built | None:
    wanted = frozenset(map(key_of, expected))
    for result in results:
        values = result.readout.lists.get(wanted)
        if values is not None:
            return Built(_ordered(expected, values), frozenset((result.place,)))
    found = [_scalar(answer, answer.of, item, results) for item in expected]
    built = [one for one in found if one is not None]
    return _joined([one.answer for one in built], built) if len(built) == len(found) else None


def _ordered(expected: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The values in the order that is asked for: some sort of the list gives it, or the caller's own."""
    places = {key_of(item): place for place, item in reversed(list(enumerate(expected)))}
    return sorted(values, key=lambda value: places[key_of(value)])


def _record(
    answer: Answer, kinds: Mapping[str, ScalarKind], expected: Mapping[str, Any], results: Sequence[Result]
) -> Built | None:
    found = {name: _scalar(answer, kind, expected.get(name), results) for name, kind in kinds.items()}
    built = {name: one for name, one in found.items() if one is not None}
    if len(built) < len(found):
        return None
    return _joined({name: one.answer for name, one in built.items()}, list(built.values()))


def _rows(answer: Answer, expected: Sequence[Mapping[str, Any]], results: Sequence[Result]) -> Built | None:
    """A table: a group of rows of one result that holds it, or each row read off by itself."""
    for result in results:
        for group in result.readout.rows:
            if len(group) == len(expected):
                found = [_shown_in(answer, row, group) for row in expected]
                if found and all(row is not None for row in found):
                    return Built(found, frozenset((result.place,)))
    singles = [_record(answer, answer.columns, row, results) for row in expected]
    built = [one for one in singles if one is not None]
    return _joined([one.answer for one in built], built) if built and len(built) == len(singles) else None


def _shown_in(answer: Answer, expected: Mapping[str, Any], group: Rows) -> dict[str, Any] | None:
    for row in group:
        shown = {key_of(value): value for value in row.values() if isinstance(value, str | int | float)}
        wanted = {name: expected.get(name) for name in answer.columns}
        if all(value is None or key_of(value) in shown for value in wanted.values()):
            return {name: None if value is None else shown[key_of(value)] for name, value in wanted.items()}
    return None


def _joined(answer: Any, built: Sequence[Built]) -> Built:
    return Built(answer, _NOWHERE.union(*(one.places for one in built)))
