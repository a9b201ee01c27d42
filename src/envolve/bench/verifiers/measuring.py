"""Verdicts held against labels, world by world, in processes of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from envolve.agents.base import Scenario
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.labelling import Labelled, LabelledTrial, Scene, labelled, null_passes, verdict_on
from envolve.eval.labelling.trials import EndKey

from ..side_by_side import side_by_side
from .making import audit_seed, audited_tasks, environment_of, scenarios, with_tasks
from .routes import other_routes

PROCESSES = 2


class Judged(NamedTuple):
    """Labelled ends by operator, and how many of them the verdict got wrong."""

    label: str
    operator: str
    ends: int
    wrong: int


class WrongVerdict(NamedTuple):
    """A verdict unlike its label, with what leads there again. `says` is what the verifier says."""

    environment: str
    task: str
    label: str
    operator: str
    change: str
    how: dict[str, Any]
    says: str


class TaskResult(NamedTuple):
    """One sound task. `undecided`: (operator, reason) → ends that were left out."""

    task: str
    judged: tuple[Judged, ...]
    wrong: tuple[WrongVerdict, ...]
    undecided: dict[tuple[str, str], int]
    null_passes: int

    def counts(self, label: str) -> tuple[int, int]:
        """(ends with this label, those of them that the verdict got wrong)."""
        own = [judged for judged in self.judged if judged.label == label]
        return sum(judged.ends for judged in own), sum(judged.wrong for judged in own)


class EnvironmentResult(NamedTuple):
    """One world. `grades` counts its tasks by grade; only the sound ones are measured."""

    environment: str
    category: str
    grades: dict[str, int]
    tasks: tuple[TaskResult, ...]
    audit_seconds: tuple[float, ...]


def measured(environments: int, tasks: int, seed: int) -> Iterator[EnvironmentResult]:
    """One result a world, as they come. The numbers depend on the arguments alone."""
    wanted = scenarios(environments, seed)
    if environments == 1:
        yield _measured_one(wanted[0], tasks, seed)
        return
    jobs = [partial(_measured_one, scenario, tasks, seed + number) for number, scenario in enumerate(wanted)]
    yield from (result for _, result in side_by_side(jobs, PROCESSES))


def task_result(environment: Environment, task: Task, *, met: Collection[EndKey], seed: int) -> TaskResult:
    """Verdicts of a task's verifier held against labels that neither it nor its audit had a part in."""
    with Scene(environment, task, seed=seed, routes=other_routes(environment, task)) as scene:
        found = labelled(scene, met=met)
        nothing = len(null_passes(scene, task))
    return _result(environment, task, found, nothing)


def _measured_one(scenario: Scenario, tasks: int, seed: int) -> EnvironmentResult:
    environment = with_tasks(environment_of(scenario, seed), tasks, seed)
    grades, results, seconds = Counter[str](), list[TaskResult](), list[float]()
    for written in audited_tasks(environment, seed):
        grades[written.report.grade] += 1
        seconds.append(written.seconds)
        if written.task.verifier.frozen is not None:
            results.append(task_result(environment, written.task, met=written.met, seed=audit_seed(seed)))
    return EnvironmentResult(environment.id, scenario.category, dict(grades), tuple(results), tuple(seconds))


def _result(environment: Environment, task: Task, found: Labelled, nothing: int) -> TaskResult:
    counts, wrong = Counter[tuple[str, str]](), list[WrongVerdict]()
    for trial in found.trials:
        counts[trial.label, trial.operator] += 1
        verdict = verdict_on(environment, task, trial.end)
        if verdict.passed != (trial.label == "right"):
            failed = [check.name for check in verdict.checks if not check.holds]
            says = "; ".join([verdict.outcome, *failed, *verdict.unallowed, *filter(None, [verdict.message])])
            wrong.append(_wrong(environment, task, trial, says))
    missed = Counter((one.label, one.operator) for one in wrong)
    judged = tuple(Judged(*place, count, missed[place]) for place, count in sorted(counts.items()))
    undecided = {
        (operator, reason): count
        for operator, reasons in found.undecided.items()
        for reason, count in reasons.items()
    }
    return TaskResult(task.id, judged, tuple(wrong), undecided, nothing)


def _wrong(environment: Environment, task: Task, trial: LabelledTrial, says: str) -> WrongVerdict:
    return WrongVerdict(environment.id, task.id, trial.label, trial.operator, trial.change, trial.how, says)
