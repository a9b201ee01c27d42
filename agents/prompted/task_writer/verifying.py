"""The verifier of a task, asked for with the executed states in view and held against an audit at once."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from ....environments.gold import GoldRun
from ....environments.models import Task
from ....environments.package import Environment
from ....eval.audit import Runs
from ...llm import Chat
from ...llm.structured import structured
from ..leniency import Leniently
from ..showing import changes_text, policy_text, schema_text, transcript_text, world_text
from .building import Misshapen
from .drafts import VerifierDraft
from .material import actor_text, compact, task_prompts, text_of
from .notes import notes_of, rejected_of, signed, without_notes
from .task_checks import executed_trace
from .verifier_building import verifier_of
from .verifier_checks import Judged, judge_verifier

_MOST_GROUNDING = 6_000


def judged(
    environment: Environment, task: Task, run: GoldRun, draft: VerifierDraft, runs: Runs | None = None
) -> Judged:
    """What is wrong with a draft of a task's verifier. `runs`: what was run for earlier drafts."""
    try:
        return judge_verifier(environment, with_verifier(environment, task, run, draft), run, runs)
    except Misshapen as error:
        return Judged(error.problems)


def with_verifier(environment: Environment, task: Task, run: GoldRun, draft: VerifierDraft) -> Task:
    """Raises Misshapen."""
    verifier = verifier_of(draft, environment, task, run.changes.rows)
    return task.model_copy(update={"verifier": verifier})


async def verified(chat: Chat, environment: Environment, task: Task, run: GoldRun) -> Task:
    """The task with its verifier: its answer where nothing changes, one that was suggested if it is faultless, else
    the model's. Raises Unusable."""
    plain = without_notes(task)
    if not run.changes.rows:
        return plain
    suggested, runs = _suggested(task), Runs()
    if suggested is not None and judged(environment, plain, run, suggested, runs) == Judged(()):
        return with_verifier(environment, plain, run, suggested)
    return await _asked(chat, environment, task, plain, run, runs)


def _suggested(task: Task) -> VerifierDraft | None:
    """The verifier that a repair or a rewording left with the task, if there is one."""
    try:
        found = notes_of(task).get("verifier")
        return None if found is None else VerifierDraft.model_validate(found)
    except ValidationError:
        return None


async def _asked(chat: Chat, environment: Environment, task: Task, plain: Task, run: GoldRun, runs: Runs) -> Task:
    def judge(draft: VerifierDraft) -> tuple[Sequence[str], Sequence[str]]:
        return judged(environment, plain, run, draft, runs)

    check = Leniently(judge)
    grounding = {phrase: one.model_dump(exclude_none=True) for phrase, one in task.grounding.items()}
    prompt = task_prompts().render(
        "verifier",
        world=f"{world_text(environment)}\n\n{policy_text(environment)}",
        schema=schema_text(environment, {change.table for change in run.changes.rows}),
        actor=actor_text(environment, task.actor, task),
        task=task,
        grounding=compact(grounding, _MOST_GROUNDING),
        transcript=transcript_text(executed_trace(environment, plain), 9_000),
        changes=changes_text(run.changes.rows, 9_000),
        rejected=rejected_of(task),
        example=text_of("example_verifier.json"),
    )
    draft = await check.settled(structured(chat, prompt, VerifierDraft, check=check, sample=task.id))
    return signed(with_verifier(environment, plain, run, draft), chat, prompt)
