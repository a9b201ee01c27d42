"""A bench's figures for people and for programs, the same way for all benches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..output import print_table

if TYPE_CHECKING:
    from envolve.bench.figures import Figure

_NAMES = ("name", "value", "unit", "n", "interval", "goal", "better", "met")
_MET = {True: "met", False: "missed", None: ""}


def figures_json(bench: str, figures: Sequence[Figure], seconds: float, **more: Any) -> dict[str, Any]:
    """`bench`, `rows`, `machine`, `seconds`, and what a bench has besides. The value of nothing measured is null."""
    from envolve.bench.figures import machine

    rows = [
        {name: getattr(figure, name) for name in _NAMES}
        | {"value": None if math.isnan(figure.value) else figure.value}
        for figure in figures
    ]
    return {"bench": bench, "rows": rows, "machine": machine(), "seconds": seconds, **more}


def show_figures(title: str, figures: Sequence[Figure]) -> None:
    print_table(
        title,
        ("figure", "value", "unit", "n", "interval", "goal", ""),
        [
            (
                figure.name,
                "–" if math.isnan(figure.value) else f"{figure.value:.4g}",
                figure.unit,
                figure.n,
                "–".join(f"{bound:.4g}" for bound in figure.interval or ()),
                "" if figure.goal is None else f"{'≤' if figure.better == 'lower' else '≥'} {figure.goal:g}",
                _MET[figure.met],
            )
            for figure in figures
        ],
    )
