"""The whole bench: which copies are made, in which processes, and what came of them.

A job is one class of faults (or decoys, or the clean copies); it takes the environments in turn until it has as many
plants as are wanted. What it gives depends on its arguments alone, so the number of processes changes nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from envolve.agents.faults import DECOY_KINDS, KINDS, TASK_KINDS

from ..side_by_side import side_by_side
from .asking import RULES
from .copies import Copy, Dropped, clean_copy, copies_of
from .reviewing import Review, reviewed
from .worlds import World, world

FAULTS = (*KINDS, *TASK_KINDS)
CLEAN = "clean"
_TRIES = 6
"""Plants of a class that may be dropped for each that is wanted."""


class Options(NamedTuple):
    """What is measured. `critics` are those asked besides the tester and the rules."""

    environments: int = 6
    plants: int = 4
    seed: int = 0
    critics: tuple[str, ...] = ()
    faults: tuple[str, ...] = FAULTS
    decoys: tuple[str, ...] = DECOY_KINDS
    jobs: int = 2


class Result(NamedTuple):
    """One copy and what reviewers said of it; the packages are gone."""

    kind: str
    fault: str
    world: str
    held_out: bool
    where: str
    note: str
    shows: str
    contradicts: str
    reviews: tuple[Review, ...]


class Outcome(NamedTuple):
    results: tuple[Result, ...]
    dropped: tuple[Dropped, ...]


def run(options: Options, tell: Callable[[str], None]) -> Outcome:
    """All jobs; `tell` hears of each that ends. Results come in the order of the jobs."""
    names = (CLEAN, *options.faults, *options.decoys)
    found: dict[str, Outcome] = {}
    for name, outcome in _worked(names, options):
        found[name] = outcome
        tell(f"{len(found)} of {len(names)}: {name}, {len(outcome.results)} copies")
    return Outcome(
        tuple(result for name in names for result in found[name].results),
        tuple(dropped for name in names for dropped in found[name].dropped),
    )


def _worked(names: Sequence[str], options: Options) -> Iterator[tuple[str, Outcome]]:
    if options.jobs == 1:
        yield from ((name, work(name, options)) for name in names)
        return
    jobs = [partial(work, name, options) for name in names]
    processes = min(options.jobs, os.cpu_count() or 1)
    yield from ((names[number], outcome) for number, outcome in side_by_side(jobs, processes))


def work(name: str, options: Options) -> Outcome:
    """One job, in this process."""
    worlds = [world(number, options.seed) for number in range(options.environments)]
    # Each class begins with another environment, so that few plants are spread over all.
    first = (CLEAN, *FAULTS, *DECOY_KINDS).index(name) % len(worlds)
    return asyncio.run(_work(name, [*worlds[first:], *worlds[:first]], options))


async def _work(name: str, worlds: Sequence[World], options: Options) -> Outcome:
    if name == CLEAN:
        return Outcome(tuple([await _result(clean_copy(each), options) for each in worlds]), ())
    results: list[Result] = []
    dropped: list[Dropped] = []
    async for copy in _in_turn([copies_of(each, name, options.seed) for each in worlds]):
        if isinstance(copy, Dropped):
            dropped.append(copy)
        else:
            results.append(await _result(copy, options))
        if len(results) >= options.plants or len(dropped) >= _TRIES * options.plants:
            break
    return Outcome(tuple(results), tuple(dropped))


async def _in_turn(streams: Sequence[AsyncIterator[Copy | Dropped]]) -> AsyncIterator[Copy | Dropped]:
    """One of each, again and again, until all have ended."""
    left = list(streams)
    while left:
        for stream in tuple(left):
            copy = await anext(stream, None)
            if copy is None:
                left.remove(stream)
            else:
                yield copy


async def _result(copy: Copy, options: Options) -> Result:
    reviews = await reviewed(copy, (RULES, *options.critics), seed=options.seed)
    return Result(
        copy.kind,
        copy.fault,
        copy.world,
        copy.held_out,
        copy.where,
        copy.note,
        copy.shows,
        copy.contradicts,
        reviews,
    )
