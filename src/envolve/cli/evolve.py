"""`envolve evolve`: one step by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json, say


def evolve(
    path: Annotated[Path, typer.Argument(readable=False, metavar="ENV", help="An environment package.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="The parent task's id.")],
    operator: Annotated[str, typer.Option(metavar="NAME", help="The operator; an unknown one lists all.")],
    solver: Annotated[
        str | None, typer.Option(metavar="SOLVER", help="Compare parent and child by this solver's rollouts.")
    ] = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="Rollouts of each, interleaved.")] = 24,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    keep: Annotated[bool, typer.Option("--keep", help="Write a sound child into the package.")] = False,
    evolver: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that derives the child; it evolves any task.")
    ] = None,
    task_writer: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A model that writes the child's verifier (default: the evolver's)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Derive a child task by an operator, audit it, and compare it with its parent.

    Exit code 1 if it is not sound.
    """
    import asyncio

    from envolve.evolving import evolve_one
    from envolve.teams import team_spec

    spec = team_spec(evolver=evolver, task_writer=task_writer or evolver)
    step = asyncio.run(evolve_one(path, task, operator, solver=solver, count=count, seed=seed, keep=keep, spec=spec))
    if as_json:
        print_json(step.as_json())
    else:
        for line in step.lines():
            say(line)
    raise typer.Exit(0 if step.grade == "sound" else 1)
