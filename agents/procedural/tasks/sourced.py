"""Does all that a task's verifier would ask come from what the task says or shows? As the audit asks it."""

from __future__ import annotations

from ....environments.package import Environment
from ....eval.audit.auditing import audit
from .derivation import write_verifier
from .offers import Offers
from .trials import Trial


def sourced(environment: Environment, offers: Offers, trial: Trial) -> bool:
    """Whether the audit would find the verifier that gold's run gives grounded."""
    task = write_verifier(environment, offers, trial.task, trial.run)
    report = audit(environment, task, gates=["grounding"])
    return all(gate.status != "failed" for gate in report.gates)
