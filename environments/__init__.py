"""Worlds: packages, episodes, tools as guarded SQL, what changed, and when two states are the same.

Names are loaded when they are first used: models, errors and hashing stay cheap to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .changes import ChangeSet as ChangeSet
    from .episode import Episode as Episode
    from .limits import Limits as Limits
    from .package import Environment as Environment
    from .package import task_version as task_version
    from .schema import TableInfo as TableInfo

_PLACES = {
    "ChangeSet": "changes",
    "Environment": "package",
    "Episode": "episode",
    "Limits": "limits",
    "TableInfo": "schema",
    "task_version": "package",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PLACES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
