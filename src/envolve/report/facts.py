"""What the report says of a run, read from its store. The longest lists are cut, and say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.environments.models.fates import UNSOUND
from envolve.findings import FindingGroup, Repeats, finding_groups, repeats
from envolve.graph.config import RunConfig
from envolve.memory.records import MeasurementRecord, TaskRecord
from envolve.standing import Rate, SetAside, rates_of, set_aside, status_of

from .diversity import Diversity, diversity
from .effects import OperatorEffect, operator_effects

if TYPE_CHECKING:
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import Status
    from envolve.memory.store.queries.agents import RoleTotals
    from envolve.memory.store.queries.findings import SourceRecord
    from envolve.memory.store.queries.progress import EnvironmentLine

MOST_RATES = 60
"""Confirmed tasks in the chart of pass rates."""
MOST_TASKS = 40
"""Tasks listed for one environment."""
MOST_FINDINGS = 200


@dataclass(frozen=True)
class TaskLine:
    """One task: where it stands, its audit's grade, and its fresh rate for the target if it got so far."""

    record: TaskRecord
    grade: str
    fresh: Rate | None
    others: tuple[Rate, ...]


@dataclass(frozen=True)
class EnvironmentFacts:
    """`tasks` are the first of all there are: confirmed ones before others."""

    line: EnvironmentLine
    tasks: tuple[TaskLine, ...]
    left_out: int


@dataclass(frozen=True)
class RoundLine:
    """Tasks proposed and tasks confirmed up to and with this round."""

    number: int
    proposed: int
    confirmed: int


@dataclass(frozen=True)
class Facts:
    """Everything that the template shows."""

    config: RunConfig
    status: Status
    embedder: str | None
    rounds: list[RoundLine]
    rates: list[Rate]
    confirmed: list[tuple[str, Rate]]
    """Task and fresh rate for the target, lowest first."""
    confirmed_left_out: int
    effects: list[OperatorEffect]
    environments: list[EnvironmentFacts]
    diversity: Diversity | None
    set_aside: list[SetAside]
    findings: list[FindingGroup]
    repeats: list[Repeats]
    sources: list[SourceRecord]
    agents: list[RoleTotals]

    @property
    def wanted(self) -> int:
        return self.config.environments * self.config.tasks


def gather(store: RunStore, folder: Path) -> Facts:
    info = store.info()
    status = status_of(store, folder)
    records = store.tasks.all()
    measured = _by_version(store.tasks.measurements())
    confirmed = sorted(_confirmed(records, measured), key=lambda named: (named[1].rate or 0.0, named[0]))
    return Facts(
        config=RunConfig.model_validate(info.config),
        status=status,
        embedder=info.embedder,
        rounds=_rounds(store, records, measured),
        rates=rates_of(store),
        confirmed=confirmed[:MOST_RATES],
        confirmed_left_out=max(0, len(confirmed) - MOST_RATES),
        effects=operator_effects(store.operators.effects()),
        environments=_environments(store, status.environments, records, measured),
        diversity=diversity(store),
        set_aside=set_aside(store)[:MOST_FINDINGS],
        findings=finding_groups(store, MOST_FINDINGS),
        repeats=repeats(store),
        sources=store.findings.sources(),
        agents=store.agents.totals(),
    )


def _by_version(measurements: Sequence[MeasurementRecord]) -> dict[str, list[MeasurementRecord]]:
    found = defaultdict[str, list[MeasurementRecord]](list)
    for record in measurements:
        found[record.version].append(record)
    return found


def _confirmed(records: Sequence[TaskRecord], measured: dict[str, list[MeasurementRecord]]) -> list[tuple[str, Rate]]:
    lines = [
        (record.id, _fresh(measured.get(record.version, ()))) for record in records if record.fate == "confirmed"
    ]
    return [(name, rate) for name, rate in lines if rate is not None]


def _fresh(measurements: Sequence[MeasurementRecord]) -> Rate | None:
    """Only the target's rate is confirmed, from rollouts that chose nothing."""
    last = next((record for record in reversed(measurements) if record.purpose == "confirm"), None)
    return Rate.of(last.solver, last.passes, last.n) if last is not None else None


def _rounds(
    store: RunStore, records: Sequence[TaskRecord], measured: dict[str, list[MeasurementRecord]]
) -> list[RoundLine]:
    proposed, confirmed = defaultdict[int, int](int), defaultdict[int, int](int)
    for record in (record for record in records if record.twin_of is None and record.fate != "replaced"):
        proposed[record.created_round] += 1
        if record.fate == "confirmed":
            rounds = [m.created_round for m in measured.get(record.version, ()) if m.purpose == "confirm"]
            confirmed[rounds[-1] if rounds else record.created_round] += 1
    lines, so_far, in_band = list[RoundLine](), 0, 0
    for entry in store.work.rounds():
        so_far, in_band = so_far + proposed[entry.number], in_band + confirmed[entry.number]
        lines.append(RoundLine(entry.number, so_far, in_band))
    return lines


def _environments(
    store: RunStore,
    lines: Sequence[EnvironmentLine],
    records: Sequence[TaskRecord],
    measured: dict[str, list[MeasurementRecord]],
) -> list[EnvironmentFacts]:
    by_environment = defaultdict[str, list[TaskRecord]](list)
    for record in sorted(records, key=lambda task: task.fate != "confirmed"):
        by_environment[record.environment].append(record)
    return [
        EnvironmentFacts(
            line=line,
            tasks=tuple(
                _task(store, record, measured.get(record.version, ()))
                for record in islice(by_environment[line.id], MOST_TASKS)
            ),
            left_out=max(0, len(by_environment[line.id]) - MOST_TASKS),
        )
        for line in lines
    ]


def _task(store: RunStore, record: TaskRecord, measurements: Sequence[MeasurementRecord]) -> TaskLine:
    """Rollouts of a task that turned out unsound say nothing."""
    audit = store.tasks.audit(record.version)
    measurements = () if record.fate in UNSOUND else measurements
    return TaskLine(
        record=record,
        grade=audit.grade if audit else "not audited",
        fresh=_fresh(measurements),
        others=tuple(Rate.of(m.solver, m.passes, m.n) for m in measurements if m.purpose == "rate"),
    )
