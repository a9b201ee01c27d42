"""From a draft of a child to the task, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....environments.dataflow import structure_features
from ....environments.gold import run_gold
from ....environments.models import Task, Verifier
from ....environments.package import Environment
from ..task_writer.building import Misshapen, draft_of, literal, task_of
from ..task_writer.notes import with_notes
from ..task_writer.said import judged_task
from ..task_writer.verifier_building import verifier_draft_of
from .drafts import ChildDraft, RowEdit
from .lineage import lineage_of
from .operators import Operator

_MOST_STATEMENTS = 60
ROWS_SEEN = "rows seen by picks"
"""What rows of the task's own are for: near misses are counted up to a limit that a large world reaches by itself."""


def child_of(environment: Environment, parent: Task, operator: Operator, draft: ChildDraft) -> Task:
    """The child that a draft describes. Where only rows change the parent's task is kept, and its verifier is left as
    a suggestion. Raises Misshapen."""
    kept = () if draft.drop_rows else parent.setup
    setup = (*kept, *(_statement(environment, edit) for edit in draft.rows))
    whole = draft.task or (draft_of(parent) if operator.setup else None)
    if whole is None:
        raise Misshapen(["task: the child is missing; give it, or say that the operator does not apply"])
    child = task_of(whole, environment, actor=parent.actor, setup=setup, lineage=lineage_of(parent, operator.name))
    if draft.task is None:
        child = child.model_copy(update={"verifier": Verifier(answer=parent.verifier.answer)})
    if operator.setup:
        child = with_notes(child, verifier=verifier_draft_of(parent.verifier))
    return child.model_copy(update={"faults": parent.faults, "user": parent.user})


def child_problems(
    environment: Environment, parent: Task, operator: Operator, draft: ChildDraft
) -> tuple[Sequence[str], Sequence[str]]:
    """Why a draft is no child of this task by this operator, and what had better be mended."""
    try:
        child = child_of(environment, parent, operator, draft)
    except Misshapen as error:
        return error.problems, ()
    problem = _misapplied(parent, child, operator)
    if problem:
        return [problem], ()
    hard, soft = judged_task(environment, child)
    return hard or list(_unmoved(environment, parent, child, operator)), soft


def _misapplied(parent: Task, child: Task, operator: Operator) -> str:
    """What an operator changed that it may not, or left as it was."""
    if child.setup != parent.setup and not operator.setup:
        return f"rows: {operator.name} changes no rows; leave rows and drop_rows out"
    if len(child.setup) > _MOST_STATEMENTS:
        return f"rows: a task has at most {_MOST_STATEMENTS} rows of its own"
    if operator.setup and child.instruction != parent.instruction.strip():
        return f"instruction: {operator.name} leaves it as it is"
    if (child.instruction, child.setup) == (parent.instruction.strip(), parent.setup):
        return "the child reads like its parent: nothing was changed"
    return ""


def _unmoved(environment: Environment, parent: Task, child: Task, operator: Operator) -> Iterator[str]:
    """Where none of the features that the operator moves went its way."""
    before, after = (_measured(environment, task) for task in (parent, child))
    sign = 1 if operator.direction == "harden" else -1
    moves = (*operator.moves, *((ROWS_SEEN,) if operator.setup else ()))
    if moves and not any(sign * (after[name] - before[name]) > 0 for name in moves):
        counts = ", ".join(f"{name} {before[name]:g} -> {after[name]:g}" for name in moves)
        way = "rises" if sign > 0 else "falls"
        yield f"{operator.name}: none of these {way}: {counts}. Apply it, or say that it does not apply"


def _measured(environment: Environment, task: Task) -> dict[str, float]:
    run = run_gold(environment, task)
    seen = sum(size for pick in run.chosen for size in pick.sources.values())
    return {**structure_features(environment, task, run), ROWS_SEEN: float(seen)}


def _statement(environment: Environment, edit: RowEdit) -> str:
    """A row edit as SQL made here: names are checked, values are literals. Raises Misshapen."""
    info = environment.tables().get(edit.table)
    if info is None or info.view:
        raise Misshapen([f"rows: there is no table {edit.table!r}"])
    unknown = sorted({*(edit.insert or {}), *(edit.key or {}), *(edit.update or {})} - set(info.stored))
    if unknown:
        raise Misshapen([f"rows: {edit.table} has no column {unknown[0]!r}"])
    if edit.insert and edit.key is None and edit.update is None:
        values = ", ".join(map(literal, edit.insert.values()))
        return f"INSERT INTO {edit.table} ({', '.join(edit.insert)}) VALUES ({values})"
    if edit.update and edit.key and edit.insert is None:
        changes = ", ".join(f"{name} = {literal(value)}" for name, value in edit.update.items())
        where = " AND ".join(f"{name} IS {literal(value)}" for name, value in edit.key.items())
        return f"UPDATE {edit.table} SET {changes} WHERE {where}"
    raise Misshapen([f"rows: for {edit.table} give insert, or key with update"])
