"""`envolve bench runtime`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..output import JsonFlag, print_json, print_table, say
from .showing import figures_json, show_figures

if TYPE_CHECKING:
    from envolve.bench.figures import Figure


def runtime(as_json: JsonFlag = False) -> None:
    """Speed of worlds: opening, calling, over MCP, memory. Takes a minute on an idle machine.

    Beside it stands what is known of AWM's runtime, quoted with its source and not measured.
    """
    from envolve.bench.figures import machine
    from envolve.bench.runtime.awm import QUOTED, SOURCE
    from envolve.bench.runtime.suite import runtime_figures

    started = time.perf_counter()
    figures = runtime_figures()
    seconds = time.perf_counter() - started
    if as_json:
        quoted = [{**figure._asdict(), "source": SOURCE} for figure in QUOTED]
        print_json(figures_json("runtime", figures, seconds, quoted=quoted))
        return
    show_figures(f"Runtime on {machine()}", figures)
    _show_quoted(figures)
    say(f"{seconds:.0f} s. Repeat with: envolve bench runtime")


def _show_quoted(figures: Sequence[Figure]) -> None:
    """AWM's figures, as quoted, beside the nearest that was just measured."""
    from envolve.bench.runtime.awm import QUOTED, SOURCE

    measured = {figure.name: figure for figure in figures}
    print_table(
        "AWM, quoted and not measured here",
        ("figure", "AWM", "here", "unit", "which", "not the same in"),
        [
            (
                quoted.name,
                f"{quoted.value:g}",
                f"{measured[quoted.beside].value:.4g}" if quoted.beside in measured else "–",
                quoted.unit,
                quoted.beside,
                quoted.differs,
            )
            for quoted in QUOTED
        ],
    )
    say(f"Source: {SOURCE}. Another machine: the columns say the order of size, no ratio.")
