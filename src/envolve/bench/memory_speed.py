"""What memory costs: novelty look-ups, retrieval, commits, embeddings.

`python -m envolve.bench.memory_speed [--environments N]` prints the figures. The environments are drawn, not built: each
has as many features as a procedural world of the usual size (290 of its schema, 95 of its tools), a part common to
most, a part shared with some, the rest its own; vectors are drawn around 60 centres.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..environments.canonical import seed_from
from ..memory.embedders.minilm import MiniLM
from ..memory.index import MemoryIndex
from ..memory.novelty import Candidate, Novelty
from ..memory.records import EnvironmentRecord, PlannedItem, Signature, Vector
from ..memory.search import ExactSearch
from ..memory.store import RunLock, RunStore
from .figures import Figure, machine, median_figure, table

_SIZES = {"schema": 290, "tools": 95}
_CENTRES = 60
_DIMENSION = 384
_BATCH = 500


def rows(*, environments: int = 10_000, times: int = 50) -> list[Figure]:
    """All figures at `environments` stored environments; each look-up `times` times with another candidate."""
    with tempfile.TemporaryDirectory(prefix="envolve-bench-") as folder, RunStore.create(Path(folder), {}) as store:
        filling = _seconds(lambda: _fill(store, environments))
        with RunLock(Path(folder)) as lock:
            return [
                Figure(f"store {environments:,} environments", filling, "s", 1),
                *_commits(store, environments, times),
                *_novelty(store, environments, times),
                *_retrieval(store, lock, environments, times),
                *_embedding(times),
            ]


def _novelty(store: RunStore, environments: int, times: int) -> Iterator[Figure]:
    begun = time.perf_counter()
    novelty = Novelty(store)
    yield Figure(f"novelty: load {environments:,} environments", time.perf_counter() - begun, "s", 1)
    candidates = iter([Candidate(_vector(n), _signature(n)) for n in range(-times, 0)])
    taken = [_seconds(lambda: novelty.check_environment(next(candidates))) * 1e3 for _ in range(times)]
    yield median_figure(f"novelty: look up among {environments:,} environments", taken, "ms", goal=20)


def _retrieval(store: RunStore, lock: RunLock, environments: int, times: int) -> Iterator[Figure]:
    exact = ExactSearch(store)
    exact.nearest(_vector(-1), "environments", 5)
    yield _median(
        f"search exactly among {environments:,}", lambda n: exact.nearest(_vector(-n), "environments", 5), times
    )
    begun = time.perf_counter()
    with MemoryIndex(store, lock, notify=lambda _: None) as index:
        yield Figure(f"index: rebuild of {environments:,}", time.perf_counter() - begun, "s", 1)
        yield _median(
            f"search by index among {environments:,}", lambda n: index.nearest(_vector(-n), "environments", 5), times
        )
    begun = time.perf_counter()
    MemoryIndex(store, lock, notify=lambda _: None).close()
    yield Figure(f"index: open and check {environments:,}", time.perf_counter() - begun, "s", 1)


def _commits(store: RunStore, first: int, times: int) -> Iterator[Figure]:
    store.work.plan_round(1, {}, [PlannedItem(key=f"c{n}", kind="new") for n in range(times)])
    records = [_record(first + n) for n in range(times)]

    def commit(n: int) -> None:
        with store.commit(f"c{n}") as tx:
            tx.add_environment(records[n])

    yield _median("commit of one environment, on disk", commit, times)
    store.work.plan_round(2, {}, [PlannedItem(key="s", kind="new")])
    yield _median("stage one reply of 2 kB", lambda n: store.staging.put("s", "reply", n, "word " * 400), times)


def _embedding(times: int) -> Iterator[Figure]:
    embedder = MiniLM()
    for words in (20, 200):
        text = "table " * words
        embedder.embed([text])
        yield _median(f"embed {words} words", lambda n, text=text: embedder.embed([f"{text}{n}"]), min(times, 30))  # type: ignore[misc]


def _median(name: str, action: Callable[[int], Any], times: int) -> Figure:
    return median_figure(name, [_seconds(lambda n=n: action(n)) * 1e3 for n in range(times)], "ms")  # type: ignore[misc]


def _seconds(action: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def _fill(store: RunStore, environments: int) -> None:
    starts = range(0, environments, _BATCH)
    store.work.plan_round(0, {}, [PlannedItem(key=f"k{start}", kind="new") for start in starts])
    for start in starts:
        with store.commit(f"k{start}") as tx:
            for number in range(start, min(start + _BATCH, environments)):
                tx.add_environment(_record(number))


def _record(number: int) -> EnvironmentRecord:
    return EnvironmentRecord(
        id=f"world-{number}",
        hash=str(number),
        scenario={"name": f"World {number}"},
        category="any",
        fate="admitted",
        tables=13,
        tools=34,
        rows=900,
        text=f"World {number}. " + "What it is about. " * 10,
        signature=_signature(number),
        vector=_vector(number),
    )


def _signature(number: int) -> Signature:
    draw = np.random.default_rng(seed_from("signature", number))
    parts = {part: _features(part, size, number, draw) for part, size in _SIZES.items()}
    return Signature.model_validate({"parts": parts})


def _features(part: str, size: int, number: int, draw: np.random.Generator) -> dict[str, float]:
    common = np.flatnonzero(draw.random(size // 4) < 0.8)
    shared = np.unique(draw.zipf(1.3, size // 2) % 4_000)
    names = [*(f"{part} common {n}" for n in common), *(f"{part} shared {n}" for n in shared)]
    names += [f"{part} own {number} {n}" for n in range(size - len(names))]
    return dict(zip(names, draw.integers(1, 6, len(names)).astype(float).tolist(), strict=True))


def _vector(number: int) -> Vector:
    draw = np.random.default_rng(seed_from("vector", number))
    centre = np.random.default_rng(seed_from("centre", number % _CENTRES)).normal(size=_DIMENSION)
    drawn = centre + 0.8 * draw.normal(size=_DIMENSION)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description="What memory costs.")
    parser.add_argument("--environments", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=50)
    options = parser.parse_args()
    sys.stdout.write(f"{machine()}\n{table(rows(environments=options.environments, times=options.times))}\n")


if __name__ == "__main__":
    main()
