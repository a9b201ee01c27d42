"""Pass rates of the searching solver: of all tasks, and by how deep they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..figures import Figure, rate_figure
from .measuring import TaskTried, WorldTried

GROUPS: Mapping[str, Callable[[TaskTried], bool]] = {
    "all": lambda task: True,
    "calls 1-2": lambda task: task.calls <= 2,
    "calls 3-4": lambda task: 3 <= task.calls <= 4,
    "calls 5+": lambda task: task.calls >= 5,
    "critical path 1": lambda task: task.critical_path <= 1,
    "critical path 2": lambda task: task.critical_path == 2,
    "critical path 3+": lambda task: task.critical_path >= 3,
    "changes only": lambda task: not task.asks,
    "asks for an answer": lambda task: task.asks,
    "asks, calls 5+": lambda task: task.asks and task.calls >= 5,
}
"""Calls are those of gold; the critical path is the longest chain of data flow among them."""


def pass_rates(worlds: Sequence[WorldTried], budgets: Sequence[int]) -> dict[str, dict[int, Figure]]:
    """By group and budget; groups that hold no task are left out."""
    tasks = [task for world in worlds for task in world.tasks]
    found: dict[str, dict[int, Figure]] = {}
    for name, holds in GROUPS.items():
        group = [task for task in tasks if holds(task)]
        if group:
            found[name] = {budget: _rate(name, budget, group) for budget in budgets}
    return found


def _rate(name: str, budget: int, group: Sequence[TaskTried]) -> Figure:
    return rate_figure(f"search:{budget}, {name}", sum(task.passed[budget] for task in group), len(group))
