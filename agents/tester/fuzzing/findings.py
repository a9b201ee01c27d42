"""From what a campaign saw to findings with the shortest calls that show it."""

from __future__ import annotations

from collections.abc import Callable

from ....environments.models import Finding, Probe
from .campaign import Campaign, Sighting
from .replay import Replay
from .shrinking import shrink
from .symptoms import Symptom
from .watchers import watchers


def sighted(campaign: Campaign, gate: str, wanted: Callable[[Symptom], bool]) -> list[Finding]:
    """A finding for each wanted symptom, its probe shrunk. A symptom that its own calls do not show again in a fresh
    world says that the world is not deterministic; it is reported without probe."""
    replay = Replay(campaign.anatomy.environment, lambda: watchers(campaign.anatomy))
    seen = [sighting for _, sighting in sorted(campaign.sightings.items()) if wanted(sighting.symptom)]
    return [shortest(sighting, replay, f"gate:{gate}") for sighting in seen]


def shortest(sighting: Sighting, replay: Replay, source: str) -> Finding:
    """The finding of a sighting, with the fewest calls that show it again."""
    symptom = sighting.symptom
    steps = shrink(sighting.steps, replay.run, symptom.key)
    shown = steps or sighting.steps
    again = next((found for found in replay.run(shown).symptoms if found.key == symptom.key), symptom)
    calls = tuple(step.probe_call() for step in shown)
    return Finding(
        kind=symptom.kind,
        severity=symptom.severity,
        where=symptom.where,
        message=again.message,
        source=source,
        evidence={**again.evidence, "calls_before_shrinking": len(sighting.steps)},
        probe=Probe(actor=shown[-1].actor, calls=calls, expect=(symptom.expect,)) if steps else None,
        confirmed=True if steps else None,
    )
