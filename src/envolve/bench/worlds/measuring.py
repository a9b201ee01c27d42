"""Many worlds, in worker processes and in order, each held against those before it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from envolve.agents.base import Scenario
from envolve.memory.embedders import Embedder, embedder_named
from envolve.memory.novelty import Candidate
from envolve.memory.pool import Pool
from envolve.memory.signatures import Signature
from envolve.world_sizes import completed_size, world_size

from ..side_by_side import side_by_side
from .making import scenarios, world_seed
from .memory_use import resident_mb
from .results import WorldTried
from .trying import tried


class Options(NamedTuple):
    worlds: int
    tasks: int
    seed: int
    jobs: int
    quick: bool
    size: str = "usual"
    """As `--size` says it."""


class Placed(NamedTuple):
    """A world among those before it that were admitted, without what it was compared by. `distances`: by view, to the
    nearest (1: there is none), empty where it could not be built; `like`: the one that it repeats by the thresholds of
    each view. `resident_mb`: of the process that collects."""

    world: WorldTried
    distances: dict[str, float]
    like: dict[str, str]
    resident_mb: float


def measured(options: Options) -> Iterator[Placed]:
    """One result a world, in the order of their numbers. What they hold depends on worlds, tasks and seed alone, but
    for seconds and memory."""
    wanted = scenarios(options.worlds, options.seed)
    placing = _Placing(embedder_named())
    for world in _in_order(options, wanted):
        yield placing.placed(world)


def one_world(options: Options, number: int, keep: Path | None) -> WorldTried:
    """The world of a number alone, and its package in a folder. IndexError for a number that is none."""
    scenario = scenarios(options.worlds, options.seed)[number]
    return _job(options, number, scenario)(keep=keep)


def _job(options: Options, number: int, scenario: Scenario) -> partial[WorldTried]:
    return partial(
        tried,
        number,
        scenario,
        tasks=options.tasks,
        seed=world_seed(number, options.seed),
        quick=options.quick,
        size=completed_size(world_size(options.size), composed=True),
    )


def _in_order(options: Options, wanted: list[Scenario]) -> Iterator[WorldTried]:
    jobs = [_job(options, number, scenario) for number, scenario in enumerate(wanted)]
    if min(options.jobs, len(jobs)) == 1:
        yield from (job() for job in jobs)
        return
    waiting, due = dict[int, WorldTried](), 0
    for number, world in side_by_side(jobs, options.jobs):
        waiting[number] = world
        while due in waiting:
            yield waiting.pop(due)
            due += 1


class _Placing:
    """What is admitted so far."""

    def __init__(self, embedder: Embedder) -> None:
        self._pool = Pool()
        self._embed = embedder.embed
        # With one job worlds are made in this process: what the first text loads is not to count for one of them.
        self._embed(["."])

    def placed(self, world: WorldTried) -> Placed:
        if not world.text:
            return Placed(world, {}, {}, resident_mb())
        candidate = Candidate(self._embed([world.text])[0], world.signature)
        verdict = self._pool.check(candidate)
        distances = {str(view): distance for view, distance in verdict.distances.items()}
        near = verdict.neighbours
        like = {str(one.view): one.id for one in near if one.distance <= self._pool.reach(one.view)}
        if world.admitted:
            self._pool.add(world.environment, candidate)
        # What it was compared by is in the pool now, in a tenth of the memory.
        return Placed(world._replace(text="", signature=Signature()), distances, like, resident_mb())
