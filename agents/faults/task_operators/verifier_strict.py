"""A verifier that refuses right ways: it asks for what the instruction leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....environments.gold import GoldRun, run_gold
from ....environments.models import Check, RowChange, Task, Verifier
from ....environments.package import Environment
from ..base import TaskChange

_SAME_TEXT = re.compile(r"same_text\(([^(),]+), ([^()]+?)\)")


class VerifierStrict:
    kind = "verifier_strict"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        where = f"tasks.{task.id}.verifier"
        for verifier, note in _stricter(environment, task):
            yield TaskChange(where, note, task.model_copy(update={"verifier": verifier}))


def _stricter(environment: Environment, task: Task) -> Iterator[tuple[Verifier, str]]:
    verifier = task.verifier
    for index, check in enumerate(verifier.require):
        letter = _SAME_TEXT.sub(r"\1 = \2", check.sql)
        if letter != check.sql:
            yield _with_check(verifier, check.model_copy(update={"sql": letter}), index), "texts letter by letter"
    if verifier.answer.kind == "set" and isinstance(verifier.answer.value, list):
        listed = verifier.answer.model_copy(update={"kind": "list"})
        yield verifier.model_copy(update={"answer": listed}), "a set in one order only"
    run = run_gold(environment, task)
    yield from _pinned(environment, verifier, run)


def _pinned(environment: Environment, verifier: Verifier, run: GoldRun) -> Iterator[tuple[Verifier, str]]:
    """What gold's run happened to leave, asked for to the letter: the second of its writes, and free columns."""
    for change in run.changes.rows:
        for column, value in change.new.items():
            free = column in verifier.free.get(change.table, ())
            if not free and not _is_clock(environment, change.table, column):
                continue
            check = Check(name=f"{column} of {change.table}", sql=_asked(environment, change, column, value))
            others = {name: columns for name, columns in verifier.free.items() if not free or name != change.table}
            changed = verifier.model_copy(update={"require": (*verifier.require, check), "free": others})
            yield changed, f"{change.table}.{column} must be {value!r}"


def _asked(environment: Environment, change: RowChange, column: str, value: Any) -> str:
    table = "inserted" if change.op == "insert" else "after"
    held = (
        "NULL"
        if value is None
        else f"{value}"
        if isinstance(value, int | float)
        else "'" + value.replace("'", "''") + "'"
    )
    return f"SELECT EXISTS (SELECT 1 FROM {table}.{change.table} WHERE {column} IS {held})"


def _is_clock(environment: Environment, table: str, column: str) -> bool:
    return bool({f"{table}.{column}", f"*.{column}"} & set(environment.spec.columns.clock))


def _with_check(verifier: Verifier, check: Check, index: int) -> Verifier:
    return verifier.model_copy(update={"require": (*verifier.require[:index], check, *verifier.require[index + 1 :])})
