"""Audit of verifiers: is what they say right? By execution, no model needed.

Names are loaded when they are first used, so that what needs a part of this room does not load all gates.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attacks import Attacker as Attacker
    from .attacks import Attempt as Attempt
    from .auditing import ALL as ALL
    from .auditing import audit as audit
    from .auditing import grade as grade
    from .base import AuditContext as AuditContext
    from .base import Gate as Gate
    from .freezing import freeze as freeze
    from .freezing import is_frozen_valid as is_frozen_valid
    from .freezing import verifier_hash as verifier_hash
    from .runs import Runs as Runs

_PLACES = {
    "ALL": "auditing",
    "Attacker": "attacks",
    "Attempt": "attacks",
    "AuditContext": "base",
    "Gate": "base",
    "Runs": "runs",
    "audit": "auditing",
    "freeze": "freezing",
    "grade": "auditing",
    "is_frozen_valid": "freezing",
    "verifier_hash": "freezing",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PLACES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
