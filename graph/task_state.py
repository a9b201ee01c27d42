"""What a task's graph remembers between nodes, and the reasons that it gives.

The state holds places in staging, never a task.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from ..environments.models import AuditReport, Fate
from .requests import Measured

FATE_OF_GRADE: dict[str, Fate] = {
    "broken": "broken",
    "disputed": "disputed",
    "weak": "hackable",
    "strict": "broken",
    "ambiguous": "ambiguous",
}

Half = Literal["task", "twin"]


class TaskState(TypedDict, total=False):
    """`key` is the item's, `branch` numbers the tasks that it works side by side, `task`, `twin` and `parent` are names
    of kept values, `versions` those of task and twin, `places` where replies are staged (of the twin: `twin prove`)."""

    key: str
    branch: int
    path: str
    seed: int
    task: str
    twin: str
    versions: dict[Half, str]
    parent: str
    parent_version: str
    operator: str
    turn: int
    until: Literal["audited", "confirmed"]
    repairs: int
    stage: str
    fate: Fate | None
    reason: str
    places: dict[str, str]


def place_of_half(name: str, half: Half) -> str:
    """Where a reply about the task, or about its twin, is noted."""
    return name if half == "task" else f"twin {name}"


def counted(measured: Measured, state: TaskState, fresh: str = "") -> str:
    """How many passed; of a pair also how many rollouts of each did."""
    if "twin" not in state:
        return f"{measured.passes} of {measured.n} {fresh}passed"
    passed = [rollout.version for rollout in measured.rollouts if rollout.verdict.passed]
    refusal, twin = (passed.count(state["versions"][half]) for half in ("task", "twin"))
    each = f"of the refusal {refusal}, of its twin {twin}"
    return f"{measured.passes} of {measured.n} {fresh}pairs passed ({each})"


def failed_gates(report: AuditReport) -> str:
    failed = [gate for gate in report.gates if gate.status == "failed"]
    return "; ".join(f"{gate.gate}: {gate.message}" for gate in failed)[:500]
