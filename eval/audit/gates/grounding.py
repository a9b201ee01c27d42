"""Each referring phrase means what it is said to mean, through rows that the actor can find; and the verifier's
constants come from somewhere."""

from __future__ import annotations

from typing import Any

from ....environments.models import GateResult
from ..base import AuditContext, shortest
from ..reach import first_unreachable
from ..resolving import Resolved, resolved_phrases
from ..sources import stray_constants

_MOST_ROWS = 20


def gate(context: AuditContext) -> GateResult:
    phrases = context.once(resolved_phrases)
    problems: list[dict[str, Any]] = [
        {"phrase": phrase.phrase, "problem": phrase.problem} for phrase in phrases if phrase.problem
    ]
    if not problems:
        problems = [*_unreachable(context, phrases), *_strays(context, phrases)]
    if problems:
        first = problems[0]
        named = repr(first.get("phrase", first.get("constant")))
        return GateResult(
            gate="grounding", status="failed", message=f"{named} {first['problem']}", evidence=shortest(problems)
        )
    return GateResult(gate="grounding", status="passed", message=f"{len(phrases)} phrases")


def _unreachable(context: AuditContext, phrases: list[Resolved]) -> list[dict[str, Any]]:
    found = []
    for phrase in phrases:
        if phrase.table is None:
            continue
        id = first_unreachable(context, phrase.table, phrase.ids[:_MOST_ROWS])
        if id is not None:
            problem = f"means row {id} of {phrase.table}, which no tool shows to the actor"
            found.append({"phrase": phrase.phrase, "table": phrase.table, "id": id, "problem": problem})
    return found


def _strays(context: AuditContext, phrases: list[Resolved]) -> list[dict[str, Any]]:
    return [
        {"constant": stray.value, "where": stray.where, "problem": f"{stray.problem} ({stray.where})"}
        for stray in stray_constants(context, phrases)
    ]
