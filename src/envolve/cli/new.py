"""`envolve new`: one environment, no loop."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from envolve.display import counted

from .output import JsonFlag, print_json, say
from .players import ArchitectOption, CoderOption, ModelOption, TaskWriterOption


def new(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="What the environment is about, in your own words.")
    ],
    output: Annotated[
        Path, typer.Option("-o", readable=False, metavar="DIR", help="The folder to put the package in.")
    ] = Path("runs/environments"),
    tasks: Annotated[int, typer.Option(metavar="N", min=0, help="Tasks to write and audit.")] = 6,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="tiny, small, usual, large, huge, or tables=N,tools=N,rows=N (at least). Default: usual; a model that"
            " designs decides by itself.",
        ),
    ] = None,
    surface: Annotated[
        Literal["plain", "varied"],
        typer.Option(
            help="How tools look from outside: alike everywhere, or drawn for this world if it is procedural."
        ),
    ] = "varied",
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    model: ModelOption = None,
    architect: ArchitectOption = None,
    coder: CoderOption = None,
    task_writer: TaskWriterOption = None,
    critic: Annotated[
        list[str] | None,
        typer.Option(metavar="CRITIC", help="A reviewer: rules, a model, or module:attr; may be repeated."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Build one environment with audited tasks. Nothing is measured, repaired or remembered.

    Exit code 1 if a confirmed finding blocks.
    """
    import asyncio

    from envolve.agents.team import PROCEDURAL
    from envolve.building import build_one
    from envolve.teams import team_spec
    from envolve.world_sizes import completed_size, world_size

    # The evolver has nothing to do here; it goes with the task writer so that the team fits together.
    spec = team_spec(
        model, critics=critic, architect=architect, coder=coder, task_writer=task_writer, evolver=task_writer
    )
    named = world_size(size) if size is not None else {}
    wanted = completed_size(named, composed=spec.architect == PROCEDURAL)
    tell = say if spec.models and not as_json else None
    built = asyncio.run(
        build_one(scenario, output, tasks=tasks, seed=seed, size=wanted, surface=surface, spec=spec, on_step=tell)
    )
    if as_json:
        print_json(built.as_json())
    else:
        sizes = f"{built.tables} tables, {built.tools} tools, {built.rows} rows"
        say(f"{built.path}: {sizes}, {counted(len(built.sound), 'sound task')}")
        if built.pairs:
            say(f"  counted as {len(built.sound) - built.pairs}: a refusal and its twin are one")
        for name, reason in built.rejected.items():
            say(f"  not kept: {name} ({reason})")
        for line in built.findings:
            say(f"  finding: {line}")
        if built.trade:
            say(f"Taken for: {built.trade}")
        if built.note:
            say(built.note)
        if built.spent.tokens:
            say(f"Spent: {built.spent.line}")
        if built.sound:
            say(f"Try: envolve solve {shlex.quote(str(built.path))} {built.sound[0]} --solver gold")
    raise typer.Exit(1 if built.findings else 0)
