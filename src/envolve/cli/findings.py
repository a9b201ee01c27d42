"""Findings of a run, and past defects that were searched for, as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from envolve.display import counted, one_line, percent
from envolve.findings import finding_groups, repeats

from .output import interval, print_table, say

if TYPE_CHECKING:
    from envolve.memory.store import RunStore
    from envolve.remembering import DefectHit


def print_findings(store: RunStore) -> None:
    """Confirmed findings by kind, the most severe first, and repeats by round; nothing where none is confirmed."""
    groups = [group for group in finding_groups(store, 0) if group.confirmed]
    if not groups:
        return
    print_table(
        "Confirmed findings",
        ("kind", "severity", "confirmed", "mended"),
        [(group.kind.replace("_", " "), group.severity, group.confirmed, group.fixed) for group in groups],
    )
    for line in repeats(store):
        rate = line.rate
        say(
            f"Round {line.round}: {line.repeated} of {counted(line.confirmed, 'confirmed finding')} of a kind confirmed"
            f" before ({percent(rate.rate)}, 95% {interval((rate.low, rate.high))})."
        )
    doubts = {each.source: each.doubts for each in store.findings.sources() if each.doubts}
    if doubts:
        say("Doubts: " + ", ".join(f"{source} {count}" for source, count in doubts.items()) + ".")


def print_defects(hits: Sequence[DefectHit]) -> None:
    """Each with the place, what was wrong, and what mended it."""
    say("Defects")
    for hit in hits:
        say(f" {hit.id}. {hit.found.replace('_', ' ')} ({hit.severity}, {hit.source}), distance {hit.distance:.2f}")
        say(f"    at    {hit.where} of {hit.environment}")
        say(f"    said  {one_line(hit.message)}")
        say(f"    fix   {one_line(hit.fix) or 'none: no repair made it disappear'}")
