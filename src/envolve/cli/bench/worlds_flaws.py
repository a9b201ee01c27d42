"""What is told of the flaws of worlds: findings, crashes, tasks that are not sound, and how to see each again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from envolve.display import shortened

from ..output import say

if TYPE_CHECKING:
    from envolve.bench.worlds.measuring import Options
    from envolve.bench.worlds.results import Flaw, WorldTried

SHOWN = 20
"""Rows of a table, or flaws, that people are shown; programs get all."""
LONGEST = 300


def named(world: WorldTried) -> str:
    """Its id; where it could not be built there is none."""
    return world.environment or f"{world.scenario!r}, not built"


def repeat_command(options: Options) -> str:
    size = "" if options.size == "usual" else f" --size {shlex.quote(options.size)}"
    more = size + (" --quick" if options.quick else "")
    return f"envolve bench worlds --n {options.worlds} --tasks {options.tasks} --seed {options.seed}{more}"


def again(world: WorldTried, flaw: Flaw, options: Options) -> str:
    """Commands that show a flaw again: the package first, then what was found in it; of a crash the world itself."""
    from envolve.bench.worlds.results import CRASH

    if flaw.source == CRASH:
        return f"{repeat_command(options)} --world {world.number}"
    look = "audit" if flaw in world.unsound else "check"
    package = shlex.quote(f"runs/again/{world.environment}")
    kept = f"{repeat_command(options)} --world {world.number} --keep runs/again"
    return f"{kept}; envolve {look} {package} --seed {world.seed}"


def flaw_json(world: WorldTried, flaw: Flaw, options: Options) -> dict[str, Any]:
    """A crash has a `trace` besides."""
    told = {name: value for name, value in flaw._asdict().items() if name != "trace" or value}
    return {
        "world": world.number,
        "environment": world.environment,
        "seed": world.seed,
        **told,
        "again": again(world, flaw, options),
    }


def show_flaws(worlds: Sequence[WorldTried], options: Options) -> None:
    flaws = [(world, flaw) for world in worlds for flaw in (*world.findings, *world.unsound)]
    if not flaws:
        say("" if options.quick else "Nothing was confirmed against any world, and every task is sound.")
        return
    more = f", the first {SHOWN}" if len(flaws) > SHOWN else ""
    say(f"{len(flaws)} findings and unsound tasks{more} (--json has all):")
    for world, flaw in flaws[:SHOWN]:
        say(f"  {world.number} {named(world)} (seed {world.seed}), {flaw.where} ({flaw.source})")
        say(f"    {shortened(flaw.what, LONGEST)}")
        say(f"    {again(world, flaw, options)}")
