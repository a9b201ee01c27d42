"""A placebo: the same task in other words. Goal, gold and verifier stay."""

from __future__ import annotations

from collections.abc import Sequence

from ....environments.models import Task
from ....environments.package import Environment
from ...llm import Chat
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..task_writer.building import draft_of, task_id, without_verifier
from ..task_writer.material import actor_text
from ..task_writer.notes import signed, with_notes
from ..task_writer.task_checks import task_problems
from ..task_writer.verifier_building import verifier_draft_of
from .drafts import RewordingDraft
from .lineage import lineage_of

PLACEBO = "paraphrase"


async def reworded(
    chat: Chat, prompts: PromptFolder, environment: Environment, task: Task, *, seed: int
) -> Task | None:
    """The task with another wording, its verifier left as a suggestion. Raises Unusable."""
    prompt = prompts.render(
        PLACEBO, now=environment.spec.clock, actor=actor_text(environment, task.actor, task), task=task
    )

    def check(draft: RewordingDraft) -> Sequence[str]:
        unknown = [phrase.was for phrase in draft.phrases if phrase.was not in task.grounding]
        if unknown:
            return [f"phrases: {unknown[0]!r} is none of the phrases"]
        child = _worded(environment, task, draft)
        if child.instruction == task.instruction.strip():
            return ["the instruction reads as before"]
        return task_problems(environment, child)

    draft = await structured(chat, prompt, RewordingDraft, check=check, sample=str(seed))
    child = signed(_worded(environment, task, draft), chat, prompt)
    return with_notes(child, verifier=verifier_draft_of(task.verifier))


def _worded(environment: Environment, task: Task, draft: RewordingDraft) -> Task:
    now = {phrase.was: phrase.now for phrase in draft.phrases}
    grounding = {now.get(phrase, phrase): one for phrase, one in task.grounding.items()}
    said = draft.instruction.strip()
    named = draft_of(task).model_copy(update={"instruction": said})
    return without_verifier(task).model_copy(
        update={
            "id": task_id(named, environment, task.actor, task.setup),
            "instruction": said,
            "grounding": grounding,
            "lineage": lineage_of(task, PLACEBO),
        }
    )
