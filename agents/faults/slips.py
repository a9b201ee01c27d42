"""Slips: programs near a task's solution, as somebody would carry it out who misses something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...environments.gold import GoldRun, run_gold
from ...environments.models import CallStep, Submission, SubmitStep, Task, Verdict
from ...environments.models.tasks import GoldStep
from ...environments.package import Environment
from ...environments.verification import verify
from .values import Values

Program = tuple[GoldStep, ...]
_EACH = 3
"""Other values tried for an argument."""


def ran(environment: Environment, task: Task, program: Program) -> GoldRun:
    """A program's run in the task's world. No answer is given where none is asked for."""
    last = program[-1]
    if task.verifier.answer.kind == "none" and isinstance(last, SubmitStep):
        program = (*program[:-1], SubmitStep(submit=last.submit.model_copy(update={"answer": None})))
    return run_gold(environment, task.model_copy(update={"gold": program}))


def judged(environment: Environment, task: Task, run: GoldRun) -> Verdict:
    """What the task's verifier says of a run."""
    before = environment.image_for(task)
    return verify(environment, task, before=before, after=run.after, changes=run.changes, submission=run.submission)


def slips(environment: Environment, task: Task) -> Iterator[tuple[str, Program]]:
    """Programs near the solution, with their names: nothing done, steps left out, other values, other wording, another
    order."""
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
