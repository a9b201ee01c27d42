"""`envolve bench …`: the measurements that the README quotes."""

from __future__ import annotations

import time

import typer

from .output import JsonFlag, print_json, print_table, say

app = typer.Typer(help="Measure, and print how to repeat it.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure, and print how to repeat it."""


@app.command()
def runtime(as_json: JsonFlag = False) -> None:
    """Speed of worlds: opening, calling, over MCP, memory."""
    from envolve.bench.figures import machine
    from envolve.bench.suite import runtime_figures

    started = time.perf_counter()
    figures = runtime_figures()
    seconds = time.perf_counter() - started
    if as_json:
        names = ("name", "value", "unit", "n", "interval", "goal", "better", "met")
        rows = [{name: getattr(figure, name) for name in names} for figure in figures]
        print_json({"bench": "runtime", "rows": rows, "machine": machine(), "seconds": seconds})
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
    say(f"{seconds:.0f} s. Repeat with: envolve bench runtime")
