"""The one JSON object in what a model wrote: bare, fenced, after its thinking, with words around it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import apsw

_THINKING = re.compile(r"^\s*<(think|thinking)>.*?</\1>", re.DOTALL)
_FENCED = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n(.*?)```", re.DOTALL)
_STARTS = 40
"""How many opening braces of a text are tried as the object's beginning."""
_EXCERPT = 40


class NoObject(ValueError):
    """What is wrong with the text, in words that its writer can act on."""


def find_object(text: str) -> dict[str, Any]:
    """Errors: NoObject."""
    bare = _THINKING.sub("", text).strip()
    if "{" not in bare:
        raise NoObject("There is no JSON object in it.")
    whole = [part for part in _candidates(bare) if part.startswith("{")]
    for read in (_strict, _lenient):
        for candidate in whole:
            found = read(candidate)
            if isinstance(found, dict):
                return found
    embedded = _embedded(bare)
    if embedded is not None:
        return embedded
    raise NoObject(_complaint(bare))


def _candidates(text: str) -> Iterator[str]:
    yield text
    yield from (match.strip() for match in sorted(_FENCED.findall(text), key=len, reverse=True))
    yield text[text.index("{") : text.rfind("}") + 1]


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


def decoded(text: str) -> Any:
    """Raises ValueError or RecursionError for what is no JSON: NaN and numbers beyond all bounds are none either."""
    return _DECODER.decode(text)


def _embedded(text: str) -> dict[str, Any] | None:
    """The longest object that stands among words."""
    best, length, place = None, 0, 0
    for _ in range(_STARTS):
        place = text.find("{", place)
        if place < 0:
            break
        try:
            found, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if end - place > length:
            best, length = found, end - place
        place = end
    return best


def _complaint(text: str) -> str:
    start = text.index("{")
    end = text.rfind("}") + 1
    body = text[start : end if end > start else len(text)]
    try:
        _DECODER.decode(body)
    except json.JSONDecodeError as error:
        before = body[max(0, error.pos - _EXCERPT) : error.pos]
        after = body[error.pos : error.pos + _EXCERPT]
        return f"It is no valid JSON: {error.msg} at line {error.lineno}, after {before!r}, before {after!r}."
    except (ValueError, RecursionError) as error:
        return f"It is no valid JSON: {error}."
    return "There is no JSON object in it."


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON value")


_DECODER = json.JSONDecoder(strict=False, parse_float=_finite, parse_constant=_constant)
