"""What can be read off a result: values of rows that are singled out, columns of rows that have something in common,
counts, sums and means of them.

Rows are singled out by being the only ones, by coming first or last in some order of numbers or dates, or by holding
a value that is asked about; a value by standing in more rows than any other. So the right name somewhere in a long list
is not taken for an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from ...environments.answer_matching.dates import read_moment
from ...environments.answer_matching.texts import plain

Rows = list[Mapping[str, Any]]
_MOST_GROUPS = 16


class Readout(NamedTuple):
    """`values` that answer a question about one thing, by `key_of`; `lists` of values, by their keys; `rows` that
    make a table, the groups of rows that results are told in."""

    values: dict[Any, Any]
    lists: dict[frozenset[Any], list[Any]]
    rows: list[Rows]


def readout(result: Any, known: Collection[Any]) -> Readout:
    """`known`: values that are asked about."""
    found = Readout({}, {}, [])
    rows = rows_of(result)
    if not rows:
        for value in (result, *(result.values() if isinstance(result, Mapping) else ())):
            _put(found, value)
        return found
    if isinstance(result, Mapping) and len(rows) == 1 and rows[0] is result:
        _read_one(found, rows[0])
        return found
    for group in islice(_groups(rows, known), _MOST_GROUPS):
        _read_group(found, group)
    for row in _extremes(rows):
        _read_one(found, row)
    return found


def _read_group(found: Readout, group: Rows) -> None:
    found.rows.append(group)
    _put(found, len(group))
    for name in group[0]:
        values = [value for row in group if _is_scalar(value := row.get(name))]
        distinct = {key_of(value): value for value in values}
        if distinct:
            found.lists.setdefault(frozenset(distinct), list(distinct.values()))
        if len(distinct) == 1 and not _is_id(name):
            _put(found, values[0])
        elif len(distinct) < len(values) and not _is_id(name):
            _put_commonest(found, values)
        numbers = [value for value in values if isinstance(value, int | float)]
        if len(numbers) == len(values) > 1 and not _is_id(name):
            for total in (sum(numbers), sum(numbers) / len(numbers), max(numbers), min(numbers)):
                _put(found, total)
    if len(group) == 1:
        _read_one(found, group[0])


def _read_one(found: Readout, row: Mapping[str, Any]) -> None:
    for name, value in row.items():
        if isinstance(value, list):
            inner = [item for item in value if isinstance(item, Mapping)]
            if inner:
                _read_group(found, inner)
            elif value:
                found.lists.setdefault(frozenset(map(key_of, value)), value)
                _put(found, len(value))
        elif not _is_id(name):
            _put(found, value)


def _put(found: Readout, value: Any) -> None:
    if _is_scalar(value):
        found.values.setdefault(key_of(value), value)


def _put_commonest(found: Readout, values: list[Any]) -> None:
    (first, most), (_, next_most) = Counter(map(key_of, values)).most_common(2)
    if most > next_most:
        _put(found, next(value for value in values if key_of(value) == first))


def _groups(rows: Rows, known: Collection[Any]) -> Iterator[Rows]:
    """All rows, then those that hold a known value in one column, or in two."""
    yield rows
    groups: dict[tuple[str, Any], list[int]] = {}
    for place, row in enumerate(rows):
        for name, value in row.items():
            if _is_scalar(value) and value in known:
                groups.setdefault((name, value), []).append(place)
            elif value is None:
                groups.setdefault((name, None), []).append(place)
    told = {tuple(places): None for places in groups.values() if len(places) < len(rows)}
    for places in told:
        yield [rows[place] for place in places]
    sets = [set(places) for places in told]
    for number, one in enumerate(sets):
        for other in sets[number + 1 :]:
            both = sorted(one & other)
            if both and tuple(both) not in told:
                yield [rows[place] for place in both]
    for one in sets:
        yield [row for place, row in enumerate(rows) if place not in one]


def _extremes(rows: Rows) -> Iterator[Mapping[str, Any]]:
    """The rows with the greatest and the least of a number or moment, where there is one such."""
    for name in rows[0]:
        values: list[Any] = [row.get(name) for row in rows]
        if _is_id(name) or not (all(map(_is_number, values)) or all(map(_is_moment, values))):
            continue
        for end in (max(values), min(values)):
            if values.count(end) == 1:
                yield rows[values.index(end)]


def key_of(value: Any) -> Any:
    """Equal for values that say the same: numbers by size, texts without case and accents."""
    if isinstance(value, bool):
        return ("boolean", value)
    return float(value) if isinstance(value, int | float) else _folded(str(value))


@lru_cache(maxsize=2048)
def _folded(text: str) -> str:
    return plain(text)


def rows_of(result: Any) -> Rows:
    """The items of a list result; an object is a single row."""
    if isinstance(result, Mapping):
        items = result.get("items")
        found = items if isinstance(items, list) else [result]
        return [row for row in found if isinstance(row, Mapping)]
    return []


def _is_id(name: str) -> bool:
    return name == "id" or name.endswith("_id")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and value[:1].isdigit() and read_moment(value) is not None


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)
