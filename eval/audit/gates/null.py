"""Doing nothing does not pass, and nearly right answers do not either.

State tasks: not even with gold's answer. Answer tasks: the chance that a guess from the answer's domain passes is
small. A refusal is right without doing anything: it is judged with its twin; here `done` must not pass for it.
"""

from __future__ import annotations

from collections.abc import Collection

from ....environments.answer_matching.numbers import read_number
from ....environments.answer_matching.texts import plain
from ....environments.changes import ChangeSet
from ....environments.models import GateResult, Submission
from ....environments.states.rows import quoted
from ....environments.verification import bind, expected_answer
from ..answer_sources import answer_source
from ..base import AuditContext
from ..guessing import Seen, guess_chance
from ..known_values import scalars

MOST_GUESSED = 0.05
_MOST_VALUES = 2000
_LOOSE = 0.001
"""Share of a whole number within which rounding explains a difference."""


def gate(context: AuditContext) -> GateResult:
    passing = passing_submissions(context)
    if passing:
        shown = [submission.model_dump(mode="json", exclude_none=True) for submission in passing]
        return _failed("passes with nothing done", [{"submitted": one} for one in shown])
    loose = _loose(context) or _other_name(context)
    if loose:
        return _failed(loose, [{"problem": loose}])
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


def _loose(context: AuditContext) -> str:
    """Where a whole number, as of a count, may be off by one or more; empty where none may."""
    answer, given = context.task.verifier.answer, context.gold.submission
    numbers = [number for value in scalars(given and given.answer) if (number := read_number(value)) is not None]
    for number in numbers if answer.tolerance >= 1 else ():
        if number == number.to_integral_value() and answer.tolerance > _LOOSE * abs(float(number)):
            return f"{number} may be off by {answer.tolerance:g}"
    return ""


def _other_name(context: AuditContext) -> str:
    """Where a text that is accepted besides the right one names something else: it is another value of the same
    column, or words of one, and not of the right one."""
    accept = context.task.verifier.answer.accept
    if not accept or context.gold.submission is None:
        return ""
    right = {plain(value): value for value in scalars(context.gold.submission.answer) if isinstance(value, str)}
    columns = [{plain(value) for value in values if isinstance(value, str)} for values in _columns(context, None)]
    for text in accept:
        for wanted, shown in right.items():
            if any(wanted in values and _names_other(plain(text), wanted, values) for values in columns):
                return f"{text!r} is accepted, which names something else than {shown!r}"
    return ""


def _names_other(text: str, right: str, values: Collection[str]) -> bool:
    words = set(text.split())
    return bool(words) and not words <= set(right.split()) and any(words <= set(value.split()) for value in values)


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
