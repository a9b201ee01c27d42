"""Retrieval: exact over the store, through Chroma where it is owned, the same answers, never held-out items."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from envolve.environments.errors import InputError, ServiceError
from envolve.memory import ExactSearch, Librarian, MemoryIndex, Notice, RunLock, RunStore, reembed
from envolve.memory.embedders import Embedder
from envolve.memory.embedders.hashed import HashedNgrams
from envolve.memory.search import KINDS

MANY = 40


@pytest.fixture
def filled(store: RunStore, make: Any) -> RunStore:
    make.plan(store, "k", "later")
    with store.commit("k") as tx:
        for number in range(MANY):
            split = "held_out" if number % 8 == 7 else "train"
            tx.add_environment(
                make.environment(number, split=split, fate="duplicate" if number % 3 == 0 else "admitted")
            )
            tx.add_task(make.task(number, environment=f"world-{number}", split=split))
        tx.add_findings(make.finding(number, confirmed=number % 5 != 4) for number in range(MANY))
    return store


@pytest.fixture
def lock(folder: Path, store: RunStore) -> Iterator[RunLock]:
    with RunLock(folder) as held:
        yield held


def answers(search: MemoryIndex | ExactSearch, make: Any) -> list[Any]:
    return [search.nearest(make.vector(5000 + asked), kind, 5) for kind in KINDS for asked in range(10)]


def test_exact_search_knows_what_is_committed_and_hides_what_is_held_out(filled: RunStore, make: Any) -> None:
    search = ExactSearch(filled)
    nearest = search.nearest(make.vector(8), "environments", 3)
    assert [hit.distance for hit in nearest] == sorted(hit.distance for hit in nearest)
    assert nearest[0].model_dump() == {
        "kind": "environments",
        "id": "world-8",
        "environment": "world-8",
        "fate": "admitted",
        "distance": 0.0,
        "summary": "world number 8",
    }
    assert search.nearest(make.vector(7), "environments", 1)[0].id != "world-7"
    assert "10" not in [hit.id for hit in search.nearest(make.vector(2008), "defects", MANY)], "doubts are no defects"
    with filled.commit("later") as tx:
        tx.add_environment(make.environment(MANY))
        tx.set_environment("world-8", fate="broken")
    assert search.nearest(make.vector(MANY), "environments", 1)[0].id == f"world-{MANY}"
    assert search.nearest(make.vector(8), "environments", 1)[0].fate == "broken"


def test_the_index_finds_what_exact_search_finds(filled: RunStore, lock: RunLock, make: Any) -> None:
    heard = list[Notice]()
    with MemoryIndex(filled, lock, notify=heard.append) as index:
        assert answers(index, make) == answers(ExactSearch(filled), make)
        with filled.commit("later") as tx:
            tx.add_environment(make.environment(MANY))
            tx.set_environment("world-8", fate="broken")
        index.update()
        assert index.nearest(make.vector(MANY), "environments", 1)[0].id == f"world-{MANY}"
        collection = index._collections["environments"]
        assert (collection.get(ids=["world-8"])["metadatas"] or [{}])[0]["fate"] == "broken"
    assert [notice.kind for notice in heard] == ["index"], "the store had rows, the index was not there yet"


def test_an_index_rebuilt_equals_one_that_grew(filled: RunStore, lock: RunLock, make: Any) -> None:
    with MemoryIndex(filled, lock, notify=lambda _: None) as index:
        with filled.commit("later") as tx:
            tx.add_environment(make.environment(MANY))
        index.update()
        grown = {kind: contents(index, kind) for kind in KINDS}
        found = answers(index, make)
        index.rebuild()
        assert {kind: contents(index, kind) for kind in KINDS} == grown
        assert answers(index, make) == found


def contents(index: MemoryIndex, kind: Any) -> dict[str, Any]:
    page: Any = index._collections[kind].get(include=["embeddings", "metadatas"])
    rows = zip(page["ids"], page["embeddings"], page["metadatas"], strict=True)
    return {key: (vector.round(5).tolist(), metadata) for key, vector, metadata in rows}


def garbage(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(b"\xff" * path.stat().st_size)


def cut(folder: Path) -> None:
    path = folder / "chroma.sqlite3"
    path.write_bytes(path.read_bytes()[:5000])


def emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def forgotten(folder: Path) -> None:
    """Another run's index lies there: fewer things, other vectors."""
    shutil.rmtree(folder)
    import chromadb

    opened: Any = chromadb.PersistentClient(folder)
    with opened as client:
        other = client.create_collection("environments", embedding_function=None)
        other.add(ids=["world-1", "alien"], embeddings=[[1.0] * 8, [0.5] * 8], metadatas=[{"fate": "x"}] * 2)


