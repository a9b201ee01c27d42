"""An audit that keeps account of the ends it judges, so that they can be left out of what its verifiers are held
against."""

from __future__ import annotations

from typing import NamedTuple

from ...environments.changes import ChangeSet
from ...environments.models import AuditReport, Submission, Task
from ...environments.package import Environment
from ..audit.auditing import audit
from ..audit.base import AuditContext, Judgement
from ..audit.edits import EndState
from .base import End
from .trials import EndKey, end_key


class Noted(NamedTuple):
    """An audit's report, and what it judged."""

    report: AuditReport
    met: frozenset[EndKey]


def noted_audit(environment: Environment, task: Task, *, seed: int = 0) -> Noted:
    """`audit`, and the ends that it judged."""
    met: set[EndKey] = set()

    class Noting(AuditContext):
        def judge(self, after: bytes, changes: ChangeSet, submission: Submission | None) -> Judgement:
            met.add(end_key(End(EndState(after, changes, ""), submission or Submission())))
            return super().judge(after, changes, submission)

    report = audit(environment, task, seed=seed, context_of=Noting)
    return Noted(report, frozenset(met))
