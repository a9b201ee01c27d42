"""`envolve report`: the run as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json, say
from .status import RunFolder


def report(
    folder: RunFolder,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", readable=False, metavar="FILE", help="The file to write (default RUN/report.html)."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write a self-contained HTML report with charts. Works while the run goes."""
    from envolve.report import write_report
    from envolve.runs import reading

    with reading(folder, again="envolve report {run}") as store:
        path = write_report(store, folder, output)
    if as_json:
        print_json({"run": str(folder), "report": str(path)})
    else:
        say(f"Written: {path}")
