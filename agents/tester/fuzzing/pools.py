"""Values for parameters: Hypothesis draws what the schema admits, boundaries and wrong values are listed.

Hypothesis is fed bytes of our own: its usual engine mixes in constants of whichever modules are loaded and
writes to the working folder, so its values would depend on more than the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ....environments.canonical import canonical_json, seed_from
from ....environments.models import Param

_EXAMPLES = 16
_ATTEMPTS = 64
_PER_RUN = 10
_BYTES = 4096


class Pools:
    """Valid values by parameter schema. The same parameters and seed give the same values."""

    def __init__(self, params: Iterable[Param], seed: int) -> None:
        distinct = {_key(param): param for param in params}
        self._values: dict[str, tuple[Any, ...]] = {}
        items = iter(sorted(distinct.items()))
        while chunk := list(islice(items, _PER_RUN)):
            self._values.update(_draw(chunk, seed))

    def valid(self, param: Param) -> Sequence[Any]:
        """Values that the schema admits; empty if none was found (a pattern that hardly anything matches)."""
        return self._values[_key(param)]


def _key(param: Param) -> str:
    shape = param.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"description", "scope", "ref"})
    return canonical_json(shape)


def _draw(chunk: Sequence[tuple[str, Param]], seed: int) -> dict[str, tuple[Any, ...]]:
    import hypothesis
    from hypothesis import strategies

    from .strategies import strategy

    drawn: list[tuple[Any, ...]] = []

    @hypothesis.settings(database=None, suppress_health_check=list(hypothesis.HealthCheck), deadline=None)
    @hypothesis.given(strategies.tuples(*(strategy(param) for _, param in chunk)))
    def collect(values: tuple[Any, ...]) -> None:
        drawn.append(values)

    given: Any = collect  # the types of Hypothesis leave out the handle that `given` adds
    draw_from: Callable[[bytes], bytes | None] = given.hypothesis.fuzz_one_input
    rng = random.Random(seed_from(seed, [key for key, _ in chunk]))
    for _ in range(_ATTEMPTS):
        draw_from(rng.randbytes(_BYTES))
        if len(drawn) == _EXAMPLES:
            break
    return {key: tuple(values[index] for values in drawn) for index, (key, _) in enumerate(chunk)}


def boundaries(param: Param) -> Iterator[Any]:
    """Values at the edge of what the schema admits, and just past it."""
    if param.enum is not None:
        yield from param.enum
    elif param.type in ("integer", "number"):
        yield from _number_edges(param)
    elif param.type == "string":
        yield from _text_edges(param)
    elif param.type == "array":
        yield []
    elif param.type == "boolean":
        yield from (True, False)


def _number_edges(param: Param) -> Iterator[Any]:
    low = param.minimum if param.minimum is not None else param.exclusive_minimum
    high = param.maximum if param.maximum is not None else param.exclusive_maximum
    whole = param.type == "integer"
    for edge in (low, high):
        if edge is not None:
            yield from (int(edge + shift) if whole else edge + shift for shift in (0, -1, 1))
    yield from (0, 1, -1, 2**31, 2**63 - 1) if whole else (0.0, 0.005, -0.5, 1e18)


def _text_edges(param: Param) -> Iterator[str]:
    if param.format is not None or param.pattern is not None:
        return
    shortest, longest = param.min_length or 0, param.max_length
    yield from ("", "x" * shortest, " ", "%", "_", "'", "Z" * (longest if longest is not None else 400))
    if longest is not None:
        yield "z" * (longest + 1)


_NUMBERS: tuple[Any, ...] = ("7", 1.5, True, [], {}, 2**70, None)
_WRONG: dict[str, tuple[Any, ...]] = {
    "integer": _NUMBERS,
    "number": ("1.5", False, [1], {}, None),
    "string": (7, True, ["x"], {"a": 1}, "2026-02-30", "not in the list", "2026-03-01T10:00:00Z", "\x00", None),
    "boolean": (1, "true", 0, None),
    "array": ("[]", 5, {}, [None], [[1]], None),
    "object": ([], "{}", 1, None),
}


def wrong(param: Param) -> tuple[Any, ...]:
    """Values that most schemas of the type refuse: other types, malformed dates, null, what is not listed."""
    return _WRONG[param.type]
