"""Past defects that resemble what is being built, with the fixes that worked."""

from __future__ import annotations

from ..environments.models import Frozen, Probe
from ..environments.models.findings import Severity
from .records import Vector
from .search import Search
from .store.run_store import RunStore


class PastDefect(Frozen):
    """A confirmed finding (`fix` empty: none worked yet). `probe` reproduced it there; names may differ here."""

    kind: str
    where: str
    message: str
    severity: Severity
    fix: str
    environment: str
    distance: float
    probe: Probe | None


def past_defects(store: RunStore, search: Search, vector: Vector, *, n: int = 5) -> list[PastDefect]:
    """The `n` nearest to a text's vector, of different kinds first: the nearest of each kind, then the rest."""
    hits = search.nearest(vector, "defects", 4 * n)
    stored = store.findings.by_number([int(hit.id) for hit in hits])
    ranked = list[tuple[int, float, PastDefect]]()
    seen = dict[str, int]()
    for hit in hits:
        found = stored[int(hit.id)]
        finding = found.finding
        defect = PastDefect(
            kind=finding.kind,
            where=finding.where,
            message=finding.message,
            severity=finding.severity,
            fix=found.fix,
            environment=found.environment,
            distance=hit.distance,
            probe=finding.probe,
        )
        ranked.append((seen.get(finding.kind, 0), hit.distance, defect))
        seen[finding.kind] = seen.get(finding.kind, 0) + 1
    return [defect for _, _, defect in sorted(ranked, key=lambda entry: entry[:2])[:n]]
