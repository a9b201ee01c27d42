"""Where an item's heavy steps run: in spawned workers that die with their parent.

A worker takes a step's name and JSON and gives JSON back; it opens packages by path and writes nothing but
candidate packages. Only the coordinator writes to the run's store.
"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import signal
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from ..environments.errors import ServiceError

PR_SET_PDEATHSIG = 1


class Executor(Protocol):
    """Runs a named step of `graph.steps` on a JSON payload."""

    async def run(self, step: str, payload: str) -> str: ...

    def close(self) -> None: ...

    def kill(self) -> None: ...


class WorkerDied(ServiceError):
    """A worker died (killed, out of memory): what it worked on is to blame, or the machine."""


class LocalExecutor:
    """A pool of `jobs` spawned processes on this machine.

    A worker that dies takes the pool with it; the pool is made anew, and each step that was in flight runs once
    more, by itself in a worker of its own: what kills its worker fails alone, whatever ran beside it. Must be used
    from the main thread: a worker's parent-death signal follows the thread that spawned it.
    """

    def __init__(self, jobs: int, team: str) -> None:
        self._jobs = jobs
        self._team = team
        self._pool: ProcessPoolExecutor | None = None
        self._pools = set[ProcessPoolExecutor]()
        self._alone = asyncio.Lock()
        self._killed = False

    async def run(self, step: str, payload: str) -> str:
        """Errors: WorkerDied; whatever the step raises."""
        pool = self._open()
        try:
            return await self._submitted(pool, step, payload)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
                self._shut(pool)
        async with self._alone:
            return await self._by_itself(step, payload)

    def close(self) -> None:
        """Waits for running steps; those not yet started are dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def kill(self) -> None:
        """End all workers in the middle of whatever they do; no step runs afterwards. May be called from a signal
        handler."""
        self._killed = True
        for pool in tuple(self._pools):
            # `kill_workers` came with Python 3.14; before, the pool's processes are its own affair.
            for process in tuple((pool._processes or {}).values()):
                process.kill()

    async def _by_itself(self, step: str, payload: str) -> str:
        pool = self._new(1)
        try:
            return await self._submitted(pool, step, payload)
        except BrokenProcessPool as broken:
            raise WorkerDied(
                f"The worker that ran {step!r} died twice.", remedy="Look at the machine's memory."
            ) from broken
        finally:
            self._shut(pool)

    async def _submitted(self, pool: ProcessPoolExecutor, step: str, payload: str) -> str:
        future: Future[str] = pool.submit(run_step, step, payload, self._team)
        return await asyncio.wrap_future(future)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = self._new(self._jobs)
        return self._pool

    def _new(self, size: int) -> ProcessPoolExecutor:
        """Errors: CancelledError once the workers were killed."""
        if self._killed:
            raise asyncio.CancelledError
        pool = ProcessPoolExecutor(
            size,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=start_worker,
            initargs=(os.getpid(),),
        )
        self._pools.add(pool)
        return pool

    def _shut(self, pool: ProcessPoolExecutor) -> None:
        self._pools.discard(pool)
        pool.shutdown(wait=False, cancel_futures=True)


def start_worker(parent: int) -> None:
    """Runs first in every worker: die with the parent, leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def run_step(step: str, payload: str, team: str) -> str:
    """The pool's entry point in a worker."""
    from .steps import perform_json

    return asyncio.run(perform_json(step, payload, team))
