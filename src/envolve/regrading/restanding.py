"""Where tasks stand after their rollouts were graded again.

A task is never confirmed by grading again that was not measured in the band and confirmed on fresh rollouts, each as
they are counted now; nor does one that an audit found unsound, or that repeats another, stand better without another
audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from envolve.environments.models import Fate, Stage
from envolve.environments.models.fates import UNSOUND
from envolve.eval.audit import freeze
from envolve.graph.task_state import FATE_OF_GRADE, failed_gates
from envolve.memory.records import MeasurementRecord
from envolve.memory.store.regrades import TaskRegrade

from .grading import TaskGrading
from .recounting import verdicts_of


class Standing(NamedTuple):
    stage: Stage
    fate: Fate | None
    reason: str


def restand(graded: Sequence[TaskGrading], measurements: Iterable[MeasurementRecord]) -> list[TaskRegrade]:
    """The tasks as they stand now, in the order given. `measurements` are all of the run as they are counted now, oldest
    first. A refusal and its twin stand as one: by the refusal, which is what is measured, or by the twin if that alone
    is not sound."""
    latest = dict[str, dict[str, MeasurementRecord]]()
    for measured in measurements:
        latest.setdefault(measured.version, {})[measured.purpose] = measured
    by_version = {grading.record.version: grading for grading in graded}
    reasons = {name: _why_replaced([grading]) for name, grading in by_version.items()}
    standings = {name: _standing(grading, latest.get(grading.version, {})) for name, grading in by_version.items()}
    for name, grading in by_version.items():
        refusal = grading.record.twin_of
        if refusal in by_version:
            lead = name if by_version[refusal].sound and not grading.sound else refusal
            standings[name] = standings[refusal] = standings[lead]
            reasons[name] = reasons[refusal] = _why_replaced([by_version[refusal], grading])
    moved = {name: grading.version for name, grading in by_version.items()}
    return [_regrade(grading, standings[name], reasons[name], moved) for name, grading in by_version.items()]


def _regrade(grading: TaskGrading, standing: Standing, reason: str, moved: Mapping[str, str]) -> TaskRegrade:
    record = grading.record
    task = grading.task if grading.report is None else freeze(grading.task, grading.report)
    refusal = moved.get(record.twin_of, record.twin_of) if record.twin_of else None
    return TaskRegrade(
        version=record.version,
        record=replace(record, version=grading.version, task=task, twin_of=refusal, **standing._asdict()),
        verdicts={one.id: verdict for one, verdict in zip(grading.stored, verdicts_of(grading), strict=True)},
        report=grading.report,
        old_reason=f"{reason}: {grading.version}",
    )


def _standing(grading: TaskGrading, latest: Mapping[str, MeasurementRecord]) -> Standing:
    record, report = grading.record, grading.report
    before = Standing(record.stage, record.fate, record.reason)
    if report is not None and report.grade != "sound":
        return Standing("proposed", FATE_OF_GRADE[report.grade], f"graded again: {failed_gates(report)}")
    if record.fate == "duplicate" or (report is None and record.fate in UNSOUND):
        return before
    measured, confirmed = latest.get("measure"), latest.get("confirm")
    if measured is None:
        return Standing("audited", None, "") if record.fate in UNSOUND else before
    told = f"graded again: {measured.passes} of {measured.n} passed"
    if measured.decision != "accept":
        fate: Any = measured.decision
        return before if before.fate == fate else Standing("audited", fate, told)
    if confirmed is None:
        return Standing("accepted", "unconfirmed", f"{told}; not confirmed on fresh rollouts")
    fate = confirmed.decision
    if before.fate == fate:
        return before
    stage: Stage = "confirmed" if fate == "confirmed" else "accepted"
    return Standing(stage, fate, f"graded again: {confirmed.passes} of {confirmed.n} fresh passed")


def _why_replaced(unit: Sequence[TaskGrading]) -> str:
    """What of the older versions of a unit was wrong, by the verdicts that flipped. A verifier that is not sound says
    nothing of another."""
    flips = [found for grading in unit for found in grading.flips]
    if not flips or not all(grading.sound for grading in unit):
        return "its verifier was changed"
    if any(found.rollout.verdict.passed for found in flips):
        return "its verifier let wrong ends pass, and was changed"
    return "its verifier refused right ends, and was changed"
