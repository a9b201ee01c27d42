"""What the pairs come to: areas, curves, thresholds, and what those that ship do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Literal, NamedTuple

from envolve.memory.novelty import Thresholds

from ..figures import Figure, rate_figure
from .measuring import BaseResult, Pair
from .roc import Area, Point, Scored, area, curve, threshold_for

View = Literal["text", "structure", "both"]
AREA = 0.98
"""The goal of the area under the curve of both views together."""
SHIPPED = Thresholds()

SCORES: Mapping[View, Callable[[Pair], float]] = MappingProxyType(
    {
        "text": lambda pair: pair.text,
        "structure": lambda pair: pair.structure,
        "both": lambda pair: max(
            pair.text - SHIPPED.environment_text, pair.structure - SHIPPED.environment_structure
        ),
    }
)
"""A pair's score in each view. `both` is how novelty decides: by how much a pair exceeds the threshold of the view in
which it exceeds it most; at 0 or above it is a copy."""


class KindRow(NamedTuple):
    """Pairs of one kind, and how many of them the shipped thresholds call copies: by text, by structure, by either.
    `text`, `structure`: medians and least (of near-copies) or greatest (of distinct pairs) similarity."""

    kind: str
    near: bool
    n: int
    by_text: int
    by_structure: int
    by_either: int
    text: tuple[float, float]
    structure: tuple[float, float]


class Limit(NamedTuple):
    """The thresholds that reject at most a wanted share of the distinct pairs (for both: half of it in each view), and
    the share of near-copies that they catch."""

    view: View
    text: float | None
    structure: float | None
    caught: float
    rejected: float


def pairs_of(results: Sequence[BaseResult]) -> list[Pair]:
    return list(chain.from_iterable(result.pairs for result in results))


def scored(pairs: Sequence[Pair], view: View) -> list[Scored]:
    return [Scored(pair.base, pair.near, SCORES[view](pair)) for pair in pairs]


def areas(pairs: Sequence[Pair], seed: int) -> dict[View, Area]:
    return {view: area(scored(pairs, view), seed=seed) for view in SCORES}


def curves(pairs: Sequence[Pair]) -> dict[View, list[Point]]:
    return {view: curve(scored(pairs, view)) for view in SCORES}


def novelty_figures(pairs: Sequence[Pair], seed: int) -> list[Figure]:
    """Areas with their intervals, then what the shipped thresholds do."""
    near, far = ([pair for pair in pairs if pair.near == side] for side in (True, False))
    hard = [pair for pair in far if pair.kind == "many shared parts"]
    figures = [
        Figure(
            f"area under the curve, {view}",
            found.value,
            "",
            len(pairs),
            found.interval,
            AREA if view == "both" else None,
            "higher",
        )
        for view, found in areas(pairs, seed).items()
    ]
    return [
        *figures,
        *(rate_figure(f"near-copies caught by {view}", sum(map(caught, near)), len(near)) for view, caught in CALLED),
        rate_figure("distinct pairs rejected", sum(map(called, far)), len(far), better="lower"),
        *(
            [
                rate_figure(
                    "distinct pairs with many shared parts rejected",
                    sum(map(called, hard)),
                    len(hard),
                    better="lower",
                )
            ]
            if hard
            else []
        ),
    ]


def called(pair: Pair) -> bool:
    """Whether the shipped thresholds call it a copy."""
    return _by_text(pair) or _by_structure(pair)


def _by_text(pair: Pair) -> bool:
    return pair.text >= SHIPPED.environment_text


def _by_structure(pair: Pair) -> bool:
    return pair.structure >= SHIPPED.environment_structure


CALLED: tuple[tuple[str, Callable[[Pair], bool]], ...] = (
    ("text", _by_text),
    ("structure", _by_structure),
    ("either", called),
)


def kind_rows(pairs: Sequence[Pair]) -> list[KindRow]:
    """In the order of their first pair: near-copies, then distinct ones."""
    kinds = dict.fromkeys((not pair.near, pair.kind) for pair in pairs)
    return [
        _kind_row(kind, not far, [pair for pair in pairs if (pair.kind, pair.near) == (kind, not far)])
        for far, kind in sorted(kinds, key=lambda key: key[0])
    ]


def _kind_row(kind: str, near: bool, pairs: Sequence[Pair]) -> KindRow:
    return KindRow(
        kind,
        near,
        len(pairs),
        sum(map(_by_text, pairs)),
        sum(map(_by_structure, pairs)),
        sum(map(called, pairs)),
        _spread([pair.text for pair in pairs], near),
        _spread([pair.structure for pair in pairs], near),
    )


def _spread(values: Sequence[float], near: bool) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[0] if near else ordered[-1]


def limits(pairs: Sequence[Pair], rate: float) -> list[Limit]:
    text, structure = (_least(pairs, view, rate) for view in ("text", "structure"))
    half_text, half_structure = (_least(pairs, view, rate / 2) for view in ("text", "structure"))
    return [
        _limit("text", pairs, text, None),
        _limit("structure", pairs, None, structure),
        _limit("both", pairs, half_text, half_structure),
    ]


def _least(pairs: Sequence[Pair], view: str, rate: float) -> float:
    return threshold_for(scored(pairs, "text" if view == "text" else "structure"), rate)


def _limit(view: View, pairs: Sequence[Pair], text: float | None, structure: float | None) -> Limit:
    caught, rejected = (_share(pairs, near, text, structure) for near in (True, False))
    return Limit(view, text, structure, caught, rejected)


def _share(pairs: Sequence[Pair], near: bool, text: float | None, structure: float | None) -> float:
    side = [pair for pair in pairs if pair.near == near]
    hit = sum(
        (text is not None and pair.text >= text) or (structure is not None and pair.structure >= structure)
        for pair in side
    )
    return hit / len(side) if side else 0.0
