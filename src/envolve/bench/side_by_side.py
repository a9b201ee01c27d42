"""Jobs of a bench side by side, in processes of their own. What a job gives must depend on the job alone."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from envolve.graph.executors import start_worker

T = TypeVar("T")


def side_by_side(jobs: Sequence[Callable[[], T]], processes: int) -> Iterator[tuple[int, T]]:
    """Number and result of each job, as they end; no result is kept here. Jobs must be picklable. Ctrl-C, or whatever
    else ends the iteration early, ends the workers at once: a job may take minutes."""
    spawn = multiprocessing.get_context("spawn")
    size, parent = min(processes, len(jobs)), (os.getpid(),)
    with ProcessPoolExecutor(size, mp_context=spawn, initializer=start_worker, initargs=parent) as pool:
        numbers = {pool.submit(job): number for number, job in enumerate(jobs)}
        try:
            for done in as_completed(numbers):
                number, result = numbers.pop(done), done.result()
                # A future holds what it gave, and would until the next job ends.
                del done
                yield number, result
                del result
        except BaseException:
            # `kill_workers` came with Python 3.14; before, the pool's processes are its own affair.
            for process in list((pool._processes or {}).values()):
                process.kill()
            raise
