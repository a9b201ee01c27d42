"""`envolve solve`: rollouts of one task, shown as they go."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envolve.display import percent

from .judges import show_judges
from .output import JsonFlag, interval, print_json, say
from .scripted import compact, play_script, show_changes

if TYPE_CHECKING:
    from envolve.environments.models import Rollout, TraceEvent
    from envolve.environments.package import Environment
    from envolve.eval.base import Solver
    from envolve.judging import Bench


def solve(
    path: Annotated[Path, typer.Argument(readable=False, metavar="ENV", help="An environment package.")],
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="A task's id; a script whose calls name their actors needs none."),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            metavar="SOLVER",
            help="gold, null, random, slip:ABILITY or search:BUDGET (both simulated), a model, or module:attr.",
        ),
    ] = None,
    script: Annotated[
        str | None, typer.Option(metavar="JSON", help="Calls to make instead: a JSON list, or a file that holds one.")
    ] = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many rollouts.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JUDGE",
            help="Rules on each rollout, beside the verifier, and sees no verdict: rules, a model, or module:attr. "
            "May be given several times.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Let a solver (or a script of calls) attempt a task. Exit code 1 if no rollout passes."""
    import asyncio

    from envolve.agents.judges import judge_named
    from envolve.agents.solvers import solver_named
    from envolve.environments.errors import InputError
    from envolve.judging import Bench, judged_json
    from envolve.naming import listed
    from envolve.packages import load_one
    from envolve.scripting import ScriptSolver, script_calls
    from envolve.solving import result_of, twin_of

    from .frozen import warn_of_edits

    if (solver is None) == (script is None):
        raise InputError("Give either --solver or --script.", remedy="For example --solver gold.")
    how = f"--solver {shlex.quote(solver)}" if solver else "--script …"
    calls = script_calls(script) if script is not None else ()
    if any(call.actor is not None for call in calls):
        if judge or count != 1:
            raise InputError(
                "A script whose calls name their actors is no rollout: --judge and -n say nothing there.",
                remedy="Leave them out, or name no actors: the task's makes the calls then.",
            )
        play_script(path, task, calls, as_json=as_json)
        return
    if task is None:
        environment = load_one(path, None, again=f"envolve solve {{env}} {{task}} {how}")
        raise InputError("No task was named.", remedy=f"Tasks: {listed(environment.tasks)}.")
    environment = load_one(path, task, again=f"envolve solve {{env}} {{task}} {how}")
    warn_of_edits(path, environment, task)
    chosen = solver_named(solver) if solver else ScriptSolver(calls)
    benches = [Bench(judge_named(name)) for name in dict.fromkeys(judge or ())]
    rollouts = asyncio.run(_rollouts(environment, task, chosen, benches, count=count, seed=seed, quiet=as_json))
    result = result_of(environment.id, task, chosen.profile, rollouts) | judged_json(benches)
    if as_json:
        print_json({"results": [result]})
    else:
        rate = percent(result["passes"] / result["rollouts"] if result["rollouts"] else None)
        note = " (simulated)" if chosen.profile.kind == "simulated" else ""
        spread = f", 95% {interval(result['interval'])}" if result["interval"] else ""
        say(f"{chosen.profile.name}{note}: {result['passes']} of {result['rollouts']} passed ({rate}{spread})")
        if twin := twin_of(environment, task):
            say(f"It is one with its twin {twin}: `envolve measure` takes rollouts of both.")
        show_judges(benches, path)
    raise typer.Exit(0 if result["passes"] else 1)


async def _rollouts(
    environment: Environment,
    task: str,
    solver: Solver,
    benches: Sequence[Bench],
    *,
    count: int,
    seed: int,
    quiet: bool,
) -> list[Rollout]:
    """Rollouts, each ruled on by every judge once it has ended, and shown."""
    from envolve.solving import rollouts_of

    found = list["Rollout"]()
    async for rollout in rollouts_of(environment, task, solver, count=count, seed=seed):
        if not quiet:
            _show(rollout)
        for bench in benches:
            ruled = await bench.rule(environment, environment.tasks[task], rollout)
            if not quiet:
                say(f"  {bench.name}: {ruled.line}")
        found.append(rollout)
    return found


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
    tool, args, answer = event.told
    say(f"  {tool} {compact(args)}")
    if event.result is not None:
        say(f"    → {compact(answer)}")
    show_changes(event.changes)
