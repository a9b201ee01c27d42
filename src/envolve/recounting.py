"""What follows from verdicts that changed: counts, decisions and fates, and writing them into the run.

Counts are made anew from the rollouts that each measurement and effect rests on, and decided by the tests that decided
then; what was counted before stays beside it (`posterior["regraded"]`). A task is never confirmed by grading again that
was not measured in the band and confirmed on fresh rollouts, each as they are counted now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from envolve.environments.models import AuditReport, Fate, Rollout, Stage, Verdict
from envolve.environments.models.fates import UNSOUND
from envolve.environments.package import Environment
from envolve.eval.audit import freeze
from envolve.eval.bands import Band
from envolve.eval.confirmation import ConfirmationTest
from envolve.eval.intervals import beta_interval, probability_in_band
from envolve.eval.regrading import Regraded
from envolve.eval.sampling import Counts, Sample, count
from envolve.eval.sequential import SequentialTest
from envolve.graph.package_reports import update_audits
from envolve.graph.placing import ENVIRONMENTS
from envolve.graph.task_state import FATE_OF_GRADE, failed_gates
from envolve.memory.records import EffectRecord, MeasurementRecord, TaskRecord
from envolve.memory.store import RunStore
from envolve.memory.store.regrades import TaskRegrade

from .regrading import TaskGrading

Place = tuple[str, str, str, str]
"""Item, task version, profile and purpose of rollouts."""


class Standing(NamedTuple):
    stage: Stage
    fate: Fate | None
    reason: str


def apply(store: RunStore, folder: Path, gradings: Sequence[TaskGrading]) -> list[TaskRecord]:
    """Write what `gradings` came to, and freeze the verifiers that were found sound in their packages; the tasks that
    stand otherwise than before. Packages come first, then one transaction with all the rest.

    Hold the run's lock. Errors: ServiceError where the machine refuses.
    """
    graded = [grading for grading in gradings if not grading.left_out]
    found = _Recount(store, graded)
    measurements, effects = found.measurements(), found.effects()
    tasks = [found.regrade(grading, measurements) for grading in graded]
    tasks = _with_partners(store, tasks)
    changed = [task for task in tasks if _differs(store, task)]
    for grading in graded:
        if grading.report is not None and grading.sound:
            _freeze(folder, grading, grading.report)
    store.regrades.write(changed, measurements, effects)
    return [task.record for task in changed]


class _Recount:
    """Counts over the rollouts of a run as they are graded now."""

    def __init__(self, store: RunStore, graded: Sequence[TaskGrading]) -> None:
        self._store = store
        self._band = Band.parse(str(store.info().config["band"]))
        self._moved = {grading.record.version: grading.version for grading in graded}
        self._twins = {
            self._now(record.twin_of): self._now(record.version) for record in store.tasks.all() if record.twin_of
        }
        self._rollouts = defaultdict[Place, dict[int, Rollout]](dict)
        for grading in graded:
            for one, found in zip(grading.stored, grading.regraded, strict=True):
                verdict = _verdict(found, moved=grading.version != grading.record.version)
                rollout = one.rollout.model_copy(update={"verdict": verdict})
                self._rollouts[one.item, grading.version, rollout.profile, rollout.purpose][rollout.index] = rollout
        self._add_partners()

    def measurements(self) -> dict[int, MeasurementRecord]:
        """Those that changed, by number."""
        found = {}
        for number, item, record in self._store.regrades.measurements():
            purpose = "measure" if record.purpose == "rate" else record.purpose
            counts = self._counts(item, record.version, record.profile, purpose)
            recounted = replace(record, version=self._now(record.version))
            if counts is not None and (record.passes, record.n) != (counts.passes, counts.n):
                recounted = self._recounted(recounted, counts)
            if recounted != record:
                found[number] = recounted
        return found

    def effects(self) -> dict[int, EffectRecord]:
        """Those that changed, by number."""
        found = {}
        for number, item, record in self._store.regrades.effects():
            recounted = replace(record, parent=self._now(record.parent), child=self._now(record.child))
            if (parent := self._counts(item, record.parent, record.profile, "effect")) is not None:
                recounted = replace(recounted, parent_passes=parent.passes, parent_n=parent.n)
            if (child := self._counts(item, record.child, record.profile, "effect")) is not None:
                recounted = replace(recounted, child_passes=child.passes, child_n=child.n)
            if recounted != record:
                found[number] = recounted
        return found

    def regrade(self, grading: TaskGrading, recounted: Mapping[int, MeasurementRecord]) -> TaskRegrade:
        moved = grading.version != grading.record.version
        latest: dict[str, MeasurementRecord] = {}
        for number, _, measured in self._store.regrades.measurements():
            now = recounted.get(number, measured)
            if now.version == grading.version:
                latest[now.purpose] = now
        standing = _standing(grading, latest)
        task = grading.task if grading.report is None else freeze(grading.task, grading.report)
        record = replace(grading.record, version=grading.version, task=task, **standing._asdict())
        old_fate, old_reason = _set_aside(grading)
        return TaskRegrade(
            version=grading.record.version,
            record=replace(record, twin_of=self._now(record.twin_of) if record.twin_of else None),
            verdicts={
                one.id: _verdict(found, moved=moved)
                for one, found in zip(grading.stored, grading.regraded, strict=True)
            },
            report=grading.report,
            old_fate=old_fate,
            old_reason=old_reason,
        )

    def _now(self, version: str) -> str:
        return self._moved.get(version, version)

    def _add_partners(self) -> None:
        """The other halves of pairs of which one half was graded."""
        halves = {**self._twins, **{twin: refusal for refusal, twin in self._twins.items()}}
        for version in {place[1] for place in self._rollouts} & halves.keys():
            if halves[version] not in self._moved.values():
                for one in self._store.rollouts.stored(halves[version]):
                    place = (one.item, halves[version], one.rollout.profile, one.rollout.purpose)
                    self._rollouts[place][one.rollout.index] = one.rollout

    def _counts(self, item: str, version: str, profile: str, purpose: str) -> Counts | None:
        """Of the samples of one measurement; None where none of them was graded."""
        now = self._now(version)
        own = self._rollouts.get((item, now, profile, purpose))
        if own is None:
            return None
        others = self._rollouts.get((item, self._twins.get(now, ""), profile, purpose), {})
        samples: Iterable[Sample] = (
            (own[index], others[index]) if index in others else (own[index],) for index in sorted(own)
        )
        return count(samples)

    def _recounted(self, record: MeasurementRecord, counts: Counts) -> MeasurementRecord:
        bounds = beta_interval(counts.passes, counts.n)
        earlier = {"passes": record.passes, "n": record.n, "decision": record.decision}
        posterior: dict[str, Any] = {
            **record.posterior,
            "mean": (counts.passes + 1) / (counts.n + 2),
            "low": bounds.low,
            "high": bounds.high,
            "regraded": [*record.posterior.get("regraded", []), earlier],
        }
        if "in_band" in posterior:
            posterior["in_band"] = probability_in_band(self._band, counts.passes, counts.n)
        decided: Any = self._decision(record.purpose, counts)
        return replace(
            record,
            passes=counts.passes,
            n=counts.n,
            excluded=counts.samples - counts.n,
            decision=decided,
            posterior=posterior,
        )

    def _decision(self, purpose: str, counts: Counts) -> str:
        if counts.unmeasured:
            return "unmeasured"
        if purpose == "measure":
            return SequentialTest.for_band(self._band).decide(counts.passes, counts.n) or "undecided"
        if purpose == "confirm":
            test = ConfirmationTest.for_band(self._band)
            if counts.n != test.size:
                return "unmeasured"
            return "confirmed" if test.confirms(counts.passes) else "unconfirmed"
        return "undecided"


def _verdict(found: Regraded, *, moved: bool) -> Verdict:
    """What is stored. A rollout that cannot be made anew keeps its verdict as long as its verifier is the same;
    under another one it says nothing."""
    if found.after is not None:
        return found.after
    if not moved or found.divergence is None:
        return found.rollout.verdict
    message = f"Not graded again: event {found.divergence.event}: {found.divergence.message}"
    return Verdict(outcome="environment_error", message=message)


def _standing(grading: TaskGrading, latest: Mapping[str, MeasurementRecord]) -> Standing:
    record, report = grading.record, grading.report
    before = Standing(record.stage, record.fate, record.reason)
    if report is not None and report.grade != "sound":
        return Standing("proposed", FATE_OF_GRADE[report.grade], f"graded again: {failed_gates(report)}")
    measured, confirmed = latest.get("measure"), latest.get("confirm")
    if measured is None:
        return Standing("audited", None, "") if record.fate in UNSOUND and report is not None else before
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


def _set_aside(grading: TaskGrading) -> tuple[Fate, str]:
    """What becomes of the version whose verifier was changed, by the verdicts that it got wrong. A verifier that is not
    sound says nothing of another."""
    mended = f"its verifier was changed: {grading.version}"
    if not grading.sound:
        return "duplicate", mended
    if any(found.rollout.verdict.passed for found in grading.flips):
        return "hackable", mended
    return ("broken" if grading.flips else "duplicate"), mended


def _with_partners(store: RunStore, tasks: Sequence[TaskRegrade]) -> list[TaskRegrade]:
    """A refusal and its twin share where they stand: where either is unsound both are, else the refusal says."""
    by_version = {task.record.version: task for task in tasks}
    for task in tasks:
        refusal = by_version.get(task.record.twin_of or "")
        twin = store.tasks.twin(task.version)
        if refusal is not None:
            unsound = task.record.fate in UNSOUND
            lead, follow = (task, refusal) if unsound else (refusal, task)
            _share(by_version, lead, follow)
        elif twin is not None and twin.version not in {other.version for other in tasks}:
            partner = TaskRegrade(version=twin.version, record=replace(twin, twin_of=task.record.version))
            _share(by_version, task, partner)
    return list(by_version.values())


def _share(tasks: dict[str, TaskRegrade], lead: TaskRegrade, follow: TaskRegrade) -> None:
    names = ("stage", "fate", "reason")
    record = replace(follow.record, **{name: getattr(lead.record, name) for name in names})
    tasks[record.version] = replace(follow, record=record)


def _differs(store: RunStore, task: TaskRegrade) -> bool:
    stored = store.tasks.get(task.version)
    if stored is None or task.moved:
        return True
    names = ("stage", "fate", "reason", "task", "twin_of")
    if any(getattr(stored, name) != getattr(task.record, name) for name in names):
        return True
    before = {one.id: one.rollout.verdict for one in store.rollouts.stored(task.version)}
    return any(verdict != before.get(number) for number, verdict in task.verdicts.items())


def _freeze(folder: Path, grading: TaskGrading, report: AuditReport) -> None:
    package = folder / ENVIRONMENTS / grading.record.environment
    environment = Environment.load(package)
    environment.without_tasks().with_tasks([freeze(grading.task, report)]).save(folder / ENVIRONMENTS)
    update_audits(package, [report])
