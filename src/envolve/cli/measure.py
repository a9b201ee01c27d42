"""`envolve measure`: pass rates of tasks for a solver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from envolve.display import percent

from .output import JsonFlag, interval, print_json, print_table, say, warn


def measure(
    paths: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="ENV…", help="Environment packages, folders of them, or runs."),
    ],
    solver: Annotated[list[str], typer.Option(metavar="SOLVER", help="The solver to measure; may be repeated.")],
    band: Annotated[
        str, typer.Option(metavar="LOW:HIGH", help="The band that the sequential test decides about.")
    ] = "0.2:0.6",
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Sequential rollouts until each task is in the band, too easy, too hard, or undecided at the cap.

    A refusal and its twin are measured as one, by pairs of rollouts. Exit code 3 if a solver of your own fails.
    """
    import asyncio

    from envolve.agents.solvers import solver_named
    from envolve.environments.package import Environment
    from envolve.eval.bands import Band
    from envolve.eval.sequential import SequentialTest
    from envolve.packages import environments_in
    from envolve.solving import measure_environment

    from .frozen import warn_of_edits

    wanted = Band.parse(band)
    solvers = [solver_named(name) for name in dict.fromkeys(solver)]
    found = environments_in(paths)
    test = SequentialTest.for_band(wanted)
    if not as_json:
        say(f"At most {test.cap} rollouts a task and solver, about {test.expected_rollouts():.0f} on average.")
    results = list[dict[str, Any]]()
    for path in found:
        environment = Environment.load(path)
        warn_of_edits(path, environment)
        of_path = [
            result
            for chosen in solvers
            for result in asyncio.run(measure_environment(environment, chosen, wanted, seed=seed))
        ]
        results += of_path
        if not as_json:
            _show(environment.id, band, of_path)
    if as_json:
        print_json({"results": results})
    elif any(result["simulated"] for result in results):
        say("Simulated solvers: their rates say nothing about models.")
    raise typer.Exit(_tell_failures(results))


def _tell_failures(results: list[dict[str, Any]]) -> int:
    """What solvers raised, on standard error; the exit code."""
    failed = [result for result in results if result["error"]]
    for result in failed:
        warn(f"The solver {result['solver']!r} failed on task {result['task']!r}: {result['error']}.")
    if failed:
        warn("  → These are errors in the solver, not in the environment: mend it and measure again.")
    return 3 if failed else 0


def _show(environment: str, band: str, results: list[dict[str, Any]]) -> None:
    print_table(
        f"{environment}, band {band}",
        ("task", "solver", "passes", "rollouts", "rate", "95%", "decision"),
        [
            (
                f"{result['task']} + twin" if result["twin"] else result["task"],
                *(result[name] for name in ("solver", "passes", "rollouts")),
                percent(result["passes"] / result["rollouts"] if result["rollouts"] else None),
                interval(result["interval"]),
                "solver failed" if result["error"] else (result["decision"] or "").replace("_", " "),
            )
            for result in results
        ],
    )
    if any(result["twin"] for result in results):
        say("+ twin: a refusal and its twin are one; pairs of rollouts are counted, which pass if both pass.")
