"""Searching and rebuilding what a run knows."""

from __future__ import annotations

import shlex
from pathlib import Path

from envolve.environments.errors import InputError
from envolve.memory import Hit, Librarian, MemoryIndex, RunLock, RunStore, embedder_named, reembed
from envolve.memory.search import KINDS
from envolve.memory.store.queries import VectorKind

from .runs import reading, require_run


def search_run(folder: Path, text: str | None, *, kind: VectorKind | None, count: int) -> list[Hit]:
    """The nearest things to a text, exactly, over the run's store: works while the run goes.

    Errors: InputError without a text, or where there is no run.
    """
    if not text or not text.strip():
        raise InputError("There is nothing to search for.", remedy="Give a text: envolve memory RUN search TEXT.")
    with reading(folder, again=f"envolve memory {{run}} search {shlex.quote(text)}") as store:
        librarian = Librarian(store, embedder_named())
        return [hit for name in ((kind,) if kind else KINDS) for hit in librarian.search(text, name, count)]


def rebuild_index(folder: Path) -> dict[str, int]:
    """Embed anew where the embedder has changed, and rebuild the index. Errors: ServiceError if a run is live."""
    require_run(folder, again="envolve memory {run} rebuild")
    with RunLock(folder) as lock, RunStore.open(folder) as store:
        embedder = embedder_named()
        if store.info().embedder not in {None, f"{embedder.name}/{embedder.dimension}"}:
            reembed(store, embedder)
        with MemoryIndex(store, lock) as index:
            index.rebuild()
        return {kind: len(store.vectors.rows(kind)) for kind in KINDS}
