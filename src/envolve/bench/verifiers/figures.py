"""What the measured worlds come to.

Ends of one task stand and fall together, so rates by end have intervals that are too narrow; beside them stand rates
by task, in which a task counts as wrong with its first wrong verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from envolve.bench.figures import Figure, count_figure, median_figure, rate_figure

from .measuring import EnvironmentResult, TaskResult, WrongVerdict

PRECISION = RECALL = 0.99
"""The goals."""


class OperatorRow(NamedTuple):
    """One operator: ends with its label, verdicts unlike it, ends that stayed undecided."""

    label: str
    operator: str
    ends: int
    wrong: int
    undecided: int


def verdict_figures(results: Sequence[EnvironmentResult]) -> list[Figure]:
    """Precision: of the labelled ends that pass, those that are right. Recall: of the right ends, those that pass.
    What there was nothing to measure for is left out."""
    tasks = [task for result in results for task in result.tasks]
    (rights, rejected), (wrongs, passing) = (_total(tasks, label) for label in ("right", "wrong"))
    passed = rights - rejected
    seconds = [one for result in results for one in result.audit_seconds]
    figures = [
        rate_figure("precision", passed, passed + passing, goal=PRECISION),
        rate_figure("recall", passed, rights, goal=RECALL),
        rate_figure("wrong ends that pass", passing, wrongs, better="lower"),
        _by_task("tasks in which no wrong end passes", tasks, "wrong", goal=PRECISION),
        _by_task("tasks in which every right end passes", tasks, "right", goal=RECALL),
        rate_figure(
            "tasks with a wrong verdict", sum(bool(task.wrong) for task in tasks), len(tasks), better="lower"
        ),
        count_figure(
            "tasks that pass with nothing done", sum(task.null_passes > 0 for task in tasks), len(tasks), goal=0
        ),
        *([median_figure("audit of a task", seconds, "s")] if seconds else []),
    ]
    return [figure for figure in figures if figure.n]


def operator_rows(results: Sequence[EnvironmentResult]) -> list[OperatorRow]:
    """Every operator that made an end, decided or not."""
    ends, wrong = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    undecided = Counter[str]()
    for task in (task for result in results for task in result.tasks):
        for judged in task.judged:
            ends[judged.label, judged.operator] += judged.ends
            wrong[judged.label, judged.operator] += judged.wrong
        for (operator, _), count in task.undecided.items():
            undecided[operator] += count
    known = {operator for _, operator in ends}
    rows = [
        OperatorRow(label, name, count, wrong[label, name], undecided[name]) for (label, name), count in ends.items()
    ]
    rows += [OperatorRow("", name, 0, 0, count) for name, count in undecided.items() if name not in known]
    return sorted(rows)


def undecided_reasons(results: Sequence[EnvironmentResult]) -> dict[str, int]:
    """Why ends were left out, the most frequent reason first."""
    found = Counter[str]()
    for task in (task for result in results for task in result.tasks):
        for (_, reason), count in task.undecided.items():
            found[reason] += count
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def grades(results: Sequence[EnvironmentResult]) -> dict[str, int]:
    """All tasks that were audited, by grade; only the sound ones are measured."""
    found = Counter[str]()
    for result in results:
        found.update(result.grades)
    return dict(sorted(found.items()))


def wrong_verdicts(results: Sequence[EnvironmentResult]) -> list[WrongVerdict]:
    return sorted((one for result in results for task in result.tasks for one in task.wrong), key=lambda one: one[:5])


def _total(tasks: Sequence[TaskResult], label: str) -> tuple[int, int]:
    counts = [task.counts(label) for task in tasks]
    return sum(ends for ends, _ in counts), sum(wrong for _, wrong in counts)


def _by_task(name: str, tasks: Sequence[TaskResult], label: str, *, goal: float) -> Figure:
    counts = [counts for task in tasks if (counts := task.counts(label))[0]]
    return rate_figure(name, sum(not wrong for _, wrong in counts), len(counts), goal=goal)
