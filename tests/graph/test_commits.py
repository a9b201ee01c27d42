"""What a commit does to what is stored already."""

from __future__ import annotations

import shutil
from pathlib import Path

from envolve.graph.commits import Committer, Outcome
from envolve.graph.items import Item
from envolve.graph.requests import TaskOutcome
from envolve.graph.round_memory import RoundMemory
from envolve.memory import embedder_named
from envolve.memory.index import MemoryIndex
from envolve.memory.librarian import Librarian
from envolve.memory.records import PlannedItem
from envolve.memory.store import RunLock, RunStore


def test_a_child_that_is_a_stored_task_leaves_that_task_as_it_stands(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    with RunLock(folder) as lock, RunStore.open(folder) as store, MemoryIndex(store, lock) as index:
        stood = store.tasks.all(fate="confirmed")[0]
        other = next(task for task in store.tasks.all() if task.version != stood.version)
        item = Item(
            round=99,
            kind="evolve",
            name="back again",
            environment=stood.environment,
            task=other.version,
            operator="shorten",
            direction="soften",
        )
        planned = PlannedItem(key=item.key, kind=item.kind, inputs=item.model_dump(mode="json", exclude_none=True))
        store.work.plan_round(99, {"items": [item.key]}, [planned])
        outcome = TaskOutcome(
            task=stood.task,
            version=stood.version,
            stage="audited",
            fate="too_easy",
            reason="",
            signature=stood.signature,
        )
        memory = RoundMemory(Librarian(store, embedder_named(), search=index), index)
        memory.begin(99)
        Committer(store, folder, memory).commit(item, Outcome(tasks=(outcome,)), seconds=0.0)
        found, closed = store.tasks.get(stood.version), store.work.item(item.key)
        assert found is not None
        assert (found.stage, found.fate, found.operator) == (stood.stage, stood.fate, stood.operator)
        assert closed is not None
        assert closed.fate == "duplicate"
