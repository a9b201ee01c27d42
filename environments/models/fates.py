"""What became of a candidate: one list for environments and tasks."""

from __future__ import annotations

from typing import Literal

Fate = Literal[
    "admitted",
    "confirmed",
    "duplicate",
    "broken",
    "ambiguous",
    "hackable",
    "disputed",
    "unproven",
    "too_easy",
    "too_hard",
    "undecided",
    "unconfirmed",
    "unmeasured",
    "replaced",
]
"""`replaced`: a version of a task in whose place another stands, since its verifier was mended by hand; it counts
nowhere."""

UNSOUND: frozenset[Fate] = frozenset({"broken", "hackable", "ambiguous", "disputed"})
"""Fates of tasks whose verdicts are not to be trusted: their rollouts count in no rate."""

Stage = Literal["proposed", "audited", "accepted", "confirmed"]
