"""Hypothesis strategies from parameter schemas. Imported only when values are drawn."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from ....environments.models import Param
from ....environments.patterns import Pattern

_ALPHABET = "abcdeINSTW xyz059 .,:;!?%_-'\"()/\n&<>$éüßñçÅøЖ中🎉"
"""Listed, since Hypothesis would first build a table of all Unicode and store it in the working folder."""
_PRINTABLE = "".join(map(chr, range(32, 127)))
_EARLY, _LATE = datetime(1990, 1, 1), datetime(2060, 12, 31)
_EMAILS = ("ada@example.com", "o'neil+list@example.org", "x@example.net")


def strategy(param: Param) -> st.SearchStrategy[Any]:
    """Values that the schema admits; `ref` and `scope` are not looked at."""
    if param.enum is not None:
        return st.sampled_from(param.enum)
    return _BY_TYPE[param.type](param)


def _text(param: Param) -> st.SearchStrategy[Any]:
    shortest = param.min_length or 0
    longest = param.max_length if param.max_length is not None else max(shortest, 60)
    if param.pattern is not None:
        pattern = Pattern.of(param.pattern)  # Python's `$` also matches before a line break at the end
        matching = st.from_regex(param.pattern, alphabet=_PRINTABLE).map(str.rstrip)
        return matching.filter(lambda text: shortest <= len(text) <= longest and pattern.found_in(text))
    if param.format is not None:
        return _FORMATS[param.format]
    return st.text(_ALPHABET, min_size=shortest, max_size=max(shortest, min(longest, 200)))


def _integer(param: Param) -> st.SearchStrategy[Any]:
    low, high = _range(param)
    step = int(param.multiple_of or 1)
    return st.integers(-(-low // step), high // step).map(lambda count: count * step)


def _number(param: Param) -> st.SearchStrategy[Any]:
    low, high = _range(param)
    return st.integers(low * 100, high * 100).map(lambda hundredths: hundredths / 100)


def _range(param: Param) -> tuple[int, int]:
    """Whole numbers that the schema admits, near zero where it leaves a side open."""
    low, high = param.minimum, param.maximum
    if param.exclusive_minimum is not None:
        low = param.exclusive_minimum + 1
    if param.exclusive_maximum is not None:
        high = param.exclusive_maximum - 1
    lowest = int(low) if low is not None else min(-3, int(high or 0) - 50)
    highest = int(high) if high is not None else max(50, lowest + 50)
    return lowest, max(lowest, highest)


def _array(param: Param) -> st.SearchStrategy[Any]:
    items = strategy(param.items) if param.items is not None else st.integers(0, 9)
    fewest = param.min_items or 0
    most = max(fewest, min(param.max_items if param.max_items is not None else 4, 6))
    if param.unique_items:
        return st.lists(items, min_size=fewest, max_size=most, unique_by=repr)
    return st.lists(items, min_size=fewest, max_size=most)


def _object(param: Param) -> st.SearchStrategy[Any]:
    required = set(param.required or ())
    fields = {name: strategy(field) for name, field in sorted((param.properties or {}).items())}
    always = {name: drawn for name, drawn in fields.items() if name in required}
    maybe = {name: drawn for name, drawn in fields.items() if name not in required}
    return st.fixed_dictionaries(always, optional=maybe)


_FORMATS: dict[str, st.SearchStrategy[Any]] = {
    "date": st.dates(_EARLY.date(), _LATE.date()).map(str),
    "date-time": st.datetimes(_EARLY, _LATE).map(lambda at: at.isoformat(" ", "seconds")),
    "time": st.times().map(lambda at: at.isoformat("minutes")),
    "email": st.sampled_from(_EMAILS),
}

_BY_TYPE = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": lambda param: st.booleans(),
    "array": _array,
    "object": _object,
}
