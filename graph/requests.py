"""What steps are asked and what they answer. All of it is JSON: steps run in other processes. Every `path` and `folder`
is a place within the run's folder (`graph.locating`)."""

from __future__ import annotations

from typing import Any

from ..agents.base import Blueprint, Brief, PastDefect, Scenario
from ..agents.tester.report import TestReport
from ..environments.models import AuditReport, Fate, Finding, Frozen, Rollout, Task
from ..memory.signatures import Signature


class DesignRequest(Frozen):
    brief: Brief


class CodeRequest(Frozen):
    """`folder` is where candidate packages go."""

    brief: Brief
    blueprint: Blueprint
    folder: str


class Package(Frozen):
    """A candidate package on disk."""

    id: str
    hash: str
    path: str


class PackageRequest(Frozen):
    """Something about one package; `seed` fixes what is random about it."""

    path: str
    seed: int = 0


class ReviewRequest(Frozen):
    path: str
    evidence: dict[str, Any]
    past_defects: tuple[PastDefect, ...] = ()


class Findings(Frozen):
    findings: tuple[Finding, ...] = ()


class RepairRequest(Frozen):
    path: str
    folder: str
    findings: tuple[Finding, ...]
    seed: int


class MaybePackage(Frozen):
    """None: the coder could not help."""

    package: Package | None = None


class ProposeRequest(Frozen):
    path: str
    count: int
    seed: int
    known: tuple[Task, ...] = ()


class Tasks(Frozen):
    tasks: tuple[Task, ...] = ()


class EvolveRequest(Frozen):
    path: str
    task: Task
    operator: str
    seed: int


class TaskRequest(Frozen):
    path: str
    task: Task
    seed: int = 0


class RepairTaskRequest(Frozen):
    path: str
    task: Task
    report: AuditReport
    seed: int


class MaybeTask(Frozen):
    """None: not applicable, or given up; `why`: because nothing usable was written."""

    task: Task | None = None
    why: str = ""


class Proof(Frozen):
    """The task after gold was executed and its verifier written; `failure` says why there is none: gold did
    not run, or nothing usable was written."""

    task: Task
    version: str
    failure: str = ""
    features: dict[str, float] = {}
    findings: tuple[Finding, ...] = ()
    signature: Signature = Signature()


class AuditReply(Frozen):
    """`task` is frozen where the audit found it sound."""

    task: Task
    version: str
    report: AuditReport


class MeasureRequest(Frozen):
    path: str
    task: Task
    solver: str
    band: str
    seed: int


class Measured(Frozen):
    """`decision`: accept, too_easy, too_hard, undecided or unmeasured; for a confirmation confirmed, unconfirmed
    or unmeasured. `posterior` holds the mean and the interval."""

    decision: str
    solver: str
    profile: str
    passes: int
    n: int
    excluded: int
    posterior: dict[str, float]
    rollouts: tuple[Rollout, ...] = ()


class RateRequest(Frozen):
    path: str
    task: Task
    solver: str
    seed: int
    n: int


class CompareRequest(Frozen):
    path: str
    parent: Task
    child: Task
    solver: str
    seed: int
    n: int
    turn: int = 0
    """How often the parent was compared before: it gets fresh rollouts each time."""


class Compared(Frozen):
    profile: str
    parent_passes: int
    parent_n: int
    child_passes: int
    child_n: int
    rollouts: tuple[Rollout, ...] = ()


class Description(Frozen):
    """What memory keeps of an environment."""

    id: str
    hash: str
    text: str
    signature: Signature
    tables: int
    tools: int
    rows: int


class ScoutRequest(Frozen):
    count: int
    seed: int
    known: tuple[Scenario, ...]


class Scenarios(Frozen):
    scenarios: tuple[Scenario, ...] = ()


class TaskOutcome(Frozen):
    """How far a task came. `audit`, `measured`, `confirmed`, `compared` are absent where it did not get there."""

    task: Task
    version: str
    stage: str
    fate: Fate | None
    reason: str
    features: dict[str, float] = {}
    signature: Signature = Signature()
    findings: tuple[Finding, ...] = ()
    report: AuditReport | None = None
    measured: Measured | None = None
    confirmed: Measured | None = None
    compared: Compared | None = None


class BuildOutcome(Frozen):
    """What a build came to. `package` and `description` are absent where nothing was built."""

    fate: Fate
    reason: str = ""
    package: Package | None = None
    description: Description | None = None
    findings: tuple[Finding, ...] = ()
    fixed: tuple[str, ...] = ()
    """Places whose findings a repair made disappear."""
    tasks: tuple[TaskOutcome, ...] = ()
    attempts: int = 1
    tested: TestReport | None = None
