"""Each referring phrase means what it is said to mean, through rows that the actor can find; and the constants
of verifier and gold come from somewhere; names that it says are of something that is done or checked; a row that is the
first by an order is said to be; and an order that is asked for is looked at."""

from __future__ import annotations

from typing import Any

from ....environments.models import GateResult
from ..base import AuditContext, shortest
from ..first_rows import unsaid_firsts, unseen_firsts
from ..language import order_said
from ..names_said import untouched_names
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
        problems = [
            *_unreachable(context, phrases),
            *_strays(context, phrases),
            *_untouched(context, phrases),
            *_unsaid(context, phrases),
            *_unseen(context, phrases),
            *_order_lost(context),
        ]
    if problems:
        first = problems[0]
        named = repr(next(first[key] for key in ("phrase", "constant", "name", "value") if key in first))
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


def _untouched(context: AuditContext, phrases: list[Resolved]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "column": column,
            "problem": f"is named by the instruction ({column}), and nothing that is done or checked is about it:"
            " ground the phrase that names it, and do and check what is asked; or leave it out",
        }
        for name, column in untouched_names(context, phrases)
    ]


def _unsaid(context: AuditContext, phrases: list[Resolved]) -> list[dict[str, Any]]:
    return [
        {
            "value": first.value,
            "where": f"gold's pick {first.pick}",
            "problem": f"is the first row of gold's pick {first.pick}, and no phrase means it: declare the phrase that"
            " says so `first`, with its order; or let the verifier take every row that is meant",
        }
        for first in unsaid_firsts(context, phrases)
    ]


def _unseen(context: AuditContext, phrases: list[Resolved]) -> list[dict[str, Any]]:
    problem = "means a row that gold is never shown: do and check what is asked of it, or leave the phrase out"
    return [{"phrase": phrase, "problem": problem} for phrase in unseen_firsts(context, phrases)]


def _order_lost(context: AuditContext) -> list[dict[str, Any]]:
    """An order that is asked for, and that the answer's kind does not look at. Of a request that changes something
    only what is said of the answer counts: the order may be that of the changes."""
    answer = context.task.verifier.answer
    if answer.kind not in ("set", "rows"):
        return []
    asked = order_said(answer.describe) or ("" if context.changes_state else order_said(context.said))
    kind = f"the answer is of kind {answer.kind}, which is right in any order"
    problem = f"asks for an order, and {kind}: make it a list, or ask for none"
    return [{"phrase": asked, "problem": problem}] if asked else []
