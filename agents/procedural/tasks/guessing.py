"""Whether an answer asks for enough: the chance that a guess is right, as the audit of verifiers reckons it."""

from __future__ import annotations

from functools import partial
from typing import Any

from ....environments.gold import GoldRun
from ....environments.models import Task
from ....environments.package import Environment
from ....environments.states.rows import quoted
from ....eval.audit.answer_sources import answer_source
from ....eval.audit.guessing import Seen, guess_chance
from .worlds import World

MOST_GUESSED = 0.05
MOST_VALUES = 2000


def guessable(environment: Environment, world: World, task: Task, run: GoldRun, expected: Any) -> bool:
    """Whether a guess passes too often: only for tasks that change nothing."""
    answer = task.verifier.answer
    if answer.kind == "none" or run.changes.rows:
        return False
    seen = Seen((call.result.value for call in run.steps), partial(_columns, environment, world))
    return guess_chance(answer, expected, seen, answer_source(task, run)) > MOST_GUESSED


def _columns(environment: Environment, world: World, name: str | None) -> list[set[Any]]:
    """The distinct values of the columns of this name; of all columns for None."""
    return [
        {row[0] for row in world.rows(_distinct(table.name, column)) if row[0] is not None}
        for table in environment.tables().values()
        for column in table.stored
        if not table.view and name in (None, column)
    ]


def _distinct(table: str, column: str) -> str:
    return f"SELECT DISTINCT {quoted(column)} FROM {quoted(table)} LIMIT {MOST_VALUES}"
