"""Chroma as an index over the run store: faster retrieval, no truth of its own, rebuilt whenever in doubt.

One process owns it, the holder of the run's lock; everyone else searches the store exactly. It lies in
`memory/index-N/`; a rebuild makes the next N, because Chroma keeps a broken path broken for the life of a process.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..environments.errors import ServiceError
from .notices import Notice, Notify, log_notice
from .records import Vector
from .search import KINDS, ExactSearch, Hit, hits
from .store.lock import RunLock
from .store.queries import VectorKind, VectorRow
from .store.run_store import RunStore

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

FOLDER = "memory"
_BATCH = 1000


class MemoryIndex:
    """Opening makes it agree with the store: what is missing is added, and a damaged index is rebuilt, which
    `notify` hears of. Searching a broken index rebuilds it and answers exactly.

    Errors: ServiceError if the lock is not held, or the disk refuses.
    """

    def __init__(self, store: RunStore, lock: RunLock, *, notify: Notify = log_notice) -> None:
        if not lock.held:
            raise ServiceError(
                "The memory index is opened without the run's lock.", remedy="Hold the lock, or search exactly."
            )
        self._store = store
        self._root = lock.folder / FOLDER
        self._notify = notify
        self._exact = ExactSearch(store)
        self._known: dict[VectorKind, dict[str, str]] = {kind: {} for kind in KINDS}
        self._places = dict.fromkeys(KINDS, 0)
        self._settled = dict.fromkeys(KINDS, 0)
        self._client: ClientAPI | None = None
        self._collections: dict[VectorKind, Collection] = {}
        self._open()

    def update(self) -> None:
        """Take in what was committed since: new rows, changed fates."""
        try:
            for kind in KINDS:
                self._add(kind, self._store.vectors.rows(kind, after=self._places[kind]))
                self._update_fates(kind)
        except _chroma_errors() as error:
            self._rebuild(f"could not be written ({error})")

    def nearest(self, vector: Vector, kind: VectorKind, n: int) -> list[Hit]:
        """As `ExactSearch.nearest`, but what is found is Chroma's choice."""
        size = min(n, len(self._known[kind]))
        if size < 1:
            return []
        try:
            answer = self._collections[kind].query(query_embeddings=vector[None, :], n_results=size, include=[])
        except _chroma_errors() as error:
            self._rebuild(f"could not be read ({error})")
            return self._exact.nearest(vector, kind, n)
        return hits(self._store, kind, vector, answer["ids"][0])

    def rebuild(self) -> None:
        """Make it anew from the store."""
        old = self._folders()
        self.close()
        self._start(self._root / f"index-{_number(old[-1]) + 1 if old else 1}")
        for kind in KINDS:
            self._add(kind, self._store.vectors.rows(kind))
        for folder in old:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()  # type: ignore[attr-defined]  # on the client class, not on its interface
            self._client = None

    def __enter__(self) -> MemoryIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> None:
        folders = self._folders()
        if not folders:
            fates = any(self._store.vectors.fates(kind) for kind in KINDS)
            return self._rebuild("is missing") if fates else self.rebuild()
        try:
            self._start(folders[-1])
            for kind in KINDS:
                self._reconcile(kind)
        except _chroma_errors() as error:
            self._rebuild(f"is damaged ({error})")

    def _rebuild(self, what: str) -> None:
        self._notify(
            Notice(kind="index", message=f"The memory index in {self._root} {what}; it is rebuilt from run.db.")
        )
        self.rebuild()

    def _start(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ServiceError(
                f"{folder}: {error.strerror}.", remedy="Check the folder's space and rights."
            ) from error
        self._known = {kind: {} for kind in KINDS}
        self._places = dict.fromkeys(KINDS, 0)
        self._settled = dict.fromkeys(KINDS, 0)
        self._client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
        self._collections = {
            kind: self._client.get_or_create_collection(
                kind, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            for kind in KINDS
        }

    def _reconcile(self, kind: VectorKind) -> None:
        """Hold every stored vector against the index. Errors: _Differs if one is another."""
        rows = self._store.vectors.rows(kind)
        found = _contents(self._collections[kind])
        wanted = {row.key: row for row in rows if _belongs(row)}
        if any(key in wanted and not _same(vector, wanted[key].vector) for key, (vector, _) in found.items()):
            raise _Differs("vectors differ from the store's")
        superfluous = [key for key in found if key not in wanted]
        if superfluous:
            self._collections[kind].delete(ids=superfluous)
        self._known[kind] = {key: fate for key, (_, fate) in found.items() if key in wanted}
        self._add(kind, [row for row in rows if row.key not in found])
        self._update_fates(kind)
        self._places[kind] = rows[-1].place if rows else 0

    def _add(self, kind: VectorKind, rows: Sequence[VectorRow]) -> None:
        whole = [row for row in rows if _belongs(row)]
        for start in range(0, len(whole), _BATCH):
            batch = whole[start : start + _BATCH]
            vectors = np.stack([row.vector for row in batch if row.vector is not None])
            metadatas: list[Mapping[str, Any]] = [_metadata(row) for row in batch]
            self._collections[kind].upsert(ids=[row.key for row in batch], embeddings=vectors, metadatas=metadatas)
        self._known[kind] |= {row.key: row.fate for row in whole}
        if rows:
            self._places[kind] = rows[-1].place

    def _update_fates(self, kind: VectorKind) -> None:
        known = self._known[kind]
        settled = self._store.vectors.settled(kind, self._settled[kind])
        self._settled[kind] = max([self._settled[kind], *(change.settled_round for change in settled)])
        changed = {change.key: change.fate for change in settled if known.get(change.key, change.fate) != change.fate}
        if changed:
            self._collections[kind].update(ids=list(changed), metadatas=[{"fate": fate} for fate in changed.values()])
            known |= changed

    def _folders(self) -> list[Path]:
        """Index folders, the current one last."""
        found = [path for path in self._root.glob("index-*") if path.is_dir() and path.name[6:].isdigit()]
        return sorted(found, key=_number)


class _Differs(Exception):
    pass


def _chroma_errors() -> tuple[type[Exception], ...]:
    """What a damaged index shows: Chroma's own errors, those of its wrapper around them, and wrong contents."""
    from chromadb.errors import ChromaError

    return (_Differs, ChromaError, ValueError, AttributeError, OSError)


def _contents(collection: Collection) -> dict[str, tuple[Vector, str]]:
    """Vector and fate by key."""
    found = dict[str, tuple[Vector, str]]()
    for start in range(0, collection.count(), _BATCH):
        page: Any = collection.get(limit=_BATCH, offset=start, include=["embeddings", "metadatas"])
        for key, vector, metadata in zip(page["ids"], page["embeddings"], page["metadatas"], strict=True):
            found[key] = (np.asarray(vector, dtype=np.float32), str(metadata["fate"]))
    return found


def _same(left: Vector, right: Vector | None) -> bool:
    return right is not None and left.shape == right.shape and bool(np.allclose(left, right, atol=1e-5))


def _belongs(row: VectorRow) -> bool:
    """Held-out things are not even in the index."""
    return row.vector is not None and row.split == "train"


def _metadata(row: VectorRow) -> dict[str, Any]:
    return {"fate": row.fate, "environment": row.environment, "round": row.created_round}


def _number(folder: Path) -> int:
    return int(folder.name[6:])
