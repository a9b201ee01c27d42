"""`envolve bench novelty`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..output import JsonFlag, print_json, print_table, say, warn
from .showing import figures_json, show_figures

if TYPE_CHECKING:
    from envolve.bench.novelty.measuring import BaseResult, Pair

SEED = 51_966
"""Of pairs that signatures and thresholds were not tried on while they were developed."""
FALSE_REJECTS = 0.01
_READING = (
    "Near-copy: a solver who has trained on the other gains nothing new from it; made from the other by renaming,"
    " re-skinning, re-ordering, paraphrasing by rules, leaving out 10–30%. Distinct: composed apart from another"
    " scenario, at most half of the tools shared when told in the same words. Labels follow from how pairs are made."
)


def novelty(
    worlds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Base worlds; each gives a near-copy of each of ten kinds.")
    ] = 50,
    distinct: Annotated[int, typer.Option(metavar="N", min=1, help="Distinct pairs of each base world.")] = 5,
    false_rejects: Annotated[
        float,
        typer.Option(metavar="RATE", min=0.0, max=1.0, help="Share of distinct pairs that thresholds may reject."),
    ] = FALSE_REJECTS,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of worlds and copies.")] = SEED,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 2,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write a page with the curves as well.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """How well copies of environments are told from others, by text, by structure and by both.

    By default about five minutes of processor time, shared by the jobs. Works on a labelled set of 500 near-copies and
    up to 250 distinct pairs, made from procedural worlds.
    """
    from envolve.bench.novelty.composing import OFFERED
    from envolve.environments.errors import InputError

    if worlds > OFFERED:
        raise InputError(f"There are {OFFERED} base worlds of a seed.", remedy=f"Give --worlds {OFFERED} at most.")
    if page is not None and not page.parent.is_dir():
        raise InputError(f"{page}: there is no folder {page.parent}.", remedy="Make it, or choose another file.")
    started = time.perf_counter()
    results = _measured(worlds, distinct, seed, jobs, started)
    repeat = _repeat(worlds, distinct, false_rejects, seed)
    told = _told(results, seed, false_rejects, time.perf_counter() - started, repeat)
    if page is not None:
        from envolve.bench.novelty.page import write_page

        write_page(page, told)
        warn(f"{page} is written.")
    if as_json:
        print_json(told)
        return
    _show(results, told, seed)


def _repeat(worlds: int, distinct: int, false_rejects: float, seed: int) -> str:
    rate = "" if false_rejects == FALSE_REJECTS else f" --false-rejects {false_rejects:g}"
    return f"envolve bench novelty --worlds {worlds} --distinct {distinct}{rate} --seed {seed}"


def _measured(worlds: int, distinct: int, seed: int, jobs: int, started: float) -> list[BaseResult]:
    """All results in a fixed order, with a line of progress for each."""
    from envolve.bench.novelty.measuring import measured

    found: list[BaseResult] = []
    for result in measured(worlds, distinct, seed, jobs):
        found.append(result)
        near = sum(pair.near for pair in result.pairs)
        warn(
            f"{len(found)} of {worlds}: {result.environment} ({result.category}), {near} near-copies,"
            f" {len(result.pairs) - near} distinct pairs, {time.perf_counter() - started:.0f} s"
        )
    return sorted(found, key=lambda result: result.number)


def _told(
    results: Sequence[BaseResult], seed: int, false_rejects: float, seconds: float, repeat: str
) -> dict[str, Any]:
    from envolve.bench.novelty.figures import SHIPPED, areas, curves, kind_rows, limits, novelty_figures, pairs_of
    from envolve.bench.novelty.measuring import embedder

    pairs = pairs_of(results)
    return figures_json(
        "novelty",
        novelty_figures(pairs, seed),
        seconds,
        repeat=repeat,
        embedder=embedder().name,
        pairs=_counts(results, pairs),
        areas={view: found._asdict() | {"value": _finite(found.value)} for view, found in areas(pairs, seed).items()},
        curves={
            view: [point._asdict() | {"threshold": _finite(point.threshold)} for point in points]
            for view, points in curves(pairs).items()
        },
        kinds=[row._asdict() for row in kind_rows(pairs)],
        false_rejects=false_rejects,
        limits=[limit._asdict() for limit in limits(pairs, false_rejects)],
        shipped=SHIPPED.model_dump(include={"environment_text", "environment_structure"}),
        each=[pair._asdict() for pair in pairs],
    )


def _counts(results: Sequence[BaseResult], pairs: Sequence[Pair]) -> dict[str, int]:
    near = sum(pair.near for pair in pairs)
    return {
        "worlds": len(results),
        "near": near,
        "distinct": len(pairs) - near,
        "neither": sum(result.neither for result in results),
    }


def _finite(value: float) -> float | None:
    """JSON has no other numbers."""
    return value if math.isfinite(value) else None


def _show(results: Sequence[BaseResult], told: dict[str, Any], seed: int) -> None:
    from envolve.bench.novelty.figures import kind_rows, limits, novelty_figures, pairs_of

    pairs = pairs_of(results)
    show_figures("Novelty on near-copies and distinct pairs", novelty_figures(pairs, seed))
    print_table(
        "By kind: called copies by the thresholds that ship; median similarity, and the least or greatest",
        ("kind", "label", "n", "by text", "by structure", "by either", "text", "structure"),
        [
            (
                row.kind,
                "near-copy" if row.near else "distinct",
                row.n,
                row.by_text,
                row.by_structure,
                row.by_either,
                f"{row.text[0]:.2f}, {row.text[1]:.2f}",
                f"{row.structure[0]:.2f}, {row.structure[1]:.2f}",
            )
            for row in kind_rows(pairs)
        ],
    )
    print_table(
        f"Thresholds that reject at most {100 * told['false_rejects']:g}% of distinct pairs",
        ("view", "text", "structure", "caught", "rejected"),
        [
            (each.view, _number(each.text), _number(each.structure), f"{each.caught:.3f}", f"{each.rejected:.3f}")
            for each in limits(pairs, told["false_rejects"])
        ],
    )
    say(_READING)
    if told["pairs"]["neither"]:
        say(f"{told['pairs']['neither']} pairs share more than half and are neither; they are left out.")
    say(f"{told['seconds']:.0f} s. Repeat with: {told['repeat']}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
