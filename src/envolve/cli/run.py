"""`envolve run`: build, measure, evolve, until a target, a budget or Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from .output import JsonFlag

DEFAULT_RUN = Path("runs/first")


def run(
    folder: Annotated[
        Path, typer.Argument(readable=False, metavar="RUN", help="The run's folder; the same one resumes.")
    ] = DEFAULT_RUN,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A scenario in your own words; may be repeated.")
    ] = None,
    scenarios: Annotated[
        Path | None, typer.Option(readable=False, metavar="FILE", help="Scenarios: one a line, or a .yaml file.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(readable=False, metavar="FILE", help="A YAML file with any of these options.")
    ] = None,
    environments: Annotated[int | None, typer.Option(metavar="N", help="Environments wanted (default 3).")] = None,
    tasks: Annotated[
        int | None, typer.Option(metavar="N", help="Confirmed tasks wanted in each (default 6).")
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Worlds: tiny, small, usual, large, huge, or tables=N,tools=N,rows=N."),
    ] = None,
    surface: Annotated[
        Literal["plain", "varied"] | None,
        typer.Option(
            help="How tools look from outside: alike everywhere, or drawn for each procedural world (default)."
        ),
    ] = None,
    band: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="Wanted pass rate of the target (default 0.2:0.6).")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="SOLVER", help="The solver that the band is about (default slip:1)."),
    ] = None,
    solver: Annotated[
        list[str] | None, typer.Option(metavar="SOLVER", help="A further solver to measure; may be repeated.")
    ] = None,
    critic: Annotated[
        list[str] | None,
        typer.Option(metavar="CRITIC", help="rules (the default), a model, or module:attr; may be repeated."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A model for all roles: openai:gpt-5, openai:NAME@URL, anthropic:…"),
    ] = None,
    scout: Annotated[str | None, typer.Option(metavar="MODEL", help="A model that finds scenarios.")] = None,
    architect: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that designs; or procedural (the default).")
    ] = None,
    coder: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that writes tools and data; or procedural.")
    ] = None,
    task_writer: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that writes tasks and verifiers; or procedural.")
    ] = None,
    evolver: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model that hardens and softens tasks; or procedural.")
    ] = None,
    fault_rate: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0, max=1, help="Plant a fault in this share of environments (default 0)."),
    ] = None,
    supervisor: Annotated[str | None, typer.Option(metavar="NAME", help="How work is chosen: uniform.")] = None,
    budget_usd: Annotated[
        float | None, typer.Option(metavar="USD", help="Stop before this many dollars are spent.")
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Stop before this many tokens are used.")
    ] = None,
    max_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop this sitting after 90s, 45m, 8h.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Random seed (default 0).")] = None,
    engine: Annotated[str | None, typer.Option(metavar="NAME", help="Where work runs: local.")] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes (default: one a core).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Build environments, measure and evolve their tasks until enough are confirmed. The same command resumes."""
    from envolve.api import run as run_now
    from envolve.options import run_config
    from envolve.resuming import check_resumable, typed

    from .frozen import warn_of_edits_in_run
    from .progress import Progress

    asked: dict[str, Any] = {
        "environments": environments,
        "tasks": tasks,
        "size": size,
        "surface": surface,
        "band": band,
        "target": target,
        "solvers": solver,
        "critics": critic,
        "model": model,
        "scout": scout,
        "architect": architect,
        "coder": coder,
        "task_writer": task_writer,
        "evolver": evolver,
        "fault_rate": fault_rate,
        "supervisor": supervisor,
        "budget_usd": budget_usd,
        "budget_tokens": budget_tokens,
        "max_time": max_time,
        "seed": seed,
        "engine": engine,
        "jobs": jobs,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    settings = run_config(folder, given, texts=scenario or [], scenarios=scenarios, file=config)
    words = typed(given, scenario=scenario or [], scenarios=scenarios, config=config)
    check_resumable(folder, settings, words)
    warn_of_edits_in_run(folder)
    with Progress(folder, settings, quiet=as_json) as progress:
        result = run_now(settings, folder, observe=progress.observe, on_start=progress.start)
    progress.finish(result, as_json=as_json)
    raise typer.Exit(0 if result.state == "done" or result.asked_to_stop else 1)
