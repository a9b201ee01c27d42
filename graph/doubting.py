"""What rollouts say against the task that they were taken of. Looked at once after each measurement, where it was taken;
where nothing is found no second audit is made."""

from __future__ import annotations

from collections.abc import Sequence

from ..environments.models import Rollout, Task
from ..environments.package import Environment, task_version
from ..eval.traces import Way, ways_unlike_gold
from ..eval.triggers import Evidence, Trigger, triggers
from .requests import Doubts
from .second_opinions import second_opinion

LOOKS = {"measure": 1, "confirm": 2}
"""Which look at a task the target's rollouts of a purpose are; ratings by other solvers follow."""


def doubts_of(
    environment: Environment, task: Task, twin: Task | None, rollouts: Sequence[Rollout], *, look: int
) -> Doubts | None:
    """None if nothing speaks for another audit. The rollouts of a refusal and of its twin are each held against their
    own gold, and doubted together."""
    ways, beside = (_ways(environment, half, rollouts) for half in (task, twin))
    errors = sum(rollout.verdict.outcome == "environment_error" for rollout in rollouts)
    judged, disagreed = second_opinion(environment, task, twin, rollouts)
    found = triggers(
        Evidence(
            look=look,
            rollouts=len(rollouts),
            errors=errors,
            judged=judged,
            disagreed=disagreed,
            ways=(*ways, *beside),
        )
    )
    if not found:
        return None
    return Doubts(
        triggers=found,
        alternatives=tuple(way.program for way in ways),
        twin_alternatives=tuple(way.program for way in beside),
    )


def told(found: Sequence[Trigger], reason: str) -> str:
    """Why a task is unsound after all: what raised the doubt, and what the audit then said."""
    return f"{'; '.join(trigger.reason for trigger in found)}: {reason}"[:700]


def _ways(environment: Environment, task: Task | None, rollouts: Sequence[Rollout]) -> tuple[Way, ...]:
    if task is None:
        return ()
    version = task_version(environment, task)
    return ways_unlike_gold(environment, task, [rollout for rollout in rollouts if rollout.version == version])
