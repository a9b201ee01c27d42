"""A placebo: the same task in other words. Goal, gold and verifier stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....environments.gold import run_gold
from ....environments.models import CallStep, Task
from ....environments.package import Environment
from ....eval.audit.known_values import scalars
from ....eval.audit.language import Wording
from ....eval.audit.sql_literals import constants
from ...llm import Chat
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..task_writer.building import draft_of, task_id, without_verifier
from ..task_writer.drafts import VerifierDraft
from ..task_writer.material import actor_text
from ..task_writer.notes import signed, with_notes
from ..task_writer.task_checks import task_problems
from ..task_writer.verifier_building import verifier_draft_of
from ..task_writer.verifying import judged
from .drafts import RewordingDraft
from .lineage import lineage_of

PLACEBO = "paraphrase"


async def reworded(
    chat: Chat, prompts: PromptFolder, environment: Environment, task: Task, *, seed: int
) -> Task | None:
    """The task with another wording, its verifier left as a suggestion. Raises Unusable."""
    kept = verifier_draft_of(task.verifier)
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
        unsaid = list(_unsaid(environment, task, child))
        return unsaid or task_problems(environment, child) or _rejected(environment, child, kept)

    draft = await structured(chat, prompt, RewordingDraft, check=check, sample=str(seed))
    child = signed(_worded(environment, task, draft), chat, prompt)
    return with_notes(child, verifier=kept)


def _unsaid(environment: Environment, parent: Task, child: Task) -> Iterator[str]:
    """Values that the task turns on, and that the old words say and the new ones do not."""
    before, after = (Wording(task.instruction, environment.spec.clock) for task in (parent, child))
    queries = [one.sql for one in parent.grounding.values()] + [parent.goal.sql, parent.verifier.answer.sql]
    values = [constant.value for sql in queries if sql for constant in constants(sql)]
    values += [value for step in parent.gold if isinstance(step, CallStep) for value in scalars(step.args)]
    for value in dict.fromkeys(values):
        if value not in ("", 0, 1) and before.says(value) and not after.says(value):
            yield f"instruction: it no longer says {value!r}"


def _rejected(environment: Environment, child: Task, kept: VerifierDraft | None) -> Sequence[str]:
    """What an audit has against the parent's verifier under the new words: constants that they no longer say."""
    if kept is None:
        return ()
    found = judged(environment, child, run_gold(environment, child), kept)
    return (*found.hard, *found.soft)


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
