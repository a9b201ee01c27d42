"""Arguments that fit a tool's JSON Schema, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from .seen import Seen

REUSE = 0.7
"""How often a value seen in a result is taken rather than a new one."""
FILL_OPTIONAL = 0.3
SMALL = 20
"""Integers without bounds are drawn up to this."""


def draw_arguments(schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> dict[str, Any]:
    """Every required argument, and some of the others."""
    required = set(schema.get("required", ()))
    return {
        name: draw_value(name, field, seen, now, rng)
        for name, field in schema.get("properties", {}).items()
        if name in required or rng.random() < FILL_OPTIONAL
    }


def draw_value(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> Any:
    if "enum" in schema:
        return rng.choice(list(schema["enum"]))
    known = seen.values(name)
    if known and rng.random() < REUSE:
        return rng.choice(known)
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    return _DRAW[kind](name, schema, seen, now, rng)


def _integer(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> int:
    low = int(schema.get("minimum", 1))
    high = int(schema.get("maximum", max(low, 0) + SMALL))
    return rng.randint(low, max(low, min(high, low + 1000)))


def _number(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> float:
    low, high = float(schema.get("minimum", 0)), float(schema.get("maximum", SMALL))
    return round(rng.uniform(low, max(low, high)), 2)


def _string(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> str:
    moment = now + timedelta(days=rng.randint(-10, 20), minutes=30 * rng.randint(0, 20))
    form = schema.get("format")
    if form in _MOMENTS:
        return moment.strftime(_MOMENTS[form])
    text = rng.choice(("a", "the", "one", "note", "please", "new"))
    return text.ljust(int(schema.get("minLength", 0)), "x")[: int(schema.get("maxLength", 200))]


def _array(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> list[Any]:
    low = int(schema.get("minItems", 0))
    count = rng.randint(low, max(low, min(int(schema.get("maxItems", low + 2)), low + 2)))
    return [draw_value(name.removesuffix("s"), schema.get("items", {}), seen, now, rng) for _ in range(count)]


def _object(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> dict[str, Any]:
    return draw_arguments(schema, seen, now, rng)


def _boolean(name: str, schema: Mapping[str, Any], seen: Seen, now: datetime, rng: Random) -> bool:
    return rng.random() < 0.5


_MOMENTS = {"date": "%Y-%m-%d", "date-time": "%Y-%m-%d %H:%M:%S", "time": "%H:%M"}
_DRAW = {
    "integer": _integer,
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
    "boolean": _boolean,
}
