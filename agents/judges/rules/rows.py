"""Rows that were acted on, against those that the request is about."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ....environments.canonical import canonical_json
from ..base import Case, Judgement
from .reading import counted, means, named_rows, not_met, writes

_SEVERAL = re.compile(
    r"\b(two|three|four|five|six|both|twice|each|every|all|another|again|more|second|\d+)\b", re.IGNORECASE
)

_OPEN = re.compile(r"\b(all|any|both|each|every\w*|others?|rest|remaining|whatever|those)\b", re.IGNORECASE)


def another_row(case: Case) -> Judgement | None:
    """A call chose and changed a row of a table in which the request's phrases mean other rows only.

    Rows that a tool changes besides (a total, a place in a queue) were not chosen by the solver: only those count
    that an argument names.
    """
    left = {
        (change.table, value) for change in counted(case) if change.op != "insert" for value in change.key.values()
    }
    for call in writes(case):
        if not call.result.ok:
            continue
        for table, key in named_rows(case, call):
            changed = any(change.table == table and key in change.key.values() for change in call.changes)
            if changed and (table, key) in left and not _is_meant(case, table, key):
                reason = f"{call.tool} changed {table} {key}, which is not what {_phrases(case, table)} means."
                return not_met(reason, call.step)
    return None


def another_reference(case: Case) -> Judgement | None:
    """What a call put into a row refers to a row of a table in which the request's phrases mean other rows only: the
    larger table booked, the wrong person told."""
    tables = case.environment.tables()
    chosen = {place: call.step for call in writes(case) if call.result.ok for place in named_rows(case, call)}
    for change in counted(case):
        for column, value in change.new.items():
            target = tables[change.table].by_name[column].references
            place = ((target or "").partition(".")[0], value)
            if place in chosen and not _is_meant(case, *place):
                phrases = _phrases(case, place[0])
                reason = f"{change.table}.{column} refers to {place[0]} {value}, which is not what {phrases} means."
                return not_met(reason, chosen[place])
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


def _is_meant(case: Case, table: str, key: Any) -> bool:
    """Whether a phrase means the row, or may mean it: none says which rows of its table are meant, or a word of the
    request is open ("all repairs of hers": grounding need not list them); or it was made in the attempt."""
    of_table = any(meant.table == table for meant in case.meant)
    if not of_table or _OPEN.search(case.instruction):
        return True
    return means(case, table, key) or _is_self(case, table, key) or _is_new(case, table, key)


def _phrases(case: Case, table: str) -> str:
    return ", ".join(repr(meant.phrase) for meant in case.meant if meant.table == table)


def _is_new(case: Case, table: str, key: Any) -> bool:
    new = (change for change in case.changes if change.op == "insert" and change.table == table)
    return any(key in change.key.values() for change in new)


def _is_self(case: Case, table: str, key: Any) -> bool:
    roles = case.environment.spec.roles
    return key == case.actor.id and any(roles[role].table == table for role in case.actor.roles)
