"""What steps are asked and what they answer. All of it is JSON: steps run in other processes. Every `path` and `folder`
is a place within the run's folder (`graph.locating`)."""

from __future__ import annotations

from typing import Any

from ..agents.base import Blueprint, Brief, PastDefect, Scenario
from ..agents.tester.report import TestReport
from ..environments.models import AuditReport, Fate, Finding, Frozen, Rollout, Task
from ..environments.models.tasks import GoldStep
from ..eval.triggers import Trigger
from ..memory.defects import Scene
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


class RecallRequest(Frozen):
    """Past defects whose probes are tried on a package."""

    path: str
    defects: tuple[PastDefect, ...]
    seed: int


class Findings(Frozen):
    findings: tuple[Finding, ...] = ()


class RepairRequest(Frozen):
    path: str
    folder: str
    findings: tuple[Finding, ...]
    seed: int


class Found(Frozen):
    """A finding and the path of the package that it was found in."""

    finding: Finding
    path: str


class LearnRequest(Frozen):
    """`drafts` are the packages of one design, in the order in which they were repaired. They and the paths of `found`
    are places within `folder`."""

    folder: str
    found: tuple[Found, ...]
    drafts: tuple[str, ...]


class Lesson(Frozen):
    """What is to be remembered of a finding: where its probe showed it, and the change after which it no longer did
    ("" where there is none)."""

    scene: Scene = Scene()
    fix: str = ""


class Lessons(Frozen):
    """One a finding."""

    lessons: tuple[Lesson, ...] = ()


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
    """`twin` is what an audit holds a refusal against, `alternatives` are other ways to do the task that it tries."""

    path: str
    task: Task
    twin: Task | None = None
    seed: int = 0
    alternatives: tuple[tuple[GoldStep, ...], ...] = ()


class RepairTaskRequest(Frozen):
    path: str
    task: Task
    report: AuditReport
    seed: int


class MaybeTask(Frozen):
    """None: not applicable, or given up; `why`: because nothing usable was written. A refusal brings its `twin`."""

    task: Task | None = None
    twin: Task | None = None
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
    """With a `twin`, pairs of rollouts are taken; so in the requests below."""

    path: str
    task: Task
    twin: Task | None = None
    solver: str
    band: str
    seed: int


class Doubts(Frozen):
    """Why a task has to be audited again, and the ways unlike gold's that its rollouts went."""

    triggers: tuple[Trigger, ...] = ()
    alternatives: tuple[tuple[GoldStep, ...], ...] = ()
    twin_alternatives: tuple[tuple[GoldStep, ...], ...] = ()


class Measured(Frozen):
    """`passes` of `n` rollouts, or of pairs of them. `posterior` holds the mean and the interval.

    `decision`: accept, too_easy, too_hard, undecided or unmeasured; for a confirmation confirmed, unconfirmed or
    unmeasured. `doubts`: what the rollouts say against the task, if anything.
    """

    decision: str
    solver: str
    profile: str
    passes: int
    n: int
    excluded: int
    posterior: dict[str, float]
    rollouts: tuple[Rollout, ...] = ()
    doubts: Doubts | None = None


class RateRequest(Frozen):
    """`look`: the how manieth time it is that rollouts are held against the task."""

    path: str
    task: Task
    twin: Task | None = None
    solver: str
    seed: int
    n: int
    look: int = 3


class CompareRequest(Frozen):
    path: str
    parent: Task
    child: Task
    child_twin: Task | None = None
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
    """How far a task came. `report`, `measured`, `confirmed`, `compared` are absent where it did not get there.

    A refusal brings its `twin`: how far the two came, and what was measured, is told of both as one, in its own outcome.
    """

    task: Task
    twin: TaskOutcome | None = None
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

    def halves(self) -> tuple[TaskOutcome, ...]:
        """The task, and after it its twin if it has one."""
        return (self,) if self.twin is None else (self, self.twin)


class BuildOutcome(Frozen):
    """What a build came to. `package` and `description` are absent where nothing was built."""

    fate: Fate
    reason: str = ""
    package: Package | None = None
    description: Description | None = None
    findings: tuple[Finding, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    """One a finding, in the same order."""
    tasks: tuple[TaskOutcome, ...] = ()
    attempts: int = 1
    tested: TestReport | None = None

    @property
    def fixed(self) -> tuple[str, ...]:
        """Places whose findings a repair made disappear."""
        told = zip(self.findings, self.lessons, strict=False)
        return tuple(sorted({finding.where for finding, lesson in told if lesson.fix}))
