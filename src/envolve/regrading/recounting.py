"""Measurements and effects counted anew from the rollouts that each rests on, as these are graded now, and decided by the
tests that decided then. What was counted before stays beside it (`posterior["regraded"]`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from envolve.environments.models import Rollout, Verdict
from envolve.eval.bands import Band
from envolve.eval.confirmation import ConfirmationTest
from envolve.eval.intervals import beta_interval, probability_in_band
from envolve.eval.regrading import Regraded
from envolve.eval.sampling import Counts, Sample, count
from envolve.eval.sequential import SequentialTest
from envolve.memory.records import EffectRecord, MeasurementRecord
from envolve.memory.store import RunStore

from .grading import TaskGrading

Place = tuple[str, str, str, str]
"""Item, task version, profile and purpose of rollouts."""


class Recount:
    """Counts over the rollouts of a run, those of `graded` as they are graded now."""

    def __init__(self, store: RunStore, graded: Sequence[TaskGrading]) -> None:
        self._store = store
        self._band = Band.parse(str(store.info().config["band"]))
        self._moved = {grading.record.version: grading.version for grading in graded}
        self._twins = {
            self.now(grading.record.twin_of): grading.version for grading in graded if grading.record.twin_of
        }
        self._rollouts = defaultdict[Place, dict[int, Rollout]](dict)
        for grading in graded:
            for one, verdict in zip(grading.stored, verdicts_of(grading), strict=True):
                rollout = one.rollout.model_copy(update={"verdict": verdict})
                self._rollouts[one.item, grading.version, rollout.profile, rollout.purpose][rollout.index] = rollout

    def now(self, version: str) -> str:
        """The version that stands in the place of `version`."""
        return self._moved.get(version, version)

    def measurements(self) -> dict[int, MeasurementRecord]:
        """Those that changed, by number."""
        found = {}
        for number, item, record in self._store.regrades.measurements():
            purpose = "measure" if record.purpose == "rate" else record.purpose
            counts = self._counts(item, record.version, record.profile, purpose)
            recounted = replace(record, version=self.now(record.version))
            if counts is not None and (record.passes, record.n) != (counts.passes, counts.n):
                recounted = self._recounted(recounted, counts)
            if recounted != record:
                found[number] = recounted
        return found

    def effects(self) -> dict[int, EffectRecord]:
        """Those that changed, by number."""
        found = {}
        for number, item, record in self._store.regrades.effects():
            recounted = replace(record, parent=self.now(record.parent), child=self.now(record.child))
            if (parent := self._counts(item, record.parent, record.profile, "effect")) is not None:
                recounted = replace(recounted, parent_passes=parent.passes, parent_n=parent.n)
            if (child := self._counts(item, record.child, record.profile, "effect")) is not None:
                recounted = replace(recounted, child_passes=child.passes, child_n=child.n)
            if recounted != record:
                found[number] = recounted
        return found

    def _counts(self, item: str, version: str, profile: str, purpose: str) -> Counts | None:
        """Of the samples of one measurement; None where none of them was graded."""
        now = self.now(version)
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


def verdicts_of(grading: TaskGrading) -> list[Verdict]:
    """What is stored of each rollout from now on."""
    moved = grading.version != grading.record.version
    return [_verdict(found, moved=moved) for found in grading.regraded]


def _verdict(found: Regraded, *, moved: bool) -> Verdict:
    """What is stored. A rollout that cannot be made anew keeps its verdict as long as its verifier is the same;
    under another one it says nothing."""
    if found.after is not None:
        return found.after
    if not moved or found.divergence is None:
        return found.rollout.verdict
    message = f"Not graded again: event {found.divergence.event}: {found.divergence.message}"
    return Verdict(outcome="environment_error", message=message)
