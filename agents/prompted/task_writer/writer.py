"""The task writer as a model: ideas, then a task for each, then verifiers, each executed and checked as it comes."""

from __future__ import annotations

from collections.abc import Sequence

from ....environments.gold import GoldRun
from ....environments.models import Actor, AuditReport, Task
from ....environments.package import Environment
from ...llm import Chat
from ...llm.structured import structured
from ..asking import usable
from ..leniency import Leniently
from .building import Misshapen, task_of
from .drafts import IdeaDraft, TaskDraft
from .ideas import ideas_for
from .material import actor_text, found_text, known_text, task_prompts, text_of, world_of
from .notes import signed
from .repairing import repaired
from .said import judged_task
from .verifying import verified


class PromptedTaskWriter:
    """Writes tasks for any environment by asking `chat`."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    async def propose(
        self, environment: Environment, count: int, *, seed: int, known: Sequence[Task] = ()
    ) -> list[Task]:
        """Up to `count` tasks unlike `known`, each of whose gold was executed and reaches its goal. An idea that does
        not become such a task is dropped. Errors: Unusable if there is no usable idea; those of `Chat.ask`."""
        if count < 1:
            return []
        ideas = await ideas_for(self._chat, environment, count, seed=seed, known=known)
        drafted = await usable(self._task(environment, idea, seed, known) for idea in ideas)
        return list({task.id: task for task in drafted if task is not None}.values())

    async def write_verifier(self, environment: Environment, task: Task, run: GoldRun) -> Task:
        """The task with a verifier that compiles, that gold passes and that doing nothing fails. Errors: Unusable;
        those of `Chat.ask`."""
        return await verified(self._chat, environment, task, run)

    async def repair(self, environment: Environment, task: Task, report: AuditReport, *, seed: int) -> Task | None:
        """The task as the model changed it, its gold run and its goal reached, without verifier; None where it gives
        up, for refusals, and where its replies stay unusable. Errors: those of `Chat.ask`."""
        return await repaired(self._chat, environment, task, report, seed=seed)

    async def _task(self, environment: Environment, idea: IdeaDraft, seed: int, known: Sequence[Task]) -> Task:
        actor = Actor(roles=(idea.role,), id=idea.actor_id)
        prompt = task_prompts().render(
            "task",
            **world_of(environment, actor.roles),
            idea=idea,
            actor=actor_text(environment, actor),
            found=found_text(environment, idea),
            known=known_text(known),
            example=text_of("example_task.json"),
        )

        def judge(draft: TaskDraft) -> tuple[Sequence[str], Sequence[str]]:
            try:
                return judged_task(environment, task_of(draft, environment, actor=actor))
            except Misshapen as error:
                return error.problems, ()

        check = Leniently(judge, patience=1)
        draft = await check.settled(structured(self._chat, prompt, TaskDraft, check=check, sample=str(seed)))
        return signed(task_of(draft, environment, actor=actor), self._chat, prompt)
