"""How large worlds are: words and numbers, and worlds of every size whose data keeps its own rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.drawing import draw
from envolve.environments.errors import InputError
from envolve.options import run_config
from envolve.world_sizes import WORDS, world_size

from ..composed_worlds import broken_invariants, filled
from .conftest import envolve

NUMBERS = st.dictionaries(st.sampled_from(("tables", "tools", "rows")), st.integers(1, 80), min_size=1)


@given(NUMBERS)
def test_numbers_mean_what_they_say(wanted: dict[str, int]) -> None:
    assert world_size(",".join(f"{name}={number}" for name, number in wanted.items())) == wanted
    assert world_size(wanted) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "enormous",
        "tables",
        "tables=",
        "tables=0",
        "tables=81",
        "rows=50001",
        "rooms=4",
        "rows=1.5",
        "rows=1, rows=2",
        "",
    ],
)
def test_what_is_no_size_is_told_with_a_remedy(said: str) -> None:
    with pytest.raises(InputError) as caught:
        world_size(said)
    assert "tiny" in caught.value.remedy


def _filled(size: dict[str, int], seed: int) -> tuple[Composition, apsw.Connection]:
    scenario = Scenario(id="any", name="Weir Hall", category="", text="A hall that people book, with a small shop.")
    composition = Composition(draw(Brief(scenario=scenario, seed=seed, size=size)))
    return composition, filled(composition)


def _rows(composition: Composition, world: apsw.Connection) -> int:
    counts: Any = (world.execute(f"SELECT count(*) FROM {table.name}").get for table in composition.tables.values())
    return sum(counts)


@pytest.mark.parametrize("word", [word for word in WORDS if word != "usual"])
def test_worlds_have_the_size_asked_for_and_keep_their_invariants(word: str) -> None:
    size = world_size(word)
    composition, world = _filled(size, seed=3)
    assert _rows(composition, world) >= size["rows"]
    assert len(composition.tools) >= size["tools"]
    assert broken_invariants(composition, world) == []


def test_worlds_are_of_the_usual_size_by_default(tmp_path: Path) -> None:
    told = json.loads(envolve("new", "A barber", "--tasks", 0, "-o", tmp_path, "--json").out)
    assert told["tables"] >= WORDS["usual"]["tables"]
    assert told["tools"] >= WORDS["usual"]["tools"]
    assert told["rows"] >= 250


def test_a_tiny_world_is_built_and_has_tasks(tmp_path: Path) -> None:
    told = json.loads(envolve("new", "A barber", "--size", "tiny", "--tasks", 2, "-o", tmp_path, "--json").out)
    assert 4 <= told["tables"] <= 6
    assert told["sound"]


@pytest.mark.parametrize("said", ["rows=300", {"rows": 300}])
def test_a_number_of_rows_alone_leaves_the_rest_as_usual(said: Any, tmp_path: Path) -> None:
    config = run_config(tmp_path / "run", {"size": said}, texts=["A barber"])
    assert config.size == {**WORDS["usual"], "rows": 300}
    drafted = run_config(tmp_path / "run", {"size": said, "model": "openai:any"}, texts=["A barber"])
    assert drafted.size == {"rows": 300}, "a model that designs decides by itself"


def test_a_new_world_of_some_rows_is_of_the_usual_size(tmp_path: Path) -> None:
    said = ("--size", "rows=300", "--tasks", 0, "-o", tmp_path, "--json")
    told = json.loads(envolve("new", "A barber", *said).out)
    assert told["tables"] >= WORDS["usual"]["tables"]
    assert told["tools"] >= WORDS["usual"]["tools"]
