"""What was found wrong with a run's environments, as `status` and the report tell it. Nothing is decided here."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from .standing import Rate

if TYPE_CHECKING:
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import StoredFinding

_RANK = {"blocker": 0, "major": 1, "minor": 2}
STATES = {True: "confirmed", False: "doubt", None: "not probed"}


class FindingLine(NamedTuple):
    """One finding. `how` says who found it: `gate fuzz`, `critic rules`, `memory`; `past` where memory had seen its
    like, "" for all others."""

    environment: str
    round: int
    where: str
    message: str
    how: str
    state: str
    fix: str
    past: str


class FindingGroup(NamedTuple):
    """All findings of a kind and severity, confirmed ones first; `left_out` are more than are listed."""

    kind: str
    severity: str
    confirmed: int
    doubts: int
    unprobed: int
    fixed: int
    lines: tuple[FindingLine, ...]
    left_out: int = 0


class Repeats(NamedTuple):
    """Of the confirmed findings of a round, those of a kind that an earlier round had confirmed."""

    round: int
    repeated: int
    confirmed: int

    @property
    def rate(self) -> Rate:
        return Rate.of("", self.repeated, self.confirmed)


def finding_groups(store: RunStore, most: int | None = None) -> list[FindingGroup]:
    """The most severe first, then those confirmed most often. At most `most` lines over all groups."""
    by_kind = defaultdict[tuple[str, str], list["StoredFinding"]](list)
    for stored in store.findings.all():
        by_kind[stored.finding.severity, stored.finding.kind].append(stored)
    groups = sorted(
        (_group(kind, severity, found) for (severity, kind), found in by_kind.items()),
        key=lambda group: (_RANK[group.severity], -group.confirmed, group.kind),
    )
    return groups if most is None else _cut(groups, most)


def repeats(store: RunStore) -> list[Repeats]:
    """By round; rounds without a confirmed finding are left out."""
    return [Repeats(number, again, n) for number, (again, n) in store.findings.repeats().items()]


def findings_json(store: RunStore) -> dict[str, Any]:
    """Counts by kind, by round and by source; the findings themselves are in the report."""
    counts = ("kind", "severity", "confirmed", "doubts", "unprobed", "fixed")
    return {
        "kinds": [{name: getattr(group, name) for name in counts} for group in finding_groups(store, 0)],
        "repeats": [
            {**line._asdict(), "rate": line.rate.rate, "interval": [line.rate.low, line.rate.high]}
            for line in repeats(store)
        ],
        "sources": [
            {"source": each.source, "confirmed": each.confirmed, "doubts": each.doubts, "unprobed": each.unprobed}
            for each in store.findings.sources()
        ],
    }


def how_found(source: str) -> str:
    """`gate:fuzz` as words."""
    return source.replace(":", " ", 1)


def _group(kind: str, severity: str, found: list[StoredFinding]) -> FindingGroup:
    states = [stored.finding.confirmed for stored in found]
    ordered = sorted(found, key=lambda stored: (list(STATES).index(stored.finding.confirmed), stored.id))
    return FindingGroup(
        kind=kind,
        severity=severity,
        confirmed=states.count(True),
        doubts=states.count(False),
        unprobed=states.count(None),
        fixed=sum(bool(stored.fix) for stored in found),
        lines=tuple(map(_line, ordered)),
    )


def _line(stored: StoredFinding) -> FindingLine:
    finding = stored.finding
    past = finding.evidence.get("past") or {}
    return FindingLine(
        environment=stored.environment,
        round=stored.created_round,
        where=finding.where,
        message=finding.message,
        how=how_found(finding.source),
        state=STATES[finding.confirmed],
        fix=stored.fix,
        past=f"{past.get('where', '')} of {past.get('environment', '')}" if past else "",
    )


def _cut(groups: list[FindingGroup], most: int) -> list[FindingGroup]:
    left, kept = most, list[FindingGroup]()
    for group in groups:
        lines = tuple(islice(group.lines, left))
        left -= len(lines)
        kept.append(group._replace(lines=lines, left_out=len(group.lines) - len(lines)))
    return kept
