"""Worlds: packages, episodes, tools as guarded SQL, what changed, when two states are the same, and verdicts.

Names are loaded when they are first used: models, errors and hashing stay cheap to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer_matching import answer_schema as answer_schema
    from .answer_matching import answers_match as answers_match
    from .changes import ChangeSet as ChangeSet
    from .dataflow import gold_graph as gold_graph
    from .dataflow import structure_features as structure_features
    from .episode import Episode as Episode
    from .gold import GoldRun as GoldRun
    from .gold import run_gold as run_gold
    from .limits import Limits as Limits
    from .package import Environment as Environment
    from .package import task_version as task_version
    from .schema import TableInfo as TableInfo
    from .states import state_signature as state_signature
    from .verification import StateReader as StateReader
    from .verification import verify as verify

_HOMES = {
    "ChangeSet": "changes",
    "Environment": "package",
    "Episode": "episode",
    "GoldRun": "gold",
    "Limits": "limits",
    "StateReader": "verification",
    "TableInfo": "schema",
    "answer_schema": "answer_matching",
    "answers_match": "answer_matching",
    "gold_graph": "dataflow",
    "run_gold": "gold",
    "state_signature": "states",
    "structure_features": "dataflow",
    "task_version": "package",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
