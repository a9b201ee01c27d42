"""Whether a fault in a task shows: the task's solution and slips of it, run and judged in the sound and in the spoilt
package. The audit has no part in it."""

from __future__ import annotations

from typing import NamedTuple

from ...environments.gold import GoldRun
from ...environments.models import Task
from ...environments.package import Environment
from ...environments.verification import SqlProblem, StateReader
from .slips import Program, judged, ran, slips


class Ending(NamedTuple):
    """What a program came to: whether it ran, whether the verifier passes it, the state it left, and whether the
    task's goal holds there (None without a goal's SQL)."""

    ran: bool
    passed: bool
    state: str
    goal: bool | None


class TaskDifference(NamedTuple):
    """`says`: what differs, in words. `against_goal`: the spoilt verifier and the goal disagree about it."""

    says: str
    against_goal: bool = False


def task_difference(sound: Environment, spoilt: Environment, task: str) -> TaskDifference | None:
    """What differs for a task; None if nothing was found. Looks at how many rows each phrase means, at what the
    solutions do, and at whom the verifiers pass: the solution, and slips of it."""
    before, after = sound.tasks[task], spoilt.tasks[task]
    counts = _meanings(sound, before), _meanings(spoilt, after)
    if counts[0] != counts[1]:
        return TaskDifference(f"phrases mean {counts[0]} rows in the sound package, {counts[1]} in this one")
    solutions = [("the solution", before.gold, after.gold)]
    near = ((name, program, program) for name, program in slips(sound, before))
    for name, one, other in (*solutions, *near):
        left, right = _end(sound, before, one), _end(spoilt, after, other)
        if left[:2] != right[:2] or (name == "the solution" and left.state != right.state):
            disagree = right.goal is not None and right.ran and right.passed != right.goal
            return TaskDifference(f"{name} {_told(left)}, here {_told(right)}", disagree)
    return None


def _meanings(environment: Environment, task: Task) -> list[int]:
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        return [len(_rows(reader, one.sql)) for one in task.grounding.values() if one.sql is not None]


def _rows(reader: StateReader, sql: str) -> list[object]:
    try:
        return list(reader.query(sql))
    except SqlProblem:
        return []


def _end(environment: Environment, task: Task, program: Program) -> Ending:
    run = ran(environment, task, program)
    return Ending(run.ok, judged(environment, task, run).passed, run.signature, _goal(environment, task, run))


def _goal(environment: Environment, task: Task, run: GoldRun) -> bool | None:
    if task.goal.sql is None:
        return None
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        reader.show(run.after, run.changes)
        try:
            return reader.holds(task.goal.sql)
        except SqlProblem:
            return False


def _told(end: Ending) -> str:
    return f"{'runs' if end.ran else 'fails'} and {'passes' if end.passed else 'does not pass'}"
