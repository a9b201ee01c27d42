"""Rows that were acted on, against those that the request is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ....environments.canonical import canonical_json
from ..base import Case, Judgement
from .reading import Call, counted, not_met, writes

_SEVERAL = re.compile(
    r"\b(two|three|four|five|six|both|twice|each|every|all|another|again|more|second|\d+)\b", re.IGNORECASE
)


def another_row(case: Case) -> Judgement | None:
    """A call chose and changed a row of a table in which the request's phrases mean other rows only.

    Rows that a tool changes besides (a total, a place in a queue) were not chosen by the solver: only those count
    that an argument names.
    """
    left = {(change.table, value) for change in counted(case) for value in change.key.values()}
    for call in writes(case):
        if not call.result.ok:
            continue
        for table, key in _named_rows(case, call):
            changed = any(change.table == table and key in change.key.values() for change in call.changes)
            if changed and (table, key) in left and not _is_meant(case, table, key):
                phrases = ", ".join(repr(meant.phrase) for meant in case.meant if meant.table == table)
                return not_met(f"{call.tool} changed {table} {key}, which is not what {phrases} means.", call.step)
    return None


def done_twice(case: Case) -> Judgement | None:
    """One write was made twice with the same arguments and made two rows of a kind, and no word asks for several."""
    if _SEVERAL.search(case.instruction):
        return None
    new = Counter(change.table for change in counted(case) if change.op == "insert")
    seen = set[str]()
    for call in writes(case):
        if not call.result.ok:
            continue
        this = canonical_json([call.tool, dict(call.args)])
        made = {change.table for change in call.changes if change.op == "insert"}
        if this in seen and any(new[table] > 1 for table in made):
            return not_met(
                f"{call.tool} was called twice with the same arguments, and both times it did its work.", call.step
            )
        seen.add(this)
    return None


def _named_rows(case: Case, call: Call) -> Iterator[tuple[str, Any]]:
    """Table and key of the rows that a call's arguments name."""
    for name, param in case.environment.params(call.tool).items():
        inner = param.items if param.items is not None else param
        if inner.ref is None or name not in call.args:
            continue
        given = call.args[name]
        for key in given if isinstance(given, list) else [given]:
            yield inner.ref.partition(".")[0], key


def _is_meant(case: Case, table: str, key: Any) -> bool:
    """Whether a phrase means the row, or none means rows of its table."""
    of_table = [meant.keys for meant in case.meant if meant.table == table]
    return not of_table or any(key in keys for keys in of_table) or _is_self(case, table, key)


def _is_self(case: Case, table: str, key: Any) -> bool:
    roles = case.environment.spec.roles
    return key == case.actor.id and any(roles[role].table == table for role in case.actor.roles)
