"""Whether a fault in a task shows: the task's solution and slips of it, run and judged in the sound and in the spoilt
package. The audit has no part in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...environments.gold import GoldRun, run_gold
from ...environments.models import CallStep, Submission, SubmitStep, Task
from ...environments.models.tasks import GoldStep
from ...environments.package import Environment
from ...environments.verification import SqlProblem, StateReader, verify
from .values import Values

Program = tuple[GoldStep, ...]
_EACH = 3
"""Other values tried for an argument."""


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
    solutions do, and at whom the verifiers pass: nothing done, steps left out, other values, other wording, another
    order."""
    before, after = sound.tasks[task], spoilt.tasks[task]
    counts = _meanings(sound, before), _meanings(spoilt, after)
    if counts[0] != counts[1]:
        return TaskDifference(f"phrases mean {counts[0]} rows in the sound package, {counts[1]} in this one")
    solutions = [("the solution", before.gold, after.gold)]
    slips = ((name, program, program) for name, program in _slips(sound, before))
    for name, one, other in (*solutions, *slips):
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
    last = program[-1]
    if task.verifier.answer.kind == "none" and isinstance(last, SubmitStep):
        program = (*program[:-1], SubmitStep(submit=last.submit.model_copy(update={"answer": None})))
    variant = task.model_copy(update={"gold": program})
    run = run_gold(environment, variant)
    before = environment.image_for(task)
    verdict = verify(
        environment, task, before=before, after=run.after, changes=run.changes, submission=run.submission
    )
    return Ending(run.ok, verdict.passed, run.signature, _goal(environment, task, run))


def _goal(environment: Environment, task: Task, run: GoldRun) -> bool | None:
    if task.goal.sql is None:
        return None
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        reader.show(run.after, run.changes)
        try:
            return reader.holds(task.goal.sql)
        except SqlProblem:
            return False


def _slips(environment: Environment, task: Task) -> Iterator[tuple[str, Program]]:
    """Programs near the solution, with their names."""
    yield "nothing done", (SubmitStep(submit=Submission(status=task.verifier.submit.status)),)
    program = task.gold
    writes = [
        index for index, step in enumerate(program) if isinstance(step, CallStep) and environment.writes(step.call)
    ]
    for index in writes:
        yield f"step {index} left out", (*program[:index], *program[index + 1 :])
    yield from _other_values(environment, program, writes)
    yield from _other_wording(program, writes)
    yield from _other_orders(program, writes)


def _other_values(environment: Environment, program: Program, writes: list[int]) -> Iterator[tuple[str, Program]]:
    values = Values(environment)
    for index in writes:
        step = program[index]
        assert isinstance(step, CallStep)
        tool = environment.tools[step.call]
        for name in tool.params:
            others = [value for value in values.of(tool, name) if value != step.args.get(name)]
            for value in others[:: max(1, len(others) // _EACH)][:_EACH]:
                yield f"step {index} with {name} {value!r}", _with_args(program, index, {**step.args, name: value})


def _other_wording(program: Program, writes: list[int]) -> Iterator[tuple[str, Program]]:
    """Texts that differ in case alone."""
    for index in writes:
        step = program[index]
        assert isinstance(step, CallStep)
        for name, value in step.args.items():
            if isinstance(value, str) and not value.startswith("$") and value.swapcase() != value:
                yield (
                    f"step {index} with {name} in other case",
                    _with_args(program, index, {**step.args, name: value.swapcase()}),
                )


def _other_orders(program: Program, writes: list[int]) -> Iterator[tuple[str, Program]]:
    """Two writes in the other order; where the second needs the first, the program fails in both packages alike."""
    for first, second in pairwise(writes):
        moved = list(program)
        moved.insert(second, moved.pop(first))
        yield f"step {first} after step {second}", tuple(moved)


def _with_args(program: Program, index: int, args: dict[str, object]) -> Program:
    step = program[index]
    assert isinstance(step, CallStep)
    return (*program[:index], step.model_copy(update={"args": args}), *program[index + 1 :])


def _told(end: Ending) -> str:
    return f"{'runs' if end.ran else 'fails'} and {'passes' if end.passed else 'does not pass'}"
