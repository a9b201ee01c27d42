"""Rows of evidence that an outcome brings: measurements, operators' effects, findings."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from ..environments.models import Finding
from ..environments.models.environment import Split
from ..memory.defects import about, with_scene
from ..memory.records import EffectRecord, FindingRecord, MeasurementRecord
from ..memory.texts import defect_text
from .items import Item
from .planning import PLACEBO
from .requests import BuildOutcome, Lesson, Measured, Package, TaskOutcome
from .round_memory import RoundMemory


def measurement(item: Item, version: str, purpose: str, measured: Measured) -> MeasurementRecord:
    decision: Any = measured.decision
    return MeasurementRecord(
        version=version,
        profile=measured.profile,
        solver=measured.solver,
        purpose=purpose,
        passes=measured.passes,
        n=measured.n,
        excluded=measured.excluded,
        decision=decision,
        posterior=measured.posterior,
        created_round=item.round,
    )


def effect(item: Item, outcome: TaskOutcome) -> EffectRecord | None:
    """Of the operator that made the task; None where no operator did, or child and parent were not compared."""
    compared = outcome.compared
    if compared is None or item.operator is None or item.direction is None or item.task is None:
        return None
    return EffectRecord(
        operator=item.operator,
        placebo=item.operator == PLACEBO,
        declared=item.direction,
        parent=item.task,
        child=outcome.version,
        profile=compared.profile,
        parent_passes=compared.parent_passes,
        parent_n=compared.parent_n,
        child_passes=compared.child_passes,
        child_n=compared.child_n,
        created_round=item.round,
    )


def findings(
    item: Item, package: Package, build: BuildOutcome, memory: RoundMemory, split: Split
) -> list[FindingRecord]:
    """All that was found while it was built, with the fix where a repair made it disappear. Of a held-out environment
    nothing is ever retrieved."""
    told = zip(build.findings, build.lessons or repeat(Lesson()), strict=False)
    return [_record(item, package, finding, lesson, memory, split) for finding, lesson in told]


def _record(
    item: Item, package: Package, finding: Finding, lesson: Lesson, memory: RoundMemory, split: Split
) -> FindingRecord:
    text = defect_text(finding, about(finding, lesson.scene))
    return FindingRecord(
        environment=package.id,
        hash=package.hash,
        finding=with_scene(finding, lesson.scene) if lesson.scene.tools else finding,
        fix=lesson.fix,
        split=split,
        text=text,
        vector=memory.vector(text),
        created_round=item.round,
    )
