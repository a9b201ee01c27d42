"""The tester's gates, one file each, in the order in which they run: cheap and basic ones first."""

from __future__ import annotations

from ..base import Gate
from .access import Access
from .compile import Compile
from .contract import Contract
from .coverage import Coverage
from .fuzz import Fuzz
from .invariants import Invariants
from .load import Load
from .round_trip import RoundTrip
from .tasks import Tasks

GATES: tuple[Gate, ...] = (
    Load(),
    Compile(),
    Contract(),
    Fuzz(),
    Invariants(),
    Access(),
    RoundTrip(),
    Coverage(),
    Tasks(),
)


def gate_named(name: str) -> Gate | None:
    """A built-in gate; None if there is none of this name."""
    return next((gate for gate in GATES if gate.name == name), None)
