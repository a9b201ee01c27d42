"""Mending a task that an audit did not find sound: instruction, goal, gold or verifier, whichever is at fault."""

from __future__ import annotations

from collections.abc import Sequence

from ....environments.gold import run_gold
from ....environments.models import AuditReport, Task, Verifier
from ....environments.package import Environment
from ....eval.audit import Runs
from ...llm import Chat
from ...llm.structured import structured
from ..clipping import clipped
from ..leniency import Leniently
from ..showing import changes_text
from .building import Misshapen, draft_of, task_of
from .drafts import RepairDraft, TaskDraft
from .material import actor_text, gates_text, task_prompts, task_text, verifier_text, world_of
from .notes import signed, with_notes, without_notes
from .said import judged_task
from .verifying import judged

_PARTS = ("instruction", "grounding", "goal_text", "goal_sql", "gold", "answer")
_MOST_CHANGES = 6_000
_MOST_SETUP = 4_000


def one_of_a_pair(task: Task) -> bool:
    """Whether a task is a refusal or the twin of one: changed alone it would no longer fit the other."""
    submit = task.verifier.submit
    return task.twin is not None or submit.status != "done" or bool(submit.options)


def editable(task: Task) -> bool:
    """Whether a draft can say all of a task, and it stands for itself."""
    if one_of_a_pair(task) or not task.gold:
        return False
    try:
        draft_of(task)
    except Misshapen:
        return False
    return True


async def repaired(
    chat: Chat, environment: Environment, task: Task, report: AuditReport, *, seed: int
) -> Task | None:
    """As `TaskWriter.repair`."""
    if not editable(task):
        return None
    rejected = gates_text(report)
    prompt = task_prompts().render(
        "repair",
        **world_of(environment, task.actor.roles, task=task),
        actor=actor_text(environment, task.actor, task),
        task=task_text(task),
        setup=clipped("\n".join(task.setup), _MOST_SETUP),
        verifier=verifier_text(task),
        changes=changes_text(run_gold(environment, task).changes.rows, _MOST_CHANGES),
        grade=report.grade,
        gates=rejected,
    )

    runs = Runs()

    def judge(draft: RepairDraft) -> tuple[Sequence[str], Sequence[str]]:
        return _problems(environment, task, draft, runs)

    check = Leniently(judge)
    draft = await check.settled(structured(chat, prompt, RepairDraft, check=check, sample=str(seed)))
    if draft.give_up:
        return None
    rejected = f"{rejected}\nwhich was put down to: {draft.reason}"
    changed = signed(_changed(environment, task, draft), chat, prompt)
    return with_notes(changed, verifier=draft.verifier, rejected=rejected)


def _problems(
    environment: Environment, task: Task, draft: RepairDraft, runs: Runs
) -> tuple[Sequence[str], Sequence[str]]:
    if draft.give_up:
        return (), ()
    if draft.verifier is None and not _parts(draft):
        return ["nothing is changed: change a part, or give up"], ()
    try:
        changed = _changed(environment, task, draft)
    except Misshapen as error:
        return error.problems, ()
    hard, soft = judged_task(environment, changed)
    if hard or draft.verifier is None:
        return hard, soft
    run = run_gold(environment, changed)
    if not run.changes.rows:
        return (), soft
    found = judged(environment, changed, run, draft.verifier, runs)
    return found.hard, (*soft, *found.soft)


def _parts(draft: RepairDraft) -> dict[str, object]:
    return {name: part for name in _PARTS if (part := getattr(draft, name)) is not None}


def _changed(environment: Environment, task: Task, draft: RepairDraft) -> Task:
    """The task with the parts that a draft replaces, without verifier. Raises Misshapen."""
    whole: TaskDraft = draft_of(task).model_copy(update=_parts(draft))
    made = task_of(whole, environment, actor=task.actor, setup=task.setup, lineage=task.lineage)
    if draft.answer is None:
        made = made.model_copy(update={"verifier": Verifier(answer=task.verifier.answer)})
    return made.model_copy(update={"faults": task.faults, "user": task.user, "plan": without_notes(task).plan})
