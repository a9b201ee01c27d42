"""What going wrong looks like: another row of the result, another value of the same kind, a number a little off.

Each function gives a plausible wrong value, or None where nothing wrong is at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from .seen import Seen


def wrong_row(right: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], rng: Random) -> dict[str, Any] | None:
    """A sibling of the picked row among the rows it was picked from; columns that these lack are nudged."""
    others = [row for row in rows if any(name in row and row[name] != value for name, value in right.items())]
    if not others:
        return None
    alike = sorted(others, key=lambda row: -_shared(row, right))
    # The most similar row is the likeliest to be taken for the right one.
    row = alike[min(int(rng.expovariate(1.0)), len(alike) - 1)]
    return {name: row[name] if name in row else nudged(value, rng) for name, value in right.items()}


def wrong_argument(
    args: Mapping[str, Any], fields: Mapping[str, Any], seen: Seen, rng: Random
) -> dict[str, Any] | None:
    """The arguments with one replaced: by a sibling seen in a result, another word of its enum, or a value nearby."""
    names = list(args)
    rng.shuffle(names)
    for name in names:
        wrong = _sibling(name, args[name], fields.get(name, {}), seen, rng)
        if wrong is not None:
            return {**args, name: wrong}
    return None


def wrong_rule(right: int | None, options: Sequence[int], rng: Random) -> int | None:
    """Another of the rules that stand to choose from."""
    others = [rule for rule in options if rule != right]
    return rng.choice(others) if others else right


def wrong_answer(answer: Any, seen: Seen, rng: Random) -> Any:
    """An answer that comes near: one item too few, another number, another name."""
    if isinstance(answer, dict) and answer:
        name = rng.choice(sorted(answer))
        return {**answer, name: _other(name, answer[name], seen, rng)}
    if isinstance(answer, list):
        return _wrong_list(answer, seen, rng)
    return _other("", answer, seen, rng)


def nudged(value: Any, rng: Random) -> Any:
    """A number, date or text a little off."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1)) * max(1, abs(value) // 10)
    if isinstance(value, float):
        return round(value * rng.choice((0.9, 1.1)) + 0.5, 2)
    if isinstance(value, str):
        return _later(value, rng) or f"{value} (?)"
    return value


def _wrong_list(answer: list[Any], seen: Seen, rng: Random) -> list[Any]:
    if len(answer) > 1 or not answer:
        return answer[:-1] if answer else ["none"]
    item = answer[0]
    return [wrong_answer(item, seen, rng)] if isinstance(item, dict) else [_other("", item, seen, rng)]


def _other(name: str, value: Any, seen: Seen, rng: Random) -> Any:
    """Another seen value beside `value` (its field's, or that of whatever field holds it), else one nearby."""
    other = seen.other(name, value, rng) if name else None
    return other if other is not None else seen.beside(value, rng) or nudged(value, rng)


def _sibling(name: str, value: Any, field: Mapping[str, Any], seen: Seen, rng: Random) -> Any:
    if "enum" in field:
        others = [other for other in field["enum"] if other != value]
        return rng.choice(others) if others else None
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return value[:-1] if len(value) > 1 else None
    other = seen.other(name, value, rng)
    if other is not None:
        return other
    if isinstance(value, int) and name.endswith("_id"):
        return None
    return _in_bounds(nudged(value, rng), field) if isinstance(value, int | float) else _later(str(value), rng)


def _in_bounds(value: Any, field: Mapping[str, Any]) -> Any:
    return max(field.get("minimum", value), min(field.get("maximum", value), value))


def _later(value: str, rng: Random) -> str | None:
    """A date or datetime some days off; None for any other text."""
    try:
        moved = datetime.fromisoformat(value) + timedelta(days=rng.choice((-1, 1, 7)))
    except ValueError:
        return None
    return str(moved.date()) if len(value) == 10 else f"{moved:%Y-%m-%d %H:%M:%S}"


def _shared(row: Mapping[str, Any], right: Mapping[str, Any]) -> int:
    """How many values (or first words of texts) two rows have in common."""
    return sum(_first(row.get(name)) == _first(value) for name, value in right.items())


def _first(value: Any) -> Any:
    return value.split(" ")[0] if isinstance(value, str) else value
