"""Works one item: its graph, with a checkpointed thread of its own, until it has come to something."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import StateSnapshot

from ..agents.base import Scenario
from ..environments.canonical import seed_from
from ..environments.models import Task
from ..eval.units import Unit, units
from ..memory.store import RunStore
from .build_graph import BuildGraph, BuildState
from .checkpoints import thread_of
from .commits import Outcome
from .config import RunConfig
from .items import Item, ItemKind
from .limits import Limits
from .placing import CANDIDATES, ENVIRONMENTS
from .reauditing import rating_look, rechecked
from .requests import ProposeRequest, RateRequest, ScoutRequest, TaskOutcome
from .round_memory import RoundMemory
from .stepping import StepRunner, Unstaged
from .steps import PROPOSE, RATE, SCOUT
from .task_graph import TaskGraph
from .task_state import TaskState

RATING_ROLLOUTS = 24
"""Samples of each further solver on a confirmed task: a 95% interval of about ±0.2 at worst."""


class ItemWorker:
    """Works items of one run; `folder` is the run's."""

    def __init__(
        self,
        config: RunConfig,
        store: RunStore,
        runner: StepRunner,
        saver: BaseCheckpointSaver[Any],
        memory: RoundMemory,
        limits: Limits,
        *,
        folder: Path,
    ) -> None:
        self._config = config
        self._store = store
        self._runner = runner
        self._saver = saver
        self._limits = limits
        self._folder = folder
        self._memory = memory
        self._tasks = TaskGraph(runner, memory, solver=config.target, band=config.band)
        self._task_graph = self._tasks.compile(saver)
        self._by_kind: dict[ItemKind, Callable[[Item], Awaitable[Outcome]]] = {
            "scout": self._scout,
            "build": self._build,
            "write": self._write,
            "measure": self._measure,
            "evolve": self._evolve,
            "rate": self._rate,
        }

    async def work(self, item: Item) -> Outcome:
        """Errors: GraphDrained when asked to stop; what is paid for stays staged.

        Checkpoints that are damaged or know more than staging are dropped: the item goes on from what is staged.
        """
        try:
            return await self._by_kind[item.kind](item)
        except Unstaged:
            await self.forget(item)
            return await self._by_kind[item.kind](item)

    async def forget(self, item: Item) -> None:
        """Drop the item's checkpoints. A write item has a thread for every task."""
        threads = [item.key, *(thread_of(item.key, number) for number in range(item.count))]
        for thread in threads:
            await self._saver.adelete_thread(thread)

    def drop_candidates(self) -> None:
        """At the end of a round nothing refers to them any more: what was admitted has been put in its place."""
        shutil.rmtree(self._folder / CANDIDATES, ignore_errors=True)

    async def _scout(self, item: Item) -> Outcome:
        known = (*self._config.scenarios, *self._scouted())
        request = ScoutRequest(count=item.count, seed=item.seed(self._config.seed), known=known)
        found = await self._runner.run(item.key, SCOUT, request)
        return Outcome(scenarios=tuple(scenario.model_dump() for scenario in found.scenarios))

    async def _build(self, item: Item) -> Outcome:
        if item.scenario is None:
            raise ValueError(f"{item.key}: a build needs a scenario")
        config = self._config
        graph = BuildGraph(
            self._runner, self._memory, self._tasks, folder=CANDIDATES, size=config.size, surface=config.surface
        )
        start: BuildState = {
            "key": item.key,
            "scenario": item.scenario.model_dump(),
            "defects": [defect.model_dump() for defect in item.defects],
            "seed": item.seed(self._config.seed),
        }
        final = await self._settle(graph.compile(self._saver), item.key, start)
        return Outcome(build=await graph.outcome(final))

    async def _write(self, item: Item) -> Outcome:
        path = self._path(item)
        seed = item.seed(self._config.seed)
        stored = self._store.tasks.all(environment=item.environment)
        known = tuple(record.task for record in stored if record.created_round < item.round)
        request = ProposeRequest(path=path, count=item.count, seed=seed, known=known)
        proposed = units((await self._runner.run(item.key, PROPOSE, request)).tasks)
        outcomes = list[TaskOutcome]()
        for number, unit in enumerate(proposed[: item.count]):
            start: TaskState = {
                "key": item.key,
                "path": path,
                "seed": seed_from(seed, number),
                **self._tasks.keep(item.key, unit),
                "until": "audited",
            }
            outcome = self._tasks.outcome(await self._settle(self._task_graph, thread_of(item.key, number), start))
            outcomes += [outcome] if outcome is not None else []
        return Outcome(tasks=tuple(outcomes))

    async def _measure(self, item: Item) -> Outcome:
        twin = self._store.tasks.twin(str(item.task))
        start: TaskState = {
            "key": item.key,
            "path": self._path(item),
            "seed": item.seed(self._config.seed),
            **self._tasks.keep(item.key, Unit(self._task(item), twin.task if twin else None)),
            "versions": {"task": str(item.task), **({"twin": twin.version} if twin else {})},
            "until": "confirmed",
            "stage": "audited",
        }
        return await self._one_task(item, start)

    async def _evolve(self, item: Item) -> Outcome:
        start: TaskState = {
            "key": item.key,
            "path": self._path(item),
            "seed": item.seed(self._config.seed),
            "parent": self._runner.keep(item.key, self._task(item)),
            "parent_version": str(item.task),
            "operator": str(item.operator),
            "turn": item.turn,
            "until": "confirmed",
        }
        return await self._one_task(item, start)

    async def _rate(self, item: Item) -> Outcome:
        twin = self._store.tasks.twin(str(item.task))
        request = RateRequest(
            path=self._path(item),
            task=self._task(item),
            twin=twin.task if twin else None,
            solver=str(item.solver),
            seed=item.seed(self._config.seed),
            n=RATING_ROLLOUTS,
            look=rating_look(str(item.solver), self._config.solvers),
        )
        measured = await self._runner.run(item.key, RATE, request)
        return Outcome(measured=measured, tasks=await rechecked(self._runner, self._store, item, request, measured))

    async def _one_task(self, item: Item, start: TaskState) -> Outcome:
        outcome = self._tasks.outcome(await self._settle(self._task_graph, item.key, start))
        return Outcome(tasks=() if outcome is None else (outcome,))

    async def _settle(self, graph: CompiledStateGraph[Any, Any, Any, Any], thread: str, start: Any) -> Any:
        """Run to the end, from the last checkpoint if there is one."""
        settings: Any = {"configurable": {"thread_id": thread}, "recursion_limit": 100}
        snapshot = await _snapshot(graph, settings)
        # Not `next`: that leaves out nodes whose results are there and were not taken in before a kill.
        if snapshot.values and not snapshot.tasks:
            return snapshot.values
        control = RunControl()
        unwatch = self._limits.watch(control)
        try:
            return await graph.ainvoke(
                None if snapshot.values else start, settings, durability="sync", control=control
            )
        finally:
            unwatch()

    def _scouted(self) -> list[Scenario]:
        done = self._store.work.items(kind="scout", status="done")
        return [Scenario.model_validate(entry) for item in done for entry in (item.result or {})["scenarios"]]

    def _path(self, item: Item) -> str:
        return f"{ENVIRONMENTS}/{item.environment}"

    def _task(self, item: Item) -> Task:
        record = self._store.tasks.get(str(item.task))
        if record is None:
            raise KeyError(f"{item.key}: no task {item.task}")
        return record.task


async def _snapshot(graph: CompiledStateGraph[Any, Any, Any, Any], settings: Any) -> StateSnapshot:
    """Errors: Unstaged for a checkpoint that cannot be read back; sqlite3.Error."""
    try:
        return await graph.aget_state(settings)
    except sqlite3.Error:
        raise
    except Exception as error:  # whatever a damaged value makes of its decoder
        raise Unstaged(f"{settings['configurable']['thread_id']}: {error}") from error
