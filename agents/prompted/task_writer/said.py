"""Whether an instruction says the values that its solution writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....environments.models import CallStep, Param, Task
from ....environments.package import Environment
from ....eval.audit.known_values import scalars
from ....eval.audit.language import Wording
from ..clipping import value_text
from .task_checks import task_problems


def judged_task(environment: Environment, task: Task) -> tuple[Sequence[str], Sequence[str]]:
    """What must be mended in a task without verifier, and what had better be."""
    hard = task_problems(environment, task)
    return hard, () if hard else list(unsaid_values(environment, task))


def unsaid_values(environment: Environment, task: Task) -> Iterator[str]:
    """Values written out in gold's writes that the instruction does not say. No proof of a fault: a value may follow
    from what is said ("an hour later"). Words for a choice are free."""
    wording = Wording(task.instruction, environment.spec.clock)
    for index, step in enumerate(task.gold):
        if not isinstance(step, CallStep) or not environment.writes(step.call):
            continue
        params = environment.params(step.call)
        for name, value in step.args.items():
            if name in params and _worded(params[name]):
                for item in scalars(value):
                    if not _reference(item) and not wording.says(item):
                        yield (
                            f"gold step {index}: {name} of {step.call} is {value_text(item)}, which the instruction "
                            "does not say; say it, or leave it if it follows from what is said"
                        )


def _worded(param: Param) -> bool:
    inner = param.items or param
    return inner.enum is None and inner.type != "boolean"


def _reference(value: object) -> bool:
    return isinstance(value, str) and value.startswith("$")
