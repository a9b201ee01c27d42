"""`envolve bench …`: the measurements that the README quotes."""

from __future__ import annotations

import time
from typing import Any

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
    rows: list[dict[str, Any]] = [
        {
            "name": figure.name,
            "value": figure.value,
            "unit": figure.unit,
            "n": figure.n,
            "interval": figure.interval,
            "goal": figure.goal,
            "met": figure.met,
        }
        for figure in figures
    ]
    seconds = time.perf_counter() - started
    if as_json:
        print_json({"bench": "runtime", "rows": rows, "machine": machine(), "seconds": seconds})
        return
    words = {True: "met", False: "missed", None: ""}
    print_table(
        f"Runtime on {machine()}",
        ("figure", "value", "unit", "n", "spread", "goal", ""),
        [
            (
                r["name"], f"{r['value']:.4g}", r["unit"], r["n"],
                "–".join(f"{bound:.4g}" for bound in r["interval"] or ()), r["goal"], words[r["met"]],
            )
            for r in rows
        ],
    )  # fmt: skip
    say(f"{seconds:.0f} s. Repeat with: envolve bench runtime")
