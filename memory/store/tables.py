"""The tables of run.db. Migrations create them; a test holds both against each other.

Column attributes are named as the fields of `memory.records`, so that rows and records map by name.
Foreign keys are checked at the commit, so that rows of one commit may come in any order. `position` counts
environments and tasks in the order in which they were committed; `settled_round` is the round in which their fate
was last set.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from ...environments.models import AuditReport, Finding, Lineage, Task, Trace, Verdict
from ..records import Signature, Vector
from .types import ModelJSON, PackedJSON, VectorBlob

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
_OBJECT = ModelJSON(dict[str, Any])


def _refers(target: str) -> ForeignKey:
    return ForeignKey(target, deferrable=True, initially="DEFERRED")


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map = {str: Text, int: Integer, float: Float, bool: Boolean, bytes: LargeBinary}


class RunRow(Base):
    __tablename__ = "run"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created: Mapped[str]
    config: Mapped[dict[str, Any]] = mapped_column(_OBJECT)
    state: Mapped[str]
    seconds: Mapped[float]
    embedder: Mapped[str | None]


class RoundRow(Base):
    __tablename__ = "rounds"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    plan: Mapped[dict[str, Any]] = mapped_column(_OBJECT)
    status: Mapped[str]


class ItemRow(Base):
    __tablename__ = "items"

    key: Mapped[str] = mapped_column(primary_key=True)
    round: Mapped[int] = mapped_column(_refers("rounds.number"), index=True)
    kind: Mapped[str]
    inputs: Mapped[dict[str, Any]] = mapped_column(_OBJECT)
    status: Mapped[str] = mapped_column(index=True)
    fate: Mapped[str | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(_OBJECT)
    reason: Mapped[str]
    attempts: Mapped[int]
    seconds: Mapped[float]
    tokens: Mapped[int]
    cost_usd: Mapped[float]


class StagingRow(Base):
    __tablename__ = "staging"
    __table_args__ = (UniqueConstraint("key", "kind", "index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(_refers("items.key"))
    kind: Mapped[str]
    index: Mapped[str]
    tokens: Mapped[int]
    cost_usd: Mapped[float]
    payload: Mapped[Any] = mapped_column(PackedJSON(Any), nullable=True)


class EnvironmentRow(Base):
    __tablename__ = "environments"

    position: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    hash: Mapped[str] = mapped_column(index=True)
    scenario: Mapped[dict[str, Any]] = mapped_column(_OBJECT)
    category: Mapped[str]
    fate: Mapped[str] = mapped_column(index=True)
    reason: Mapped[str]
    tables: Mapped[int]
    tools: Mapped[int]
    rows: Mapped[int]
    text: Mapped[str]
    signature: Mapped[Signature] = mapped_column(ModelJSON(Signature))
    vector: Mapped[Vector | None] = mapped_column(VectorBlob)
    lineage: Mapped[Lineage] = mapped_column(ModelJSON(Lineage))
    split: Mapped[str]
    created_round: Mapped[int]
    settled_round: Mapped[int] = mapped_column(index=True)
    item: Mapped[str] = mapped_column(_refers("items.key"))


class TaskRow(Base):
    __tablename__ = "tasks"

    position: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(unique=True)
    id: Mapped[str] = mapped_column(index=True)
    environment: Mapped[str] = mapped_column(_refers("environments.id"), index=True)
    stage: Mapped[str] = mapped_column(index=True)
    fate: Mapped[str | None] = mapped_column(index=True)
    reason: Mapped[str]
    task: Mapped[Task] = mapped_column(ModelJSON(Task))
    features: Mapped[dict[str, float]] = mapped_column(ModelJSON(dict[str, float]))
    parent: Mapped[str | None] = mapped_column(_refers("tasks.version"), index=True)
    operator: Mapped[str | None]
    generation: Mapped[int]
    root: Mapped[str] = mapped_column(_refers("tasks.version"), index=True)
    twin_of: Mapped[str | None] = mapped_column(index=True)
    split: Mapped[str]
    text: Mapped[str]
    signature: Mapped[Signature] = mapped_column(ModelJSON(Signature))
    vector: Mapped[Vector | None] = mapped_column(VectorBlob)
    created_round: Mapped[int]
    settled_round: Mapped[int] = mapped_column(index=True)
    item: Mapped[str] = mapped_column(_refers("items.key"))


class AuditRow(Base):
    __tablename__ = "audits"

    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(_refers("tasks.version"), index=True)
    grade: Mapped[str]
    report: Mapped[AuditReport] = mapped_column(ModelJSON(AuditReport))
    item: Mapped[str] = mapped_column(_refers("items.key"))


class MeasurementRow(Base):
    __tablename__ = "measurements"
    __table_args__ = (Index(None, "version", "profile", "purpose"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(_refers("tasks.version"))
    profile: Mapped[str]
    solver: Mapped[str]
    purpose: Mapped[str]
    passes: Mapped[int]
    n: Mapped[int]
    excluded: Mapped[int]
    decision: Mapped[str]
    posterior: Mapped[dict[str, Any]] = mapped_column(_OBJECT)
    stale: Mapped[bool]
    created_round: Mapped[int]
    item: Mapped[str] = mapped_column(_refers("items.key"))


class RolloutRow(Base):
    __tablename__ = "rollouts"
    __table_args__ = (UniqueConstraint("version", "profile", "purpose", "index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    environment: Mapped[str]
    task: Mapped[str]
    version: Mapped[str] = mapped_column(_refers("tasks.version"))
    solver: Mapped[str]
    profile: Mapped[str]
    purpose: Mapped[str]
    index: Mapped[int]
    outcome: Mapped[str]
    reward: Mapped[float | None]
    verdict: Mapped[Verdict] = mapped_column(ModelJSON(Verdict))
    calls: Mapped[int]
    tokens: Mapped[int]
    cost_usd: Mapped[float]
    seconds: Mapped[float]
    item: Mapped[str] = mapped_column(_refers("items.key"))
    trace: Mapped[Trace] = mapped_column(PackedJSON(Trace))


class ReplacedVerdictRow(Base):
    """`version` is the task version that the rollout was stored under, `replaced` the UTC time."""

    __tablename__ = "replaced_verdicts"

    id: Mapped[int] = mapped_column(primary_key=True)
    rollout: Mapped[int] = mapped_column(_refers("rollouts.id"), index=True)
    version: Mapped[str] = mapped_column(_refers("tasks.version"))
    outcome: Mapped[str]
    verdict: Mapped[Verdict] = mapped_column(ModelJSON(Verdict))
    replaced: Mapped[str]


class EffectRow(Base):
    __tablename__ = "effects"

    id: Mapped[int] = mapped_column(primary_key=True)
    operator: Mapped[str] = mapped_column(index=True)
    placebo: Mapped[bool]
    declared: Mapped[str]
    parent: Mapped[str] = mapped_column(_refers("tasks.version"))
    child: Mapped[str] = mapped_column(_refers("tasks.version"))
    profile: Mapped[str]
    parent_passes: Mapped[int]
    parent_n: Mapped[int]
    child_passes: Mapped[int]
    child_n: Mapped[int]
    created_round: Mapped[int]
    item: Mapped[str] = mapped_column(_refers("items.key"))


class FindingRow(Base):
    __tablename__ = "findings"

    id: Mapped[int] = mapped_column(primary_key=True)
    environment: Mapped[str] = mapped_column(index=True)
    hash: Mapped[str]
    kind: Mapped[str] = mapped_column(index=True)
    where: Mapped[str]
    severity: Mapped[str]
    source: Mapped[str]
    confirmed: Mapped[bool | None]
    finding: Mapped[Finding] = mapped_column(ModelJSON(Finding))
    fix: Mapped[str]
    split: Mapped[str]
    text: Mapped[str]
    vector: Mapped[Vector | None] = mapped_column(VectorBlob)
    created_round: Mapped[int]
    item: Mapped[str] = mapped_column(_refers("items.key"), index=True)


class AgentStepRow(Base):
    __tablename__ = "agent_steps"
    __table_args__ = (UniqueConstraint("item", "index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(_refers("items.key"))
    index: Mapped[int]
    role: Mapped[str] = mapped_column(index=True)
    implementation: Mapped[str]
    subject: Mapped[str] = mapped_column(index=True)
    inputs_hash: Mapped[str]
    inputs: Mapped[dict[str, Any]] = mapped_column(PackedJSON(dict[str, Any]))
    outputs: Mapped[dict[str, Any]] = mapped_column(PackedJSON(dict[str, Any]))
    findings: Mapped[tuple[str, ...]] = mapped_column(ModelJSON(tuple[str, ...]))
    seconds: Mapped[float]
    tokens: Mapped[int]
    cost_usd: Mapped[float]


class ModelCallRow(Base):
    __tablename__ = "model_calls"
    __table_args__ = (UniqueConstraint("item", "step", "index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(_refers("items.key"))
    step: Mapped[int]
    index: Mapped[int]
    model: Mapped[str]
    request: Mapped[dict[str, Any]] = mapped_column(PackedJSON(dict[str, Any]))
    reply: Mapped[dict[str, Any]] = mapped_column(PackedJSON(dict[str, Any]))
    tokens: Mapped[int]
    cost_usd: Mapped[float]
