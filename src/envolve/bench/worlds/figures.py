"""What the worlds come to, against the goals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple

from envolve.agents.procedural.library import Library, library
from envolve.memory.pool import Stretch, stretches

from ..figures import Figure, rate_figure
from .measuring import Placed
from .results import TaskTried, WorldTried

SIZES: Mapping[str, tuple[float, Callable[[WorldTried], int]]] = {
    "tables": (18, lambda world: world.size.tables),
    "tools": (35, lambda world: world.size.tools),
    "rows": (250, lambda world: world.size.rows),
    "tasks": (10, lambda world: len(world.tasks)),
}
"""What is counted of a world, and the goal of its mean."""
MIX: Mapping[str, tuple[float, Callable[[TaskTried], bool]]] = {
    "5 calls or more, with data flow": (0.4, lambda task: task.long),
    "only ask for an answer": (0.1, lambda task: task.answer_only),
    "refusals with their twins": (0.1, lambda task: task.refusal),
    "touch the rights of two roles": (0.1, lambda task: task.two_roles),
}
"""Kinds of tasks and the goal of their share."""
SECONDS = 6.0
"""Most processor time that a world should take on average, gates and audits included."""
DUPLICATES = 0.02
GROWTH = 1.25
"""Most that the memory of a worker should grow from the first tenth of the worlds to the last, at its peaks and between
worlds."""
_LEAST_COMPARED = 20
"""Worlds of which tenths are compared at least: a tenth of fewer is one world, the first of which loads things."""
VIEWS = ("text", "structure")


class Coverage(NamedTuple):
    """What of the library was used: how many of all, and which were not."""

    name: str
    used: int
    of: int
    unused: tuple[str, ...]


def world_figures(placed: Sequence[Placed], *, quick: bool) -> list[Figure]:
    """In the order in which they are told. With `quick` nothing was tried, and nothing is said of soundness. What
    worlds are like is told of those that could be built."""
    tried = [one.world for one in placed]
    worlds = [world for world in tried if world.built]
    return [
        rate_figure("worlds without a crash", sum(not world.crashes for world in tried), len(tried), goal=1.0),
        *([] if quick else soundness(tried)),
        *sizes(worlds),
        *mix(worlds),
        *variety(worlds),
        *duplicates(placed),
        *cost(placed, quick=quick),
    ]


def soundness(worlds: Sequence[WorldTried]) -> list[Figure]:
    tasks = [task for world in worlds for task in world.tasks]
    return [
        rate_figure(
            "worlds without a confirmed finding", sum(world.admitted for world in worlds), len(worlds), goal=1.0
        ),
        rate_figure("tasks sound at first try", sum(task.grade == "sound" for task in tasks), len(tasks)),
    ]


def sizes(worlds: Sequence[WorldTried]) -> list[Figure]:
    return [
        _mean(f"{name} of a world, mean (least–most)", [count(world) for world in worlds], "", goal=goal)
        for name, (goal, count) in SIZES.items()
    ]


def mix(worlds: Sequence[WorldTried]) -> list[Figure]:
    tasks = [task for world in worlds for task in world.tasks]
    return [
        rate_figure(f"tasks: {name}", sum(map(is_one, tasks)), len(tasks), goal=goal)
        for name, (goal, is_one) in MIX.items()
    ]


def variety(worlds: Sequence[WorldTried]) -> list[Figure]:
    """Different ones among all; the structure of a world is that of its schema."""
    return [
        _distinct("different schema graphs", [world.schema for world in worlds if world.schema]),
        _distinct("different tool signatures", [shape for world in worlds for shape in world.tool_shapes]),
        _distinct("different gold shapes", [task.shape for world in worlds for task in world.tasks]),
    ]


def duplicates(placed: Sequence[Placed]) -> list[Figure]:
    """Of the admitted, those that repeat an earlier one by the threshold of a view."""
    admitted = [one for one in placed if one.world.admitted]
    return [
        rate_figure(
            f"admitted worlds that repeat another by {view}",
            sum(view in one.like for one in admitted),
            len(admitted),
            goal=DUPLICATES if view == "structure" else None,
            better="lower",
        )
        for view in VIEWS
    ]


def cost(placed: Sequence[Placed], *, quick: bool) -> list[Figure]:
    """Processor time of a world; memory of workers, by the medians of the first and last tenth of the worlds; that of
    the process that collects."""
    seconds = [sum(one.world.seconds.values()) for one in placed]
    own = (placed[_tenth(placed) - 1].resident_mb, placed[-1].resident_mb)
    return [
        _mean(
            "processor time of a world, mean (least–most)",
            seconds,
            "s",
            goal=None if quick else SECONDS,
            better="lower",
        ),
        *_growth("peak memory of a worker in a world", [one.world.peak_mb for one in placed]),
        *_growth("memory of a worker after a world", [one.world.resident_mb for one in placed]),
        Figure("memory of the collecting process, after the first tenth", own[0], "MB", 1),
        Figure("memory of the collecting process, at the end", own[1], "MB", 1),
    ]


def _growth(name: str, megabytes: Sequence[float]) -> list[Figure]:
    tenth = _tenth(megabytes)
    first, last = median(megabytes[:tenth]), median(megabytes[-tenth:])
    times = last / first if len(megabytes) >= _LEAST_COMPARED else math.nan
    return [
        Figure(f"{name}, first tenth of worlds", first, "MB", tenth),
        Figure(f"{name}, last tenth of worlds", last, "MB", tenth),
        Figure(f"{name}, last tenth over first", times, "×", len(megabytes), goal=GROWTH),
    ]


def _tenth(values: Sequence[object]) -> int:
    return max(1, len(values) // 10)


def curves(placed: Sequence[Placed]) -> dict[str, list[Stretch]]:
    """View → distance to the nearest earlier world against the size of the pool, of the admitted."""
    admitted = [one for one in placed if one.world.admitted]
    return {view: stretches([one.distances.get(view, 1.0) for one in admitted]) for view in VIEWS}


def coverage(worlds: Sequence[WorldTried]) -> list[Coverage]:
    """Of the worlds that could be built."""
    source = library()
    parts = [{**world.archetypes, **world.links} for world in worlds]
    variants = {f"{part}.{name}={choice}" for one in parts for part in one for name, choice in one[part].items()}
    return [
        _coverage("categories", {world.category for world in worlds if world.built}, _categories(source)),
        _coverage("archetypes", {name for world in worlds for name in world.archetypes}, source.archetypes),
        _coverage("links", {name for world in worlds for name in world.links}, source.links),
        _coverage("choices of variants", variants, _choices(source)),
    ]


def times_used(worlds: Sequence[WorldTried]) -> dict[str, int]:
    """Archetype or link → in how many worlds it is, the most frequent first."""
    found = Counter(name for world in worlds for name in (*world.archetypes, *world.links))
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def stage_seconds(worlds: Sequence[WorldTried]) -> dict[str, float]:
    """Mean processor time by stage, of the worlds that got there."""
    stages = dict.fromkeys(stage for world in worlds for stage in world.seconds)
    return {stage: fmean(world.seconds[stage] for world in worlds if stage in world.seconds) for stage in stages}


def _categories(source: Library) -> Iterable[str]:
    return (name for name in source.lexicons if name != "general")


def _choices(source: Library) -> Iterable[str]:
    for name, part in {**source.archetypes, **source.links}.items():
        for variant, choices in part.variants.items():
            yield from (f"{name}.{variant}={choice}" for choice in choices)


def _coverage(name: str, used: set[str], known: Iterable[str]) -> Coverage:
    everything = set(known) | used
    return Coverage(name, len(used), len(everything), tuple(sorted(everything - used)))


def _mean(name: str, values: Sequence[float], unit: str, *, goal: float | None, better: str = "higher") -> Figure:
    if not values:
        return Figure(name, math.nan, unit, 0, None, goal)
    spread = (float(min(values)), float(max(values)))
    return Figure(name, fmean(values), unit, len(values), spread, goal, "lower" if better == "lower" else "higher")


def _distinct(name: str, values: Sequence[str]) -> Figure:
    return Figure(name, len(set(values)), f"of {len(values)}", len(values))
