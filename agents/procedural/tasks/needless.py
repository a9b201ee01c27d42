"""Does each write of gold do what no other one does? Nobody asks for one item of an order and then for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.gold import GoldRun, run_gold
from ....environments.models import CallStep, Task
from ....environments.package import Environment


def needless_write(environment: Environment, task: Task, run: GoldRun) -> bool:
    """Whether gold without one of its writes leaves the same state as its whole `run`: what is left out comes with the
    rest, and no verifier of states can ask for it."""
    writes = list(_writes(environment, task, run))
    return len(writes) > 1 and any(_same_without(environment, task, run, index) for index in writes)


def _writes(environment: Environment, task: Task, run: GoldRun) -> Iterator[int]:
    """The steps (by index) that wrote; a repeated one counts once."""
    made = {call.step for call in run.steps}
    for index, step in enumerate(task.gold):
        if index in made and isinstance(step, CallStep) and environment.writes(step.call):
            yield index


def _same_without(environment: Environment, task: Task, run: GoldRun, index: int) -> bool:
    shorter = run_gold(environment, task, skip=[index])
    return shorter.ok and shorter.signature == run.signature
