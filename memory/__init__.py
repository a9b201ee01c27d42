"""What a run knows: the run store, embeddings, retrieval, novelty and lineage. Parts are imported when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .defects import PastDefect as PastDefect
    from .embedders import Embedder as Embedder
    from .embedders import embedder_named as embedder_named
    from .index import MemoryIndex as MemoryIndex
    from .librarian import Librarian as Librarian
    from .librarian import Remembered as Remembered
    from .librarian import reembed as reembed
    from .lineage import TaskLineage as TaskLineage
    from .lineage import task_lineage as task_lineage
    from .notices import Notice as Notice
    from .novelty import Candidate as Candidate
    from .novelty import Neighbour as Neighbour
    from .novelty import Novelty as Novelty
    from .novelty import NoveltyVerdict as NoveltyVerdict
    from .novelty import Thresholds as Thresholds
    from .scenarios import ScenarioNovelty as ScenarioNovelty
    from .search import ExactSearch as ExactSearch
    from .search import Hit as Hit
    from .store import AlreadyDone as AlreadyDone
    from .store import RunLock as RunLock
    from .store import RunStore as RunStore

_HOMES = {
    "AlreadyDone": "store",
    "Candidate": "novelty",
    "Embedder": "embedders",
    "ExactSearch": "search",
    "Hit": "search",
    "Librarian": "librarian",
    "MemoryIndex": "index",
    "Neighbour": "novelty",
    "Notice": "notices",
    "Novelty": "novelty",
    "NoveltyVerdict": "novelty",
    "PastDefect": "defects",
    "Remembered": "librarian",
    "RunLock": "store",
    "RunStore": "store",
    "ScenarioNovelty": "scenarios",
    "TaskLineage": "lineage",
    "Thresholds": "novelty",
    "embedder_named": "embedders",
    "reembed": "librarian",
    "task_lineage": "lineage",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
