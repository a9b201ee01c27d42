"""What the phrases of an instruction refer to, by the task's grounding, which was written before there was a solution.

A phrase whose grounding does not resolve says nothing here; that is the audit's to report.
"""

from __future__ import annotations

from ...environments.models import Task
from ...environments.package import Environment
from ...eval.audit.base import AuditContext
from ...eval.audit.resolving import resolved_phrases
from .base import Meant


def meant_rows(environment: Environment, task: Task) -> tuple[Meant, ...]:
    """Phrases that refer to rows of one table with a key of one column."""
    if not task.grounding:
        return ()
    with AuditContext(environment, task, seed=0) as context:
        found = resolved_phrases(context)
    return tuple(
        Meant(phrase.phrase, phrase.table, frozenset(phrase.ids))
        for phrase in found
        if phrase.table is not None and not phrase.problem
    )


def created_phrases(task: Task) -> tuple[str, ...]:
    return tuple(phrase for phrase, grounding in task.grounding.items() if grounding.expect == "created")
