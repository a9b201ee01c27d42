"""`envolve solve`: rollouts of one task, shown as they go."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envolve.display import percent, shortened

from .output import JsonFlag, interval, print_json, say

if TYPE_CHECKING:
    from envolve.environments.models import Rollout, TraceEvent
    from envolve.environments.package import Environment
    from envolve.eval.base import Solver
    from envolve.judging import Bench, Ruled


def solve(
    path: Annotated[Path, typer.Argument(readable=False, metavar="ENV", help="An environment package.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id.")],
    solver: Annotated[
        str | None, typer.Option(metavar="SOLVER", help="gold, null, random, slip:ABILITY, or module:attr.")
    ] = None,
    script: Annotated[
        str | None, typer.Option(metavar="JSON", help="Calls to make instead: a JSON list, or a file that holds one.")
    ] = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many rollouts.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="A model that rules on each rollout, beside the verifier; sees no verdict."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Let a solver (or a script of calls) attempt a task. Exit code 1 if no rollout passes."""
    import asyncio

    from envolve.agents.solvers import solver_named
    from envolve.environments.errors import InputError
    from envolve.judging import Bench, judge_named, judged_json
    from envolve.packages import load_one
    from envolve.solving import result_of, script_solver

    if (solver is None) == (script is None):
        raise InputError("Give either --solver or --script.", remedy="For example --solver gold.")
    how = f"--solver {shlex.quote(solver)}" if solver else "--script …"
    environment = load_one(path, task, again=f"envolve solve {{env}} {{task}} {how}")
    chosen = solver_named(solver) if solver else script_solver(script or "")
    bench = Bench(judge_named(judge)) if judge else None
    attempts = asyncio.run(_attempts(environment, task, chosen, bench, count=count, seed=seed, quiet=as_json))
    result = result_of(environment.id, task, chosen.profile, [attempt.rollout for attempt in attempts])
    if bench is not None:
        result["judge"] = judged_json(bench, attempts)
    if as_json:
        print_json({"results": [result]})
    else:
        rate = percent(result["passes"] / result["rollouts"] if result["rollouts"] else None)
        note = " (simulated)" if chosen.profile.kind == "simulated" else ""
        spread = f", 95% {interval(result['interval'])}" if result["interval"] else ""
        say(f"{chosen.profile.name}{note}: {result['passes']} of {result['rollouts']} passed ({rate}{spread})")
        if bench is not None:
            _show_agreement(bench, attempts)
    raise typer.Exit(0 if result["passes"] else 1)


async def _attempts(
    environment: Environment,
    task: str,
    solver: Solver,
    bench: Bench | None,
    *,
    count: int,
    seed: int,
    quiet: bool,
) -> list[Ruled]:
    """Rollouts, each ruled on once it has ended if there is a judge, and shown."""
    from envolve.judging import Ruled
    from envolve.solving import rollouts_of

    attempts = list[Ruled]()
    async for rollout in rollouts_of(environment, task, solver, count=count, seed=seed):
        if not quiet:
            _show(rollout)
        attempt = Ruled(rollout, None)
        if bench is not None:
            attempt = await bench.rule(environment, environment.tasks[task], rollout)
            if not quiet:
                say(f"  judge: {attempt.line}")
        attempts.append(attempt)
    return attempts


def _show_agreement(bench: Bench, attempts: list[Ruled]) -> None:
    from envolve.judging import agreed

    found = agreed(attempts)
    kappa = "" if found.kappa is None else f", kappa {found.kappa:.2f}"
    spread = f", 95% {interval(found.agreed.interval)}" if found.agreed.n else ""
    rate = f"{found.agreed.count} of {found.agreed.n} ({percent(found.agreed.rate)}{spread}{kappa})"
    say(f"{bench.name} agrees with the verifier on {rate}")
    say(
        f"  both met {found.both_met}, both not met {found.both_not_met}, met for the judge only {found.judge_only},"
        f" for the verifier only {found.verifier_only}, cannot tell {found.cannot_tell}; {bench.spent.line}"
    )


def _show(rollout: Rollout) -> None:
    say(f"rollout {rollout.index}")
    for event in rollout.trace.events:
        _show_event(event)
    verdict = rollout.verdict
    reward = "no reward" if verdict.reward is None else f"reward {verdict.reward:g}"
    say(f"  {verdict.outcome.replace('_', ' ')}, {reward}{f': {verdict.message}' if verdict.message else ''}")
    for check in verdict.checks:
        say(f"    {'✓' if check.holds else '✗'} {check.name} {check.detail}".rstrip())
    for line in verdict.unallowed:
        say(f"    ✗ not allowed: {line}")


def _show_event(event: TraceEvent) -> None:
    if event.kind == "message":
        say(f"  {event.role}: {event.text}")
        return
    say(f"  {event.tool} {_compact(event.args)}")
    if event.result is not None:
        say(f"    → {_compact(event.result.payload())}")
    for change in event.changes:
        say(f"    {change.op} {change.table} {_compact(change.key)} {_compact(change.new or change.old)}")


def _compact(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False, default=repr), 300)
