"""`envolve doctor`: is everything in place?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json, print_table


def doctor(
    run: Annotated[Path | None, typer.Argument(metavar="[RUN]", help="A run whose models are asked.")] = None,
    model: Annotated[list[str] | None, typer.Option(metavar="MODEL", help="A model to ask; may be repeated.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A YAML file of `envolve run` whose models are asked.")
    ] = None,
    folder: Annotated[
        Path, typer.Option("--folder", readable=False, metavar="DIR", help="Where runs are to be kept.")
    ] = Path("."),
    as_json: JsonFlag = False,
) -> None:
    """Check Python, SQLite, embedder, index, workers, disk, and each model with two tiny calls. Exit code 3 if something
    is missing."""
    from envolve.diagnosis import configured_models, diagnose

    found = diagnose(folder, configured_models(run, config, model or []))
    if as_json:
        print_json({"checks": [check._asdict() for check in found]})
    else:
        rows = [("✓" if c.ok else "✗", c.name, c.found, c.remedy) for c in found]
        print_table("", ("", "what", "found", "what to do"), rows)
    raise typer.Exit(0 if all(check.ok for check in found) else 3)
