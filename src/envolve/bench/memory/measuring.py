"""Seeds side by side, in processes of their own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

from .growing import grown
from .settings import Build, Settings

PROCESSES = 2


def measured(seeds: int, settings: Settings) -> Iterator[list[Build]]:
    """The builds of each seed, all arms, as they come. The numbers depend on the arguments alone."""
    if seeds == 1:
        yield grown(1, settings)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(PROCESSES, seeds), mp_context=spawn) as pool:
        futures = [pool.submit(grown, seed, settings) for seed in range(1, seeds + 1)]
        try:
            for done in as_completed(futures):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
