"""Seeds side by side, in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..side_by_side import side_by_side
from .growing import grown
from .settings import Build, Settings

PROCESSES = 2


def measured(seeds: int, settings: Settings) -> Iterator[list[Build]]:
    """The builds of each seed, all arms, as they come. The numbers depend on the arguments alone."""
    if seeds == 1:
        yield grown(1, settings)
        return
    jobs = [partial(grown, seed, settings) for seed in range(1, seeds + 1)]
    yield from (builds for _, builds in side_by_side(jobs, PROCESSES))
