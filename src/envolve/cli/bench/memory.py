"""`envolve bench memory`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from ..output import JsonFlag, print_json, print_table, say, warn
from .showing import figures_json, show_figures

if TYPE_CHECKING:
    from envolve.bench.memory.settings import Build, Settings

_SIMULATED = (
    "The coder and its mistakes are simulated: the rates say nothing about models. That a warned coder heeds is assumed"
    " (--heed); tests, probes, repairs and retrieval are real."
)


def memory(
    seeds: Annotated[int, typer.Option(metavar="N", min=1, help="Small runs, each in every arm.")] = 10,
    rounds: Annotated[int, typer.Option(metavar="N", min=2, help="Rounds of each run.")] = 4,
    builds: Annotated[int, typer.Option(metavar="N", min=1, help="Environments a round.")] = 3,
    calls: Annotated[
        int, typer.Option(metavar="N", min=1, help="Calls that the tester makes for each tool; a run makes 80.")
    ] = 4,
    heed: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Probability that the simulated coder, warned of a kind at a like place, writes it right.",
        ),
    ] = 0.5,
    habits: Annotated[int, typer.Option(metavar="N", min=1, help="Kinds of faults that a coder is prone to.")] = 4,
    as_json: JsonFlag = False,
) -> None:
    """How often a simulated coder repeats defects, with the memory of them and without it. Takes some minutes.

    A written repeat is a first draft with a fault of a kind that an earlier round had confirmed; an escaped one is an
    admitted environment that still has such a fault. Seeds, designs and slips are the same in every arm.
    """
    from envolve.bench.memory.figures import memory_figures, round_rates
    from envolve.bench.memory.settings import Settings

    settings = Settings(rounds=rounds, builds=builds, calls=calls, heed=heed, habits=habits)
    started = time.perf_counter()
    found = _measured(seeds, settings, started)
    seconds = time.perf_counter() - started
    figures, by_round = memory_figures(found), round_rates(found)
    repeat = (
        f"envolve bench memory --seeds {seeds} --rounds {rounds} --builds {builds} --calls {calls} --heed {heed:g}"
        f" --habits {habits}"
    )
    if as_json:
        listed = [row._asdict() for row in by_round]
        more = {"simulated": True, "settings": settings._asdict(), "by_round": listed, "repeat": repeat}
        print_json(figures_json("memory", figures, seconds, **more))
        return
    show_figures(f"Repeated defects of a simulated coder, rounds 2 to {rounds} of {seeds} runs", figures)
    print_table(
        "By round",
        ("arm", "round", "first drafts", "written repeats", "admitted", "escaped repeats"),
        [tuple(row) for row in by_round],
    )
    say(_SIMULATED)
    say(f"{seconds:.0f} s. Repeat with: {repeat}")


def _measured(seeds: int, settings: Settings, started: float) -> list[Build]:
    """All builds in the order of their seeds, with a line of progress for each seed."""
    from envolve.bench.memory.measuring import measured

    found: list[list[Build]] = []
    for result in measured(seeds, settings):
        found.append(result)
        warn(f"{len(found)} of {seeds} runs, {time.perf_counter() - started:.0f} s")
    return [build for result in sorted(found, key=lambda builds: builds[0].seed) for build in result]
