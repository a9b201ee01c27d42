"""The classes of faults in tasks, one file each."""

from __future__ import annotations

from ..base import TaskOperator
from .gold_contradicts import GoldContradicts
from .instruction_ambiguous import InstructionAmbiguous
from .seed_contradicts import SeedContradicts
from .task_infeasible import TaskInfeasible
from .verifier_always_passes import VerifierAlwaysPasses
from .verifier_strict import VerifierStrict
from .verifier_weak import VerifierWeak

TASK_OPERATORS: tuple[TaskOperator, ...] = (
    SeedContradicts(),
    GoldContradicts(),
    VerifierWeak(),
    VerifierStrict(),
    VerifierAlwaysPasses(),
    InstructionAmbiguous(),
    TaskInfeasible(),
)
TASK_KINDS: tuple[str, ...] = tuple(operator.kind for operator in TASK_OPERATORS)
