"""Where tasks came from."""

from __future__ import annotations

from typing import Any

import pytest

from envolve.environments.errors import InputError
from envolve.memory import RunStore, TaskLineage, task_lineage


@pytest.fixture
def family(store: RunStore, make: Any) -> RunStore:
    """0 → 1 → 3, 1 → 4, 0 → 2; and another root, 5, whose id is that of 4."""
    make.plan(store, "k")
    parents = {1: 0, 2: 0, 3: 1, 4: 1}
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        for number in (0, 1, 2, 3, 4):
            changes: dict[str, Any] = {"root": "version-0", "generation": 0 if number == 0 else 1 + (number > 2)}
            if number in parents:
                changes |= {"parent": f"version-{parents[number]}", "operator": "deepen"}
            tx.add_task(make.task(number, **changes))
        tx.add_task(make.task(5, id="task-4"))
    return store


def versions(nodes: Any) -> list[str]:
    return [node.version[-1] for node in nodes]


def test_chain_and_descendants(family: RunStore) -> None:
    found = task_lineage(family, "version-1")
    assert versions(found.chain) == ["0", "1"]
    assert versions(found.descendants) == ["3", "4"]
    assert versions(found.nodes) == ["0", "1", "2", "3", "4"]
    assert versions(task_lineage(family, "task-3").chain) == ["0", "1", "3"]
    assert found.chain[1].operator == "deepen"
    assert TaskLineage.model_validate_json(found.model_dump_json()) == found


def test_names_must_be_clear(family: RunStore) -> None:
    with pytest.raises(InputError, match="names 2 tasks") as refused:
        task_lineage(family, "task-4")
    assert "version-4" in refused.value.remedy
    assert "version-5" in refused.value.remedy
    with pytest.raises(InputError, match="no task 'task-9'"):
        task_lineage(family, "task-9")
    with pytest.raises(InputError, match="no task"):
        task_lineage(family, "task-3", environment="elsewhere")
