"""The ends that an audit judges, so that they can be left out of what its verifiers are held against."""

from __future__ import annotations

from ...environments.changes import ChangeSet
from ...environments.models import Submission, Task
from ...environments.models.audits import GateName
from ...environments.package import Environment
from ..audit.auditing import GATES
from ..audit.base import AuditContext, Judgement
from ..audit.edits import EndState
from .base import End
from .trials import EndKey, end_key

_JUDGING: tuple[GateName, ...] = ("gold", "null", "prefix", "end_state_mutants", "trajectory_mutants", "alternatives")


class _Noting(AuditContext):
    """An audit that keeps account of what it judges."""

    ends: set[EndKey]

    def judge(self, after: bytes, changes: ChangeSet, submission: Submission | None) -> Judgement:
        self.ends.add(end_key(End(EndState(after, changes, ""), submission or Submission())))
        return super().judge(after, changes, submission)


def ends_met(environment: Environment, task: Task, *, seed: int = 0) -> set[EndKey]:
    """The ends that an audit with this seed judges. Costs another audit."""
    context = _Noting(environment, task, seed=seed, alternatives=())
    context.ends = set()
    with context:
        for gate in _JUDGING:
            context.once(GATES[gate])
    return context.ends
