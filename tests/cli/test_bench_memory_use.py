"""Benches of many worlds keep none of them: what a world was made of is gone before its memory is read."""

from __future__ import annotations

import time
import weakref
from collections import Counter
from collections.abc import Mapping
from functools import partial

import pytest

from envolve.agents.base import Scenario
from envolve.bench.side_by_side import side_by_side
from envolve.bench.worlds import trying
from envolve.bench.worlds.making import environment_of
from envolve.bench.worlds.measuring import Options, measured
from envolve.bench.worlds.memory_use import resident_mb
from envolve.environments import Environment


def test_no_result_is_kept_by_who_gave_it() -> None:
    """Not even until the next one comes, which may take minutes."""
    jobs: list[partial[Counter[str]]] = [partial(Counter, word) for word in ("first", "second", "third")]
    for _, result in side_by_side(jobs, 1):
        kept = weakref.ref(result)
        del result
        # The thread that took it from the worker may be about to let go of it.
        latest = time.monotonic() + 10
        while kept() is not None and time.monotonic() < latest:
            time.sleep(0.01)
        assert kept() is None


def test_a_world_is_gone_when_what_is_left_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[weakref.ref[Environment]] = []
    alive: list[int] = []

    def noted(scenario: Scenario, seed: int, size: Mapping[str, int]) -> Environment:
        environment = environment_of(scenario, seed, size)
        built.append(weakref.ref(environment))
        return environment

    def counted() -> float:
        alive.append(sum(one() is not None for one in built))
        return resident_mb()

    monkeypatch.setattr(trying, "environment_of", noted)
    monkeypatch.setattr(trying, "resident_mb", counted)
    (placed,) = measured(Options(1, 1, 6, 1, False, "tiny"))
    assert placed.world.tasks
    assert (len(built), alive) == (1, [0])
