"""Searching and rebuilding what a run knows."""

from __future__ import annotations

import shlex
from pathlib import Path

from envolve.environments.errors import InputError
from envolve.memory import Hit, Librarian, MemoryIndex, RunLock, RunStore, embedder_named, reembed
from envolve.memory.search import KINDS
from envolve.memory.store.queries import StoredFinding, VectorKind

from .runs import reading, require_run


class DefectHit(Hit):
    """A past defect that was found. `found` is its kind; `fix` says what was changed, "" where nothing mended it."""

    found: str
    severity: str
    source: str
    where: str
    message: str
    fix: str


def search_run(folder: Path, text: str | None, *, kind: VectorKind | None, count: int) -> list[Hit]:
    """The nearest things to a text, exactly, over the run's store: works while the run goes.

    Errors: InputError without a text, or where there is no run.
    """
    if not text or not text.strip():
        raise InputError("There is nothing to search for.", remedy="Give a text: envolve memory RUN search TEXT.")
    with reading(folder, again=f"envolve memory {{run}} search {shlex.quote(text)}") as store:
        librarian = Librarian(store, embedder_named())
        hits = [hit for name in ((kind,) if kind else KINDS) for hit in librarian.search(text, name, count)]
        return _with_defects(store, hits)


def _with_defects(store: RunStore, hits: list[Hit]) -> list[Hit]:
    stored = store.findings.by_number([int(hit.id) for hit in hits if hit.kind == "defects"])
    return [_defect(hit, stored[int(hit.id)]) if hit.kind == "defects" else hit for hit in hits]


def _defect(hit: Hit, stored: StoredFinding) -> DefectHit:
    finding = stored.finding
    return DefectHit(
        **hit.model_dump(),
        found=finding.kind,
        severity=finding.severity,
        source=finding.source,
        where=finding.where,
        message=finding.message,
        fix=stored.fix,
    )


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
