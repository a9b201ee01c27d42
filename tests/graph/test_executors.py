"""Workers that die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from envolve.agents.team import TeamSpec
from envolve.environments.canonical import canonical_json
from envolve.graph.executors import LocalExecutor, WorkerDied
from envolve.graph.requests import PackageRequest, ScoutRequest

TEAM = TeamSpec().model_dump_json()


async def kill_workers(times: int) -> None:
    """Kill a worker as soon as there is one, `times` times or until cancelled."""
    dead = set[int]()
    while len(dead) < times:
        await asyncio.sleep(0.01)
        for child in multiprocessing.active_children():
            if child.pid is not None and child.pid not in dead and len(dead) < times:
                os.kill(child.pid, signal.SIGKILL)
                dead.add(child.pid)


def test_a_step_whose_worker_died_runs_again_by_itself() -> None:
    async def work() -> str:
        executor = LocalExecutor(1, TEAM)
        ask = ScoutRequest(count=2, seed=1, known=())
        try:
            found, _ = await asyncio.gather(executor.run("scout", canonical_json(ask)), kill_workers(1))
        finally:
            executor.close()
        return found

    assert "scenarios" in asyncio.run(work())


def test_a_step_that_kills_its_worker_by_itself_too_is_given_up(undisturbed: Path) -> None:
    async def work() -> None:
        executor = LocalExecutor(1, TEAM)
        package = next((undisturbed / "environments").iterdir())
        killing = asyncio.create_task(kill_workers(1000))
        try:
            await executor.run("test", canonical_json(PackageRequest(path=str(package))))
        finally:
            killing.cancel()
            executor.close()

    with pytest.raises(WorkerDied, match="'test' died twice"):
        asyncio.run(work())
