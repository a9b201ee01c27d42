"""`envolve bench …`: the measurements that the README quotes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.bench.figures import Figure

app = typer.Typer(
    help="Measure, and print how to repeat it. `bench runtime` takes about a minute, more on a busy machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def bench() -> None:
    """Measure, and print how to repeat it. `bench runtime` takes about a minute, more on a busy machine."""


@app.command()
def runtime(as_json: JsonFlag = False) -> None:
    """Speed of worlds: opening, calling, over MCP, memory. Takes a minute on an idle machine.

    Beside it stands what is known of AWM's runtime, quoted with its source and not measured.
    """
    from envolve.bench.awm import QUOTED, SOURCE
    from envolve.bench.figures import machine
    from envolve.bench.suite import runtime_figures

    started = time.perf_counter()
    figures = runtime_figures()
    seconds = time.perf_counter() - started
    if as_json:
        names = ("name", "value", "unit", "n", "interval", "goal", "better", "met")
        rows = [{name: getattr(figure, name) for name in names} for figure in figures]
        quoted = [{**figure._asdict(), "source": SOURCE} for figure in QUOTED]
        told = {"bench": "runtime", "rows": rows, "machine": machine(), "seconds": seconds, "quoted": quoted}
        print_json(told)
        return
    words = {True: "met", False: "missed", None: ""}
    print_table(
        f"Runtime on {machine()}",
        ("figure", "value", "unit", "n", "spread", "goal", ""),
        [
            (
                figure.name,
                f"{figure.value:.4g}",
                figure.unit,
                figure.n,
                "–".join(f"{bound:.4g}" for bound in figure.interval or ()),
                figure.goal,
                words[figure.met],
            )
            for figure in figures
        ],
    )
    _show_quoted(figures)
    say(f"{seconds:.0f} s. Repeat with: envolve bench runtime")


def _show_quoted(figures: Sequence[Figure]) -> None:
    """AWM's figures, as quoted, beside the nearest that was just measured."""
    from envolve.bench.awm import QUOTED, SOURCE

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