DAMAGE: dict[str, tuple[Callable[[Path], None], bool]] = {
    # what is done to it: whether people hear of it
    "garbage": (garbage, True),
    "cut": (cut, True),
    "folder removed": (lambda folder: shutil.rmtree(folder.parent), True),
    "emptied": (emptied, False),
    "another's": (forgotten, True),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_index_is_rebuilt_with_a_notice(filled: RunStore, lock: RunLock, make: Any, damage: str) -> None:
    with MemoryIndex(filled, lock, notify=lambda _: None) as index:
        before = answers(index, make)
    (folder,) = (lock.folder / "memory").iterdir()
    inflict, loud = DAMAGE[damage]
    inflict(folder)
    heard = list[Notice]()
    with MemoryIndex(filled, lock, notify=heard.append) as index:
        assert answers(index, make) == before
    assert len(list((lock.folder / "memory").iterdir())) == 1
    assert [("rebuilt" in notice.message) for notice in heard] == [True] * loud


def test_an_index_that_breaks_in_use_answers_and_is_rebuilt(filled: RunStore, lock: RunLock, make: Any) -> None:
    heard = list[Notice]()
    with MemoryIndex(filled, lock, notify=lambda _: None) as index:
        before = answers(index, make)
        index._notify = heard.append
        for kind in KINDS:
            index._client.delete_collection(kind)  # type: ignore[union-attr]  # it is open
        assert answers(index, make) == before
        assert answers(index, make) == before
    assert len(heard) == 1


def test_an_index_left_behind_by_a_kill_catches_up_quietly(filled: RunStore, lock: RunLock, make: Any) -> None:
    MemoryIndex(filled, lock, notify=lambda _: None).close()
    with filled.commit("later") as tx:
        tx.add_environment(make.environment(MANY))
    heard = list[Notice]()
    with MemoryIndex(filled, lock, notify=heard.append) as index:
        assert index.nearest(make.vector(MANY), "environments", 1)[0].id == f"world-{MANY}"
    assert heard == []


def test_only_the_locks_holder_opens_it(filled: RunStore, folder: Path) -> None:
    with pytest.raises(ServiceError, match="without the run's lock"):
        MemoryIndex(filled, RunLock(folder))
    assert not (folder / "memory").exists()


def test_a_new_run_starts_an_empty_index_quietly(store: RunStore, lock: RunLock, make: Any) -> None:
    heard = list[Notice]()
    with MemoryIndex(store, lock, notify=heard.append) as index:
        assert index.nearest(make.vector(1), "environments", 3) == []
    assert heard == []


def test_defects_come_with_their_fixes_different_kinds_first(store: RunStore, embedder: Embedder, make: Any) -> None:
    librarian = Librarian(store, embedder)
    said = {
        "a booking can be cancelled twice": "missing_guard",
        "an order can be cancelled twice": "missing_guard",
        "a cancelled booking still holds its table": "effect_missing",
        "the list of songs is not sorted": "sort_wrong",
    }
    make.plan(store, "k")
    with store.commit("k") as tx:
        for message, kind in said.items():
            finding = make.finding(kind=kind).finding.model_copy(update={"message": message})
            text, vector = librarian.remember_finding(finding)
            tx.add_findings([make.finding(finding=finding, text=text, vector=vector, fix=f"fix of: {message}")])
    found = librarian.defects("a tool that cancels a booking of a table", n=3)
    assert [defect.kind for defect in found[:2]] != ["missing_guard", "missing_guard"]
    assert {defect.kind for defect in found[:2]} == {"missing_guard", "effect_missing"}
    assert found[0].distance < found[-1].distance
    assert all(defect.fix == f"fix of: {defect.message}" for defect in found)


def test_vectors_of_two_embedders_are_never_mixed(filled: RunStore, embedder: Embedder, lock: RunLock) -> None:
    Librarian(filled, embedder).claim()
    with pytest.raises(InputError, match="embedded with minilm") as refused:
        Librarian(filled, HashedNgrams())
    assert "rebuild" in refused.value.remedy
    assert reembed(filled, HashedNgrams()) == 2 * MANY + 4 * MANY // 5
    librarian = Librarian(filled, HashedNgrams())
    assert librarian.search("world number 12", "environments", 1)[0].id == "world-12"
    with MemoryIndex(filled, lock, notify=lambda _: None) as index:
        owner = Librarian(filled, HashedNgrams(), search=index)
        assert owner.search("task number 3", "tasks", 2) == librarian.search("task number 3", "tasks", 2)


def test_the_front_names_what_there_is_and_stays_light() -> None:
    code = (
        "import sys, envolve.memory as memory; light = set(sys.modules);"
        "assert not {'chromadb', 'sqlalchemy', 'numpy', 'networkx'} & light;"
        "[getattr(memory, name) for name in memory.__all__];"
        "assert not {'chromadb', 'onnxruntime', 'langchain_core'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
