"""Doing nothing does not pass.

State tasks: not even with gold's answer. Answer tasks: the chance that a guess from the answer's domain passes is
small. A refusal is right without doing anything: it is judged with its twin; here `done` must not pass for it.
"""

from __future__ import annotations

from ....environments.changes import ChangeSet
from ....environments.models import GateResult, Submission
from ....environments.states.rows import quoted
from ....environments.verification import bind, expected_answer
from ..answer_sources import answer_source
from ..base import AuditContext
from ..guessing import Seen, guess_chance

MOST_GUESSED = 0.05
_MOST_VALUES = 2000


def gate(context: AuditContext) -> GateResult:
    passing = passing_submissions(context)
    if passing:
        shown = [submission.model_dump(mode="json", exclude_none=True) for submission in passing]
        return _failed("passes with nothing done", [{"submitted": one} for one in shown])
    if context.task.verifier.submit.status != "done":
        return GateResult(gate="null", status="not_run", message="a refusal is right with nothing done: see twins")
    if context.changes_state or context.task.verifier.answer.kind == "none":
        return GateResult(gate="null", status="passed")
    chance = _guess(context)
    if chance > MOST_GUESSED:
        return _failed(
            f"a guess passes with a chance of {chance:.2g}: the answer must ask for more", [{"chance": chance}]
        )
    return GateResult(gate="null", status="passed", message=f"a guess passes with a chance of {chance:.2g}")


def passing_submissions(context: AuditContext) -> list[Submission]:
    """What passes, submitted with nothing done, though it must not."""
    gold = context.gold.submission or Submission()
    tried = [Submission()]
    if context.changes_state:
        tried = [gold, Submission()] if gold != Submission() else tried
    return [submission for submission in tried if context.judge(context.before, ChangeSet(), submission).passed]


def _guess(context: AuditContext) -> float:
    """The chance that a guess passes."""
    reader, verifier, gold = context.reader, context.task.verifier, context.gold
    reader.show(gold.after, gold.changes)
    expected = expected_answer(reader, verifier.answer, bind(reader, verifier).values)
    seen = Seen((call.result.value for call in gold.steps), lambda name: _columns(context, name))
    return guess_chance(verifier.answer, expected, seen, answer_source(context.task, gold))


def _columns(context: AuditContext, name: str | None) -> list[set[object]]:
    """The distinct values of the seed columns of this name; of all columns for None."""
    return [
        {
            value
            for (value,) in context.reader.query(
                f"SELECT DISTINCT {quoted(column)} FROM before.{quoted(table.name)} LIMIT {_MOST_VALUES}"
            )
            if value is not None
        }
        for table in context.environment.tables().values()
        for column in table.stored
        if not table.view and name in (None, column)
    ]


def _failed(message: str, evidence: list[dict[str, object]]) -> GateResult:
    return GateResult(gate="null", status="failed", message=message, evidence=tuple(evidence))
