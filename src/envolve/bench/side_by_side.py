"""Jobs of a bench side by side, in processes of their own. What a job gives must depend on the job alone."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from envolve.graph.executors import WorkerDied, start_worker

T = TypeVar("T")


def side_by_side(jobs: Sequence[Callable[[], T]], processes: int) -> Iterator[tuple[int, T]]:
    """Number and result of each job, as they end; no result is kept here. Jobs must be picklable. Ctrl-C, or whatever
    else ends the iteration early, ends the workers at once: a job may take minutes.

    Errors: WorkerDied as soon as a worker is killed, since nothing can be asked of the others any more; what jobs
    raise.
    """
    spawn = multiprocessing.get_context("spawn")
    size, parent = min(processes, len(jobs)), (os.getpid(),)
    with ProcessPoolExecutor(size, mp_context=spawn, initializer=start_worker, initargs=parent) as pool:
        try:
            numbers = {pool.submit(job): number for number, job in enumerate(jobs)}
            # A pool looks after a process from the next `submit` on: without one, nobody would see the last one die.
            pool.submit(_nothing)
            for done in as_completed(numbers):
                ended = [(numbers.pop(done), done.result())]
                # A future holds what it gave, and a name here would until the next job ends.
                del done
                yield ended.pop()
        except BaseException as error:
            # `kill_workers` came with Python 3.14; before, the pool's processes are its own affair.
            for process in list((pool._processes or {}).values()):
                process.kill()
            if isinstance(error, BrokenProcessPool):
                raise WorkerDied(
                    "A worker process was killed before it was done; perhaps there was no memory left.",
                    remedy="Free some memory, or have less worked on at a time: --jobs 1, where the command has it.",
                ) from error
            raise


def _nothing() -> None:
    """A job that ends at once."""
