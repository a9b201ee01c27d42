"""The plan of a task: what is asked, of which rows, said how. Operators edit plans, the compiler reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from ....environments.canonical import canonical_json, sha256
from ....environments.models import Actor, Frozen, Task
from .workflows import Tone

PICKS = "picks"
"""In `Task.plan` beside the plan: pick of gold → how indirect the phrase is that it resolves (0-2). Simulated solvers
reckon with it."""
TRIED = "tried"
"""In `Task.plan` of a refusal: the steps of gold, from where it refuses, that would do what is refused all the same."""
BESIDE = frozenset({PICKS, TRIED})

Rows = int | tuple[int, ...]


class Part(Frozen):
    """One workflow of a task.

    `rows`: slot → id of the row (ids for a set). `refer`: slot → index of the way to point at it; phrases within
    phrases have dotted slots (`booking.person`). `taken`: slots taken over from the part that this one follows.
    """

    workflow: str
    rows: dict[str, Rows] = {}
    refer: dict[str, int] = {}
    choices: dict[str, Any] = {}
    say: int = 0
    why: int | None = None
    follows: int | None = None
    taken: dict[str, str] = {}
    join: str = ""


class Plan(Frozen):
    """A task before it is compiled. `role` is the actor's role key; `voice` numbers the choice of frames;
    `setup` are rows added to the world for this task alone; `twinned` plans have a twin in which the same request is
    to be refused."""

    actor: Actor
    role: str
    parts: tuple[Part, ...] = Field(min_length=1)
    tone: Tone = "plain"
    voice: int = 0
    setup: tuple[str, ...] = ()
    twinned: bool = False

    @property
    def shape(self) -> str:
        """Equal for plans that ask the same of the same rows, however worded."""
        parts = [{"workflow": part.workflow, "rows": part.rows, "taken": part.taken} for part in self.parts]
        return sha256([self.actor, sorted(parts, key=sha256)])

    @property
    def form(self) -> str:
        """Equal for plans that ask the same by phrases of the same forms, of whatever rows and whoever asks."""
        return sha256(sorted(canonical_json([part.workflow, part.refer]) for part in self.parts))

    def with_part(self, index: int, part: Part) -> Plan:
        """The plan with the part at `index` replaced."""
        return self.with_parts((*self.parts[:index], part, *self.parts[index + 1 :]))

    def with_parts(self, parts: Iterable[Part]) -> Plan:
        return self.model_copy(update={"parts": tuple(parts)})


def plan_of(task: Task) -> Plan | None:
    """The plan that a task was compiled from; None if another kind of writer made it."""
    if not task.plan.get("parts"):
        return None
    return Plan.model_validate({name: value for name, value in task.plan.items() if name not in BESIDE})


def changed(part: Part, **fields: Any) -> Part:
    """A copy of `part` with some fields replaced."""
    return part.model_copy(update=fields)


def choice_values(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Choices as names for SQL: `offer.price` is `offer_price`."""
    return {name.replace(".", "_"): value for name, value in choices.items()}
