"""Where a judge and the verifier differ, by task: a reason to audit the verifier again.

Says nothing of who is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ...environments.models import Frozen, Rollout
from .base import Judgement


class Disagreement(Frozen):
    """The rollouts of one task on which the two differ, of those that both decided."""

    task: str
    rollouts: tuple[int, ...]
    """Their indices."""
    judged: int

    @property
    def disagreed(self) -> int:
        return len(self.rollouts)


def disagreements(ruled: Iterable[tuple[Rollout, Judgement | None]]) -> dict[str, Disagreement]:
    """By task, for all tasks of which something was decided. Left out: `cannot_tell`, no ruling, and verdicts that say
    nothing of the solver."""
    judged = defaultdict[str, list[int]](list)
    differing = defaultdict[str, list[int]](list)
    for rollout, judgement in ruled:
        if judgement is None or judgement.ruling == "cannot_tell" or rollout.verdict.reward is None:
            continue
        judged[rollout.task].append(rollout.index)
        if (judgement.ruling == "met") != rollout.verdict.passed:
            differing[rollout.task].append(rollout.index)
    return {
        task: Disagreement(task=task, rollouts=tuple(differing[task]), judged=len(indices))
        for task, indices in judged.items()
    }
