"""A second opinion on every rollout of a run: the judge by rules, which costs nothing and does not see the verifier.
Where the two differ too often, the verifier is audited again. What models say of rollouts is asked for by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..agents.judges import Judgement, cases_of, disagreements
from ..agents.judges.rules.rules_judge import RulesJudge
from ..environments.models import Rollout, Task
from ..environments.package import Environment, task_version


class SecondOpinion(NamedTuple):
    """Rollouts that judge and verifier both decided, and those of them on which they differ."""

    judged: int
    disagreed: int


def second_opinion(
    environment: Environment, task: Task, twin: Task | None, rollouts: Sequence[Rollout]
) -> SecondOpinion:
    found = disagreements(
        ruling for half in (task, twin) if half is not None for ruling in _rulings(environment, half, rollouts)
    ).values()
    return SecondOpinion(sum(each.judged for each in found), sum(each.disagreed for each in found))


def _rulings(
    environment: Environment, task: Task, rollouts: Sequence[Rollout]
) -> Iterator[tuple[Rollout, Judgement | None]]:
    judge, version = RulesJudge(), task_version(environment, task)
    counted = [each for each in rollouts if each.version == version and each.verdict.reward is not None]
    cases = cases_of(environment, task, (rollout.trace for rollout in counted))
    for rollout, case in zip(counted, cases, strict=True):
        yield rollout, judge.judgement(case)
