"""Gold as a program whose steps can be moved, left out, repeated and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ...environments.gold import names_in, names_in_sql, written
from ...environments.models import CallStep, PickStep
from ...environments.models.tasks import GoldStep
from .base import Program

_PLACE = ("step", "call", "argument", "pick", "before")


class Variant(NamedTuple):
    """A changed program: what kind of change, and which (for evidence)."""

    kind: str
    change: dict[str, Any]
    program: Program

    def shown(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.change}

    @property
    def place(self) -> str:
        """The step that is changed, in short."""
        return ", ".join(f"{name} {self.change[name]}" for name in _PLACE if name in self.change) or "all steps"


def used_names(step: GoldStep) -> set[str]:
    """The names that a step refers to."""
    if isinstance(step, PickStep):
        return names_in_sql(step.sql)
    if isinstance(step, CallStep):
        return names_in(step.args) | names_in(step.each) - {"it"}
    return names_in(step.submit.answer)


def defined_name(step: GoldStep) -> str | None:
    if isinstance(step, PickStep):
        return step.pick
    return step.as_ if isinstance(step, CallStep) else None


def ancestors(program: Program, index: int) -> set[int]:
    """The steps that step `index` depends on by data flow, itself aside."""
    found: set[int] = set()
    queue = [index]
    while queue:
        here = queue.pop()
        for name in used_names(program[here]):
            source = next((k for k in range(here - 1, -1, -1) if defined_name(program[k]) == name), None)
            if source is not None and source not in found:
                found.add(source)
                queue.append(source)
    return found


def hoisted(program: Program, first: int, later: int) -> Program | None:
    """The program with step `later`, and what it needs, moved before step `first`; None if it needs `first`."""
    needed = ancestors(program, later)
    if first in needed:
        return None
    moved = [k for k in range(first, later + 1) if k == later or k in needed]
    kept = [k for k in range(first, later + 1) if k not in moved]
    return tuple(program[k] for k in (*range(first), *moved, *kept, *range(later + 1, len(program))))


def arranged(program: Program, choose: Callable[[list[int]], int]) -> Program:
    """The steps in an order that respects data flow, `choose` saying which of those that can come next does; submit
    stays last."""
    left = list(range(len(program) - 1))
    needs = {k: ancestors(program, k) for k in left}
    order: list[int] = []
    while left:
        order.append(choose([k for k in left if needs[k] <= set(order)]))
        left.remove(order[-1])
    return (*(program[k] for k in order), program[-1])


def without(program: Program, index: int) -> Program:
    return (*program[:index], *program[index + 1 :])


def with_step(program: Program, index: int, *steps: GoldStep) -> Program:
    """The program with step `index` replaced by `steps`."""
    return (*program[:index], *steps, *program[index + 1 :])


def with_argument(step: CallStep, name: str, value: Any) -> CallStep:
    return step.model_copy(update={"args": {**step.args, name: written(value)}})


def fixed_pick(step: PickStep, row: Mapping[str, Any]) -> PickStep:
    """A pick that always chooses `row`."""
    columns = ", ".join(f"{_sql(value)} AS {name}" for name, value in row.items())
    return step.model_copy(update={"sql": f"SELECT {columns}"})


def calls(program: Program) -> Iterator[tuple[int, CallStep]]:
    return ((index, step) for index, step in enumerate(program) if isinstance(step, CallStep))


def _sql(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
