"""What commands print: one JSON object, or lines and tables for people.

Everything printed may come from a model or a package, so it goes through `printable`. Tables fit the terminal;
elsewhere (a file, a pipe) nothing is wrapped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envolve.display import printable

if TYPE_CHECKING:
    from rich.console import Console

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]

_UNWRAPPED = 10_000
"""Columns of what is no terminal."""


def print_json(value: Any) -> None:
    """One line of JSON on standard output; the keys are a contract, only ever added to."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(value, ensure_ascii=not unicode) + "\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Lines for people on standard output."""
    sys.stdout.write(f"{printable(text)}\n")
    sys.stdout.flush()


def warn(text: str) -> None:
    """A line for people on standard error."""
    sys.stderr.write(f"{printable(text)}\n")
    sys.stderr.flush()


def console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else _UNWRAPPED)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table; a column of numbers is set to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    listed = [tuple(row) for row in rows]
    table = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        numbers = bool(listed) and all(isinstance(row[place], int | float) for row in listed)
        table.add_column(name, overflow="fold", justify="right" if numbers else "left")
    for row in listed:
        table.add_row(*(Text(printable(cell)) for cell in row))
    paper = console()
    with paper.capture() as captured:
        paper.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    sys.stdout.write("\n".join([*(line for line in lines if line), "", ""]))


def interval(bounds: Sequence[float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.2f}–{bounds[1]:.2f}"
