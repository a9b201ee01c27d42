"""One sitting of a run: opens what it needs, works until the end, and closes everything again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

from ..agents.solvers import solver_named
from ..agents.team import assemble
from ..memory import embedder_named
from ..memory.index import MemoryIndex
from ..memory.librarian import Librarian
from ..memory.store import RunLock, RunStore
from .checkpoints import checkpoints, forget_closed
from .commits import Committer
from .config import RunConfig
from .executors import LocalExecutor
from .item_work import ItemWorker
from .limits import Limits
from .pipeline import Pipeline
from .planning import Operators
from .round_memory import RoundMemory
from .spending import Spending
from .stepping import StepRunner
from .stopping import Signals, stop_in_time


class Sitting(NamedTuple):
    """What all parts of a sitting share."""

    config: RunConfig
    folder: Path
    store: RunStore
    lock: RunLock


async def work(
    sitting: Sitting, observe: Callable[[Any], None], on_start: Callable[[Callable[[str], None]], None]
) -> tuple[str, bool]:
    """Why it ended, and whether it was asked to. `on_start` gets the way to stop."""
    config = sitting.config
    limits = Limits(config, sitting.store)
    executor = LocalExecutor(config.jobs, config.team.model_dump_json())
    async with AsyncExitStack() as stack:
        stack.callback(executor.close)
        memory = _memory(sitting, stack)
        saver = await stack.enter_async_context(checkpoints(sitting.folder))
        await forget_closed(saver, sitting.store)
        stack.enter_context(Signals(limits.stop, executor.kill))
        stack.callback(stop_in_time(limits))
        on_start(limits.stop)
        budget = Spending(config, sitting.store.progress.totals())
        runner = StepRunner(
            sitting.store, executor, config.team, root=sitting.folder, budget=budget, stopping=limits.stopping
        )
        worker = _worker(sitting, memory, limits, runner, saver)
        ending = await _pipeline(sitting, memory, limits, worker, observe).run()
    return ending, bool(limits.reached(0))


def _memory(sitting: Sitting, stack: AsyncExitStack) -> RoundMemory:
    index = stack.enter_context(MemoryIndex(sitting.store, sitting.lock))
    librarian = Librarian(sitting.store, embedder_named(), search=index)
    librarian.claim()
    return RoundMemory(librarian, index, held_out=sitting.config.held_out)


def _worker(sitting: Sitting, memory: RoundMemory, limits: Limits, runner: StepRunner, saver: Any) -> ItemWorker:
    return ItemWorker(sitting.config, sitting.store, runner, saver, memory, limits, folder=sitting.folder)


def _pipeline(
    sitting: Sitting, memory: RoundMemory, limits: Limits, worker: ItemWorker, observe: Callable[[Any], None]
) -> Pipeline:
    operators = assemble(sitting.config.team).evolver.operators
    return Pipeline(
        sitting.config,
        sitting.store,
        worker=worker,
        committer=Committer(sitting.store, sitting.folder, memory),
        memory=memory,
        limits=limits,
        operators=Operators(tuple(operators["harden"]), tuple(operators["soften"])),
        profile=solver_named(sitting.config.target).profile.hash,
        observe=observe,
    )
