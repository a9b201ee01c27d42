"""What the report says of a run, read from its store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from envolve.eval.effects import difference
from envolve.eval.intervals import wilson
from envolve.graph.config import RunConfig
from envolve.memory.records import MeasurementRecord, TaskRecord

if TYPE_CHECKING:
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import Status


@dataclass(frozen=True)
class Rate:
    """Passes of n rollouts with a 95% interval (Wilson)."""

    solver: str
    passes: int
    n: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.passes / self.n if self.n else 0.0


@dataclass(frozen=True)
class TaskLine:
    """One task: where it stands, and its fresh rate for the target if it got so far."""

    record: TaskRecord
    grade: str
    fresh: Rate | None
    others: tuple[Rate, ...]


@dataclass(frozen=True)
class RoundLine:
    number: int
    proposed: int
    confirmed: int
    """Both cumulative: tasks that the rounds up to this one brought."""


@dataclass(frozen=True)
class Facts:
    """Everything that the template shows."""

    config: RunConfig
    status: Status
    tasks: dict[str, list[TaskLine]]
    rounds: list[RoundLine]
    rates: list[Rate]
    effects: list[dict[str, Any]]
    findings: list[Any]
    sources: list[Any]
    agents: list[Any]
    embedder: str | None


def gather(store: RunStore) -> Facts:
    info = store.info()
    config = RunConfig.model_validate(info.config)
    records = store.tasks.all()
    measurements = store.tasks.measurements()
    lines = [_line(store, record, measurements, config) for record in records]
    by_environment: dict[str, list[TaskLine]] = {}
    for line in lines:
        by_environment.setdefault(line.record.environment, []).append(line)
    return Facts(
        config=config,
        status=store.progress.status(),
        tasks=by_environment,
        rounds=_rounds(store, records),
        rates=_rates(records, measurements),
        effects=[_effect(summary) for summary in _effects(store)],
        findings=store.findings.all(),
        sources=store.findings.sources(),
        agents=store.agents.totals(),
        embedder=info.embedder,
    )


def _line(store: RunStore, record: TaskRecord, measurements: list[MeasurementRecord], config: RunConfig) -> TaskLine:
    own = [found for found in measurements if found.version == record.version]
    fresh = [found for found in own if found.purpose == "confirm" and found.solver == config.target]
    audit = store.tasks.audit(record.version)
    return TaskLine(
        record=record,
        grade=audit.grade if audit else "",
        fresh=_rate(fresh[-1].solver, fresh[-1:]) if fresh else None,
        others=tuple(_rate(found.solver, [found]) for found in own if found.purpose == "rate"),
    )


def _rate(solver: str, found: list[MeasurementRecord]) -> Rate:
    passes, n = sum(record.passes for record in found), sum(record.n for record in found)
    bounds = wilson(passes, n) if n else (0.0, 1.0)
    return Rate(solver, passes, n, bounds[0], bounds[1])


def _rates(records: list[TaskRecord], measurements: list[MeasurementRecord]) -> list[Rate]:
    """By solver over confirmed tasks; the target's from fresh rollouts only."""
    confirmed = {record.version for record in records if record.fate == "confirmed"}
    by_solver: dict[str, list[MeasurementRecord]] = {}
    for found in measurements:
        if found.version in confirmed and found.purpose in {"confirm", "rate"}:
            by_solver.setdefault(found.solver, []).append(found)
    return [_rate(solver, found) for solver, found in sorted(by_solver.items())]


def _rounds(store: RunStore, records: list[TaskRecord]) -> list[RoundLine]:
    lines = list[RoundLine]()
    for entry in store.work.rounds():
        so_far = [record for record in records if record.created_round <= entry.number]
        confirmed = sum(record.fate == "confirmed" for record in so_far)
        lines.append(RoundLine(entry.number, len(so_far), confirmed))
    return lines


def _effects(store: RunStore) -> list[list[Any]]:
    groups: dict[tuple[str, str, bool], list[Any]] = {}
    for effect in store.operators.effects():
        groups.setdefault((effect.operator, effect.declared, effect.placebo), []).append(effect)
    return [groups[key] for key in sorted(groups)]


def _effect(group: list[Any]) -> dict[str, Any]:
    """An operator's pooled effect: child's minus parent's pass rate with Newcombe's interval."""
    first = group[0]
    sums = [
        sum(getattr(effect, name) for effect in group)
        for name in ("parent_passes", "parent_n", "child_passes", "child_n")
    ]
    change = difference(sums[0], sums[1], sums[2], sums[3]) if sums[1] and sums[3] else None
    moved = sum(_moved(effect) for effect in group)
    return {
        "operator": first.operator,
        "declared": "placebo" if first.placebo else first.declared,
        "applications": len(group),
        "moved": moved,
        "moved_interval": wilson(moved, len(group)),
        "change": change,
    }


def _moved(effect: Any) -> bool:
    shift = effect.child_passes / max(effect.child_n, 1) - effect.parent_passes / max(effect.parent_n, 1)
    return bool(shift < 0 if effect.declared == "harden" else shift > 0)
