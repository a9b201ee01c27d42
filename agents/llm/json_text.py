"""The one JSON object in what a model wrote: bare, fenced, after its thinking, with words around it.

What stands within a longer object is never taken for the whole: an object with a mistake in it is told with its place.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import apsw

_THINKS = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)
_THOUGHT = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_OPENING = re.compile(r"\{|\[(?=\s*\{)")
_OBJECT_LIKE = re.compile(r"""[\[{]\s*[{"']""")
"""How an object or a list of objects begins; braces that stand among words begin otherwise."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_EXCERPT = 40


class NoObject(ValueError):
    """What is wrong with the text, in words that its writer can act on."""


class _Group(NamedTuple):
    """What stands from an outermost bracket to its partner; to the text's end where there is none."""

    start: int
    end: int
    is_closed: bool


def find_object(text: str) -> dict[str, Any]:
    """Errors: NoObject."""
    whole = _strict(text)
    if isinstance(whole, dict):
        return whole
    answer = _answer(text)
    first, last = answer.find("{"), answer.rfind("}")
    if first < 0:
        raise NoObject("There is no JSON object in it.")
    for read in (_strict, _lenient):
        for candidate in (answer, answer[first : last + 1]):
            found = read(candidate)
            if isinstance(found, dict):
                return found
    return _longest(answer)


def decoded(text: str) -> Any:
    """Raises ValueError or RecursionError for what is no JSON: NaN and numbers beyond all bounds are none either."""
    return _DECODER.decode(text)


def _answer(text: str) -> str:
    """What comes after the thinking. Its first tag is missing where the server's template had written it."""
    ends = [0, *(end.end() for end in _THOUGHT.finditer(text))]
    # A tag may also stand in the object's own texts: where all that follows the thinking is the object, that is it.
    after_first = text[ends[:2][-1] :].strip()
    answer = after_first if isinstance(_strict(after_first), dict) else text[ends[-1] :].strip()
    if _THINKS.search(answer.partition("{")[0]):
        raise NoObject("Its thinking has no end: close it, and write the JSON object after it.")
    return answer


def _strict(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _lenient(text: str) -> Any:
    """SQLite reads JSON5: trailing commas, comments, single quotes."""
    try:
        row = apsw.Connection(":memory:").execute("SELECT json(?)", (text,)).fetchone()
    except (apsw.Error, UnicodeEncodeError):
        return None
    return _strict(row[0]) if row else None


def _longest(text: str) -> dict[str, Any]:
    """The longest object that stands among words, unless one that cannot be read stands before it or is longer."""
    best, length = None, 0
    unread: _Group | None = None
    for group in _groups(text):
        found = _read(text, group)
        size = group.end - group.start
        if isinstance(found, dict):
            best, length = (found, size) if size > length else (best, length)
        elif size > length and (not group.is_closed or _OBJECT_LIKE.match(text, group.start)):
            raise NoObject(_complaint(text, group.start))
        unread = unread or group
    if best is None:
        raise NoObject(_complaint(text, unread.start if unread else text.index("{")))
    return best


def _groups(text: str) -> Iterator[_Group]:
    """Outermost brackets, in order; those in quoted texts within them do not count."""
    place = 0
    while opening := _OPENING.search(text, place):
        start, kind, depth = opening.start(), opening.group(), 0
        for token in _TOKEN.finditer(text, start):
            depth += {kind: 1, _CLOSING[kind]: -1}.get(token.group(), 0)
            if not depth:
                break
        place = len(text) if depth else token.end()
        yield _Group(start, place, not depth)


def _read(text: str, group: _Group) -> Any:
    part = text[group.start : group.end]
    found = _strict(part)
    return _lenient(part) if found is None and group.is_closed else found


def _complaint(text: str, start: int) -> str:
    try:
        _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        before = text[max(start, error.pos - _EXCERPT) : error.pos]
        after = text[error.pos : error.pos + _EXCERPT]
        place = f"line {error.lineno}, column {error.colno}"
        return f"It is no valid JSON: {error.msg} at {place}, after {before!r}, before {after!r}."
    except (ValueError, RecursionError) as error:
        return f"It is no valid JSON: {error}."
    return "It is a list; one JSON object is wanted."


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON value")


_DECODER = json.JSONDecoder(strict=False, parse_float=_finite, parse_constant=_constant)
