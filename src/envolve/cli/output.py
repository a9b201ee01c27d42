"""What commands print: one JSON object, or lines and tables for people.

Everything printed may come from a model or a package, so it goes through `printable`. Tables fit the terminal;
elsewhere (a file, a pipe) nothing is wrapped.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

from envolve.display import printable

if TYPE_CHECKING:
    from rich.console import Console

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]

_UNWRAPPED = 10_000
"""Columns of what is no terminal."""
_BESIDE = 3
"""Columns that a table's cell takes besides its text."""
_NARROWEST = 24
"""Columns below which a wrapped text is no pleasure to read."""


_json_to: ContextVar[TextIO | None] = ContextVar("json_to", default=None)
"""Standard output as it was before `only_json`."""


def print_json(value: Any) -> None:
    """One line of JSON on standard output; the keys are a contract, only ever added to."""
    stream = _json_to.get() or sys.stdout
    unicode = (stream.encoding or "").lower().replace("-", "") == "utf8"
    stream.write(json.dumps(value, ensure_ascii=not unicode) + "\n")
    stream.flush()


@contextmanager
def only_json() -> Iterator[None]:
    """Meanwhile only `print_json` writes to standard output. Whatever else would, code of the user's and processes
    that are started included, writes to standard error."""
    stdout = sys.stdout
    with ExitStack() as stack:
        stream = stack.enter_context(_descriptor_apart(stdout)) if _is_descriptor(stdout) else stdout
        token = _json_to.set(stream)
        sys.stdout = sys.stderr
        try:
            yield
        finally:
            sys.stdout = stdout
            _json_to.reset(token)


def _is_descriptor(stdout: TextIO) -> bool:
    """Whether a stream is the process's own standard output, which processes that are started inherit."""
    try:
        return stdout.fileno() == 1
    except io.UnsupportedOperation:
        return False


@contextmanager
def _descriptor_apart(stdout: TextIO) -> Iterator[TextIO]:
    """Standard output under another number, while its own leads to standard error."""
    stdout.flush()
    with open(os.dup(1), "w", encoding=stdout.encoding, errors=stdout.errors) as stream:
        os.dup2(sys.stderr.fileno(), 1)
        try:
            yield stream
        finally:
            stdout.flush()
            os.dup2(stream.fileno(), 1)


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
    """A table; a column of numbers is set to the right. Where it is too wide for the terminal, one text column is
    wrapped if that helps, else each row becomes a few lines of its own, in which no id is broken."""
    listed = [tuple(row) for row in rows]
    paper = console()
    widths = [max(map(len, map(printable, cells))) for cells in zip(columns, *listed, strict=True)]
    wanted, widest = sum(widths) + _BESIDE * len(widths), max(range(len(widths)), key=lambda place: widths[place])
    words = [word for row in listed for word in printable(row[widest]).split()]
    narrowest = max([_NARROWEST, *map(len, words)])
    wraps = any(" " in printable(row[widest]) for row in listed)
    if wanted <= paper.width or (wraps and wanted - widths[widest] + narrowest <= paper.width):
        text = _drawn(paper, title, columns, listed, widest)
    else:
        text = "\n".join([*([title] if title else []), *_stacked(paper.width, columns, listed)])
    lines = [line.rstrip() for line in text.splitlines()]
    sys.stdout.write("\n".join([*(line for line in lines if line), "", ""]))


def _drawn(paper: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], wrapped: int) -> str:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        numbers = bool(rows) and all(isinstance(row[place], int | float) for row in rows)
        justify: Literal["right", "left"] = "right" if numbers else "left"
        table.add_column(name, overflow="fold", justify=justify, no_wrap=place != wrapped)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    with paper.capture() as captured:
        paper.print(table)
    return captured.get()


def _stacked(width: int, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """The first cells without a heading and the next one begin a row's lines; the others follow with their names."""
    import textwrap

    begins = next(place for place, name in enumerate(columns) if name) + 1
    for row in rows:
        cells = [printable(cell) for cell in row]
        rest = [f"{name} {cell}" for name, cell in zip(columns[begins:], cells[begins:], strict=True) if cell]
        yield " ".join(cells[:begins])
        yield from textwrap.wrap(
            " · ".join(rest),
            width,
            initial_indent="  ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def interval(bounds: Sequence[float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.2f}–{bounds[1]:.2f}"
