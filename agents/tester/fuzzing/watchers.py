"""The watchers of fuzzing: crashes, rollbacks, shapes of results, leaks, invariants, transitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....environments.models import Expectation
from ....environments.models.tools import ErrorCode
from ..anatomy import Anatomy
from ..failures import is_too_heavy, is_unforeseen
from ..invariants import Invariants
from ..privacy import shown_rows
from ..shapes import repeated_items, shape_problem
from ..stage import Outcome, Stage
from ..transitions import finals_of
from .steps import Step
from .symptoms import Symptom, Watcher

_FORESEEN = Expectation(foreseen=True)
_REFUSED: tuple[ErrorCode, ...] = ("conflict", "forbidden", "not_found", "invalid_argument")
_LONG = 200
"""Items of an unpaged list above which it counts as unbounded."""


class Crashes:
    """Internal errors, constraints that no step foresaw, and calls too heavy for the runtime's limits."""

    def before(self, stage: Stage, step: Step) -> None:
        return

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        error, detail, where = outcome.result.error, outcome.result.detail, f"tools.{step.tool}"
        if error is None:
            return
        if error.code == "internal":
            yield Symptom("internal_error", "blocker", where, f"{step.tool} fails: {detail}", _FORESEEN)
        elif is_unforeseen(outcome.result):
            message = f"{step.tool} runs into a constraint that no step foresaw: {detail}"
            yield Symptom("unforeseen_constraint", "major", where, message, _FORESEEN)
        elif is_too_heavy(outcome.result):
            message = f"{step.tool} runs into a limit of the runtime: {error.message}"
            yield Symptom("too_heavy", "minor", where, message, _FORESEEN)


class Rollbacks:
    """Failed calls that leave something behind."""

    def __init__(self, anatomy: Anatomy) -> None:
        self._writes = {name for name, tool in anatomy.tools.items() if tool.kind == "write"}
        self._image = b""

    def before(self, stage: Stage, step: Step) -> None:
        self._image = stage.image() if step.tool in self._writes else b""

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        if not outcome.result.ok and self._image and stage.image() != self._image:
            message = f"{step.tool} failed and changed the state all the same."
            yield Symptom(
                "failed_call_changed_state", "blocker", f"tools.{step.tool}", message, Expectation(unchanged=True)
            )


class Shapes:
    """Results that do not fit what the tool declares, and lists without end."""

    def __init__(self, anatomy: Anatomy) -> None:
        self._anatomy = anatomy

    def before(self, stage: Stage, step: Step) -> None:
        return

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        if not outcome.result.ok or step.tool not in self._anatomy.tools:
            return
        plan, value = self._anatomy.environment.plans[step.tool], outcome.result.value
        where = f"tools.{step.tool}.returns"
        problem = shape_problem(plan, value)
        if problem is not None:
            yield Symptom("result_shape", "major", where, f"{step.tool}: {problem}", Expectation(fits=True))
        elif repeated_items(value):
            message = f"{step.tool} answers with the same item more than once, id and all."
            yield Symptom("repeated_items", "major", where, message, Expectation(fits=True))
        elif plan.tool.page is None and _length(value) > _LONG:
            message = f"{step.tool} answers with {_length(value)} items: a list that grows with the data needs pages."
            yield Symptom("unbounded_result", "minor", where, message, Expectation(fits=True))


def _length(value: Any) -> int:
    items = value.get("items") if isinstance(value, dict) else None
    return len(items) if isinstance(items, list) else 0


class Rules:
    """Invariants, after every call that changed something."""

    def __init__(self, anatomy: Anatomy) -> None:
        self._invariants = Invariants(anatomy.spec, anatomy.tables)
        with Stage(anatomy.environment) as stage:
            self._known = {broken.number for broken in self._invariants.broken(stage)}

    def before(self, stage: Stage, step: Step) -> None:
        return

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        changed = {change.table for change in outcome.changes}
        for broken in self._invariants.broken(stage, changed) if changed else ():
            if broken.number not in self._known:
                yield Symptom(
                    "invariant_broken",
                    "blocker",
                    f"tools.{step.tool}.invariants.{broken.slug}",
                    f"{step.tool} breaks the invariant {broken.name!r}.",
                    Expectation(invariants=True),
                    {"rows": [list(row) for row in broken.rows]},
                )


class Leaks:
    """Rows that a read shows to somebody whose own they are not, where other reads refuse them."""

    def __init__(self, anatomy: Anatomy) -> None:
        self._shown = shown_rows(anatomy)

    def before(self, stage: Stage, step: Step) -> None:
        return

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        for shown in self._shown.get(step.tool, ()) if outcome.result.ok else ():
            if step.actor.roles == (shown.owner.role,) and shown.foreign(stage, step.actor, outcome.result.value):
                expected = Expectation(result=shown.own_rows_only)
                where = f"tools.{step.tool}.returns"
                yield Symptom("result_leaks", "blocker", where, shown.told(step.tool), expected)


class Transitions:
    """Changes of a status that the other tools treat as final."""

    def __init__(self, anatomy: Anatomy) -> None:
        self._finals = finals_of(anatomy)

    def before(self, stage: Stage, step: Step) -> None:
        return

    def after(self, stage: Stage, step: Step, outcome: Outcome) -> Iterator[Symptom]:
        for place, values, heeding, blind in self._finals if outcome.changes else ():
            for change in outcome.changes if step.tool in blind else ():
                left = change.old.get(place.column) if change.table == place.table and change.op == "update" else None
                if left in values:
                    message = (
                        f"{step.tool} leads a row of {place.table} away from {left!r}; {', '.join(heeding)} refuse."
                    )
                    where = f"tools.{step.tool}.transitions.{place.table}.{place.column}"
                    yield Symptom("illegal_transition", "major", where, message, Expectation(fails=_REFUSED))
                    break


def watchers(anatomy: Anatomy) -> tuple[Watcher, ...]:
    """A fresh set for one environment."""
    return Crashes(), Rollbacks(anatomy), Shapes(anatomy), Leaks(anatomy), Rules(anatomy), Transitions(anatomy)
