"""Past defects that resemble what is being built, with the fixes that worked."""

from __future__ import annotations

from collections.abc import Sequence

from ...environments.models import Frozen, Probe
from ...environments.models.findings import Severity
from ..records import Vector
from ..search import Search
from ..store.run_store import RunStore
from .scenes import Scene, scene_in


class PastDefect(Frozen):
    """A confirmed finding (`fix` empty: none worked yet). `probe` reproduced it there; names may differ here. `scene`
    says what the probe's tools were like; `distance` is that to the nearest of the texts asked with."""

    kind: str
    where: str
    message: str
    severity: Severity
    fix: str
    environment: str
    distance: float
    probe: Probe | None
    scene: Scene = Scene()


def past_defects(
    store: RunStore, search: Search, vectors: Sequence[Vector], *, n: int = 5, before_round: int | None = None
) -> list[PastDefect]:
    """The `n` nearest to any of the texts' vectors, of different kinds first: the nearest of each kind, then the
    second nearest of each, and so on. With `before_round`, only what earlier rounds found."""
    distances = _nearest(store, search, vectors, n, before_round)
    stored = store.findings.by_number(list(distances))
    ranked = list[tuple[int, float, int, PastDefect]]()
    seen = dict[str, int]()
    told = set[tuple[str, str, str]]()
    for number, distance in sorted(distances.items(), key=lambda entry: (entry[1], entry[0])):
        found = stored[number]
        finding = found.finding
        same = (found.environment, finding.kind, finding.where)
        if same in told or (before_round is not None and found.created_round >= before_round):
            continue
        told.add(same)
        defect = PastDefect(
            kind=finding.kind,
            where=finding.where,
            message=finding.message,
            severity=finding.severity,
            fix=found.fix,
            environment=found.environment,
            distance=distance,
            probe=finding.probe,
            scene=scene_in(finding),
        )
        ranked.append((seen.get(finding.kind, 0), distance, number, defect))
        seen[finding.kind] = seen.get(finding.kind, 0) + 1
    return [defect for _, _, _, defect in sorted(ranked, key=lambda entry: entry[:3])[:n]]


def _nearest(
    store: RunStore, search: Search, vectors: Sequence[Vector], n: int, before_round: int | None
) -> dict[int, float]:
    """Numbers of findings with their least distance. What a round has itself committed takes no place from others."""
    late = 0 if before_round is None else store.findings.count_since(before_round)
    found = dict[int, float]()
    for vector in vectors:
        for hit in search.nearest(vector, "defects", 4 * n + late):
            number = int(hit.id)
            found[number] = min(hit.distance, found.get(number, 2.0))
    return found
