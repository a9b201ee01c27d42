"""What the run store keeps, as frozen records: one class a table, field names equal to column names.

Vectors are float32, of length 1 (or None where nothing was embedded). Costs are US dollars, times seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..environments.models import Fate, Finding, Frozen, Lineage, Stage, Task
from ..environments.models.environment import Split

Vector: TypeAlias = NDArray[np.float32]
RunState = Literal["running", "done", "stopped", "failed"]
ItemStatus = Literal["pending", "done", "failed", "set_aside"]
Direction = Literal["harden", "soften"]
Decision = Literal["accept", "too_easy", "too_hard", "undecided", "confirmed", "unconfirmed", "unmeasured"]


Part = Literal["schema", "tools", "gold", "shape", "targets"]
"""Environments have schema, tools and gold; tasks have shape and targets."""


class Signature(Frozen):
    """Feature weights by part. A part that says nothing (no tasks yet) is absent."""

    parts: dict[Part, dict[str, float]] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class RunInfo:
    """The run itself. `seconds` is wall time over all sessions; `embedder` names the space of all vectors."""

    id: str
    created: str
    config: dict[str, Any]
    state: RunState
    seconds: float
    embedder: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundRecord:
    """A round of work and the plan it was made from."""

    number: int
    plan: dict[str, Any]
    status: Literal["running", "done"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedItem:
    """A piece of work: a pure function of `inputs` and of the hash of the run's seed and `key`."""

    key: str
    kind: str
    inputs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkItem:
    """A planned item and what became of it. `tokens` and `cost_usd` are all that it cost, known once it is closed."""

    key: str
    round: int
    kind: str
    inputs: dict[str, Any]
    status: ItemStatus
    fate: Fate | None
    result: dict[str, Any] | None
    reason: str
    attempts: int
    seconds: float
    tokens: int
    cost_usd: float


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvironmentRecord:
    """A candidate environment and its fate. `tables`, `tools`, `rows` are counts; `text` is what `vector` embeds."""

    id: str
    hash: str
    scenario: dict[str, Any]
    category: str
    fate: Fate
    reason: str = ""
    tables: int
    tools: int
    rows: int
    text: str
    signature: Signature
    vector: Vector | None = None
    lineage: Lineage = field(default_factory=Lineage)
    split: Split = "train"
    created_round: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskRecord:
    """A task version, how far it climbed and what became of it (`fate` None: still in play).

    `parent` and `root` are versions; a task without parent is its own root. `operator` made it from its parent.
    `twin_of` is the version of the refusal whose twin it is: the two share root, stage, fate and reason, and what is
    measured of both stands under the refusal. It is absent in stores of earlier versions, where each stands alone.
    """

    version: str
    id: str
    environment: str
    stage: Stage = "proposed"
    fate: Fate | None = None
    reason: str = ""
    task: Task
    features: dict[str, float] = field(default_factory=dict)
    parent: str | None = None
    operator: str | None = None
    generation: int = 0
    root: str
    twin_of: str | None = None
    split: Split = "train"
    text: str
    signature: Signature
    vector: Vector | None = None
    created_round: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasurementRecord:
    """The pass rate of a task version for a solver profile: `passes` of `n`, `excluded` rollouts aside. Of a refusal
    with its twin they count pairs.

    `posterior` holds whatever the decision rests on. A later row replaces an earlier one of the same version,
    profile and purpose; `stale` marks one whose solver has changed since.
    """

    version: str
    profile: str
    solver: str
    purpose: str
    passes: int
    n: int
    excluded: int = 0
    decision: Decision
    posterior: dict[str, Any] = field(default_factory=dict)
    stale: bool = False
    created_round: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class EffectRecord:
    """One application of an operator, measured on fresh interleaved rollouts of parent and child versions."""

    operator: str
    placebo: bool = False
    declared: Direction
    parent: str
    child: str
    profile: str
    parent_passes: int
    parent_n: int
    child_passes: int
    child_n: int
    created_round: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingRecord:
    """A finding about an environment, and the fix that worked (`fix` empty: none did, or none was needed).

    The environment may never have been stored (it was repaired first), so `environment` is no foreign key.
    """

    environment: str
    hash: str
    finding: Finding
    fix: str = ""
    split: Split = "train"
    text: str
    vector: Vector | None = None
    created_round: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentStep:
    """One piece of an agent's work. `subject` is the environment id or task version it was about; `findings`
    are the kinds of the findings it led to. `index` counts within the item."""

    index: int
    role: str
    implementation: str
    subject: str = ""
    inputs_hash: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]
    findings: tuple[str, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCall:
    """One call of a model within an agent's step. `step` is the step's index within the item; `request` and `reply` are
    those of `agents.llm.base`, without any key."""

    step: int
    index: int
    model: str
    request: dict[str, Any]
    reply: dict[str, Any]
    tokens: int = 0
    cost_usd: float = 0.0
