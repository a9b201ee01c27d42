"""The evolver as a model: a child of a task by one of the described operators, checked like any task."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ....environments.models import Task
from ....environments.package import Environment
from ...base import Direction
from ...llm import Chat
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..clipping import clipped
from ..leniency import Leniently
from ..showing import transcript_text
from ..task_writer.material import actor_text, task_text, world_of
from ..task_writer.notes import signed
from ..task_writer.repairing import editable
from ..task_writer.task_checks import executed_trace
from .children import child_of, child_problems
from .drafts import ChildDraft
from .operators import Operator, all_operators, operator_named
from .rewording import reworded

_MOST_SETUP = 4_000
_MOST_TRANSCRIPT = 7_000


@lru_cache(maxsize=1)
def evolver_prompts() -> PromptFolder:
    return PromptFolder(Path(__file__).parent / "prompts", "evolver")


class PromptedEvolver:
    """Evolves any task, whoever wrote it, by asking `chat`."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def operators(self) -> dict[Direction, tuple[str, ...]]:
        """Names by declared direction. Placebos are in neither."""
        return {"harden": _names("harden"), "soften": _names("soften")}

    @property
    def placebos(self) -> tuple[str, ...]:
        return _names(None)

    async def evolve(self, environment: Environment, task: Task, operator: str, *, seed: int) -> Task | None:
        """A child task without verifier, its gold run and its goal reached. None where the operator does not apply,
        and for refusals and their twins.

        Errors: InputError for a name that no operator has; Unusable; those of `Chat.ask`.
        """
        described = operator_named(operator)
        if not editable(task) or (described.name == "clear" and not task.setup):
            return None
        if described.direction is None:
            return await reworded(self._chat, evolver_prompts(), environment, task, seed=seed)
        return await self._child(environment, task, described, seed)

    async def _child(self, environment: Environment, task: Task, operator: Operator, seed: int) -> Task | None:
        prompt = evolver_prompts().render(
            "evolve",
            **world_of(environment, task.actor.roles, task=task),
            operator=operator,
            actor=actor_text(environment, task.actor, task),
            task=task_text(task),
            setup=clipped("\n".join(task.setup), _MOST_SETUP),
            transcript=transcript_text(executed_trace(environment, task), _MOST_TRANSCRIPT),
        )

        def judge(draft: ChildDraft) -> tuple[Sequence[str], Sequence[str]]:
            return child_problems(environment, task, operator, draft) if draft.applies else ((), ())

        check = Leniently(judge, patience=1)
        draft = await check.settled(structured(self._chat, prompt, ChildDraft, check=check, sample=str(seed)))
        if not draft.applies:
            return None
        return signed(child_of(environment, task, operator, draft), self._chat, prompt)


def _names(direction: Direction | None) -> tuple[str, ...]:
    return tuple(operator.name for operator in all_operators() if operator.direction == direction)
