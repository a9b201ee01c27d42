"""`envolve bench worlds`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envolve.display import shortened

from ..output import JsonFlag, print_json, print_table, say, warn
from .showing import figures_json, show_figures
from .worlds_flaws import LONGEST, SHOWN, flaw_json, named, repeat_command, show_flaws

if TYPE_CHECKING:
    from envolve.bench.worlds.measuring import Options, Placed
    from envolve.bench.worlds.results import WorldTried

SEED = 90_417
"""Of worlds that nothing else is tried on."""


def worlds(
    count: Annotated[int, typer.Option("--n", metavar="N", min=1, help="How many worlds.")] = 300,
    tasks: Annotated[int, typer.Option(metavar="N", min=1, help="Tasks proposed in each.")] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of scenarios, worlds and tasks.")] = SEED,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 2,
    quick: Annotated[
        bool, typer.Option("--quick", help="No gates and no audits: how varied worlds are, not how sound.")
    ] = False,
    size: Annotated[
        str, typer.Option(metavar="SIZE", help="As of `envolve new`: usual, large, tables=N,tools=N,rows=N, …")
    ] = "usual",
    world: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Only the world of this number, to look at it again.")
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="DIR", file_okay=False, readable=False, help="With --world: put its package there."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Procedural worlds by the hundred: sound, large enough, of many kinds, cheap?

    By default about six seconds of processor time a world. Each is built from a scenario of the procedural scout, goes
    through every gate of the tester and the critics' rules, and gets tasks that are audited as they were first written.
    Exit code 1 if something was confirmed against a world, one crashed or a task is not sound.
    """
    from envolve.bench.worlds.measuring import Options
    from envolve.environments.errors import InputError
    from envolve.world_sizes import world_size

    if keep is not None and world is None:
        raise InputError("--keep puts away the package of one world.", remedy="Name it: --world NUMBER.")
    options = Options(count, tasks, seed, jobs, quick, size)
    world_size(size)
    started = time.perf_counter()
    if world is not None:
        _look_again(options, world, keep, as_json=as_json)
        return
    placed = _measured(options, started)
    _tell(placed, options, time.perf_counter() - started, as_json=as_json)
    raise typer.Exit(1 if any(one.world.findings or one.world.unsound for one in placed) else 0)


def _measured(options: Options, started: float) -> list[Placed]:
    """All results in order, with a line of progress for each."""
    from envolve.bench.worlds.measuring import measured

    found: list[Placed] = []
    for placed in measured(options):
        found.append(placed)
        told, seconds = _told(placed.world, options), time.perf_counter() - started
        warn(f"{len(found)} of {options.worlds}: {told}, {seconds:.0f} s")
    return found


def _told(world: WorldTried, options: Options) -> str:
    crashed = "".join(f", crashed ({flaw.where})" for flaw in world.crashes)
    tried = "" if options.quick else f", {len(world.findings)} findings, {len(world.unsound)} tasks unsound"
    size = f", {world.size.tables} tables, {world.size.tools} tools" if world.built else ""
    return f"{named(world)} ({world.category}){size}{tried}{crashed}"


def _tell(placed: Sequence[Placed], options: Options, seconds: float, *, as_json: bool) -> None:
    from envolve.bench.worlds.figures import world_figures

    figures, repeat = world_figures(placed, quick=options.quick), repeat_command(options)
    if as_json:
        print_json(figures_json("worlds", figures, seconds, repeat=repeat, **_more(placed, options)))
        return
    show_figures("Procedural worlds", figures)
    _show_curves(placed)
    _show_coverage([one.world for one in placed])
    _show_repeated(placed)
    show_flaws([one.world for one in placed], options)
    say("A refusal and its twin count as one task, and both must be sound. Shares of tasks are of those proposed.")
    say(f"{seconds:.0f} s. Repeat with: {repeat}")


def _more(placed: Sequence[Placed], options: Options) -> dict[str, Any]:
    from envolve.bench.worlds.figures import coverage, curves, stage_seconds, times_used

    worlds = [one.world for one in placed]
    return {
        "quick": options.quick,
        "curves": {view: [stretch._asdict() for stretch in found] for view, found in curves(placed).items()},
        "coverage": [each._asdict() for each in coverage(worlds)],
        "times_used": times_used(worlds),
        "seconds_by_stage": stage_seconds(worlds),
        "findings": [flaw_json(world, flaw, options) for world in worlds for flaw in world.findings],
        "unsound_tasks": [flaw_json(world, flaw, options) for world in worlds for flaw in world.unsound],
        "environments": [_world_json(one) for one in placed],
    }


def _world_json(placed: Placed) -> dict[str, Any]:
    world = placed.world
    return {
        **{name: getattr(world, name) for name in ("number", "environment", "scenario", "category", "seed")},
        **world.size._asdict(),
        "archetypes": world.archetypes,
        "links": world.links,
        "admitted": world.admitted,
        "tasks": [task._asdict() for task in world.tasks],
        "seconds": world.seconds,
        "peak_mb": world.peak_mb,
        "resident_mb": world.resident_mb,
        "distances": placed.distances,
        "repeats": placed.like,
    }


def _show_curves(placed: Sequence[Placed]) -> None:
    from envolve.bench.worlds.figures import curves

    print_table(
        "Distance to the nearest earlier world, by the size of the pool it met",
        ("view", "pool up to", "worlds", "mean", "5%"),
        [
            (view, stretch.size, stretch.n, f"{stretch.mean:.3f}", f"{stretch.low:.3f}")
            for view, found in curves(placed).items()
            for stretch in found
        ],
    )


def _show_coverage(worlds: Sequence[WorldTried]) -> None:
    from envolve.bench.worlds.figures import coverage

    print_table(
        "What of the library was used",
        ("", "used", "of", "not used"),
        [
            (each.name, each.used, each.of, shortened(", ".join(each.unused), 100) if each.unused else "")
            for each in coverage(worlds)
        ],
    )


def _show_repeated(placed: Sequence[Placed]) -> None:
    """Pairs that are too near by the thresholds that ship."""
    rows = [
        (one.world.environment, view, other, f"{one.distances[view]:.3f}")
        for one in placed
        if one.world.admitted
        for view, other in one.like.items()
    ]
    if rows:
        print_table("Too near an earlier world", ("world", "view", "earlier world", "distance"), rows[:SHOWN])


def _look_again(options: Options, number: int, keep: Path | None, *, as_json: bool) -> None:
    """One world by itself."""
    from envolve.bench.worlds.measuring import one_world
    from envolve.environments.errors import InputError
    from envolve.places import require_folder

    if number >= options.worlds:
        raise InputError(
            f"There is no world {number}: they are numbered from 0.", remedy=f"Give one below {options.worlds}."
        )
    if keep is not None:
        require_folder(keep)
    world = one_world(options, number, keep)
    flaws = (*world.findings, *world.unsound)
    if as_json:
        found = [flaw_json(world, flaw, options) for flaw in flaws]
        print_json({"environment": world.environment, "seed": world.seed, "findings": found})
        return
    say(f"{number}: {named(world)} ({world.category}), seed {world.seed}, {len(world.tasks)} tasks")
    for flaw in flaws:
        say(f"  {flaw.where} ({flaw.source}): {shortened(flaw.what, LONGEST)}")
        for line in flaw.trace.splitlines():
            warn(line)
    if not flaws:
        say("  nothing found" if not options.quick else "  nothing was tried")
    if keep is not None and world.built:
        say(f"Its package: {keep / world.environment}")
