"""`envolve measure`: pass rates of tasks for a solver."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from .output import JsonFlag, interval, percent, print_json, print_table, say


def measure(
    paths: Annotated[
        list[Path], typer.Argument(metavar="ENV…", help="Environment packages, folders of them, or runs.")
    ],
    solver: Annotated[list[str], typer.Option(help="The solver to measure; may be repeated.")],
    band: Annotated[str, typer.Option(help="The band that the sequential test decides about, LOW:HIGH.")] = "0.2:0.6",
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Sequential rollouts until each task is in the band, too easy, too hard, or undecided at the cap."""
    from envolve.agents.solvers import solver_named
    from envolve.environments.package import Environment
    from envolve.eval.bands import Band
    from envolve.eval.sequential import SequentialTest
    from envolve.packages import environments_in
    from envolve.solving import measure_environment

    wanted = Band.parse(band)
    solvers = [solver_named(name) for name in solver]
    test = SequentialTest.for_band(wanted)
    if not as_json:
        say(f"At most {test.cap} rollouts a task and solver, about {test.expected_rollouts():.0f} on average.")
    results = list[dict[str, Any]]()
    for path in environments_in(paths):
        environment = Environment.load(path)
        for chosen in solvers:
            results += asyncio.run(measure_environment(environment, chosen, wanted, seed=seed))
    if as_json:
        print_json({"results": results})
        return
    print_table(
        f"Pass rates, band {band}",
        ("environment", "task", "solver", "passes", "rollouts", "rate", "95%", "decision"),
        [_row(result) for result in results],
    )
    if any(s.profile.kind == "simulated" for s in solvers):
        say("Simulated solvers: their rates say nothing about models.")


def _row(result: dict[str, Any]) -> tuple[Any, ...]:
    rate = percent(result["passes"] / result["rollouts"] if result["rollouts"] else None)
    names = ("environment", "task", "solver", "passes", "rollouts")
    return (*(result[name] for name in names), rate, interval(result["interval"]), result["decision"])
