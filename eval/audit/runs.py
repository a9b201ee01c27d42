"""Programs as they ran, each made once for all audits that are handed the same `Runs`: where a task's verifier is written
draft by draft, only the verdicts are new."""

from __future__ import annotations

from ...environments.canonical import sha256
from ...environments.gold import GoldRun
from ...environments.models import Task, Verifier
from ...environments.package import Environment
from ...environments.submitting import submit_tool

Runs = dict[tuple[str, str, int], GoldRun]
"""By what they ran in (`run_key`), the program as canonical JSON, and the world's seed. It holds every end state: let it
go with the task."""


def run_key(environment: Environment, task: Task) -> str:
    """Equal for tasks in which programs run alike. Of the verifier that is what `submit` takes, and `free`, which ≈
    leaves out; until one is written no answer is handed in."""
    verifier = task.verifier
    return sha256(
        {
            "environment": environment.hash,
            "task": task.model_dump(mode="json", include={"actor", "setup", "faults", "user"}),
            "submit": submit_tool(verifier),
            "written": verifier != Verifier(),
            "free": verifier.free,
        }
    )
