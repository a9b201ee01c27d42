"""The bench of the memory of defects: what it counts, and that it says what is simulated."""

from __future__ import annotations

import json

import pytest

from envolve.agents.base import PastDefect
from envolve.agents.scenarios import shipped_scenarios
from envolve.bench.memory.coder import Draft, drafted, habits, warned
from envolve.bench.memory.figures import memory_figures, round_rates
from envolve.bench.memory.settings import ARMS, Arm, Build
from envolve.cli.bench.showing import figures_json

from .conftest import Cli


def build(
    seed: int, arm: Arm, number: int, *, written: bool = True, left: bool = False, repeat: bool = True
) -> Build:
    return Build(
        seed=seed,
        arm=arm,
        round=number,
        prone="guard_dropped",
        repeat=repeat,
        warned=arm == "with",
        written=written,
        admitted=True,
        left=left,
        found_by=(),
        false_alarms=0,
    )


def test_repeats_are_counted_from_the_second_round_on_and_compared_seed_by_seed() -> None:
    builds = [
        build(seed, arm, number, written=arm != "with" or seed == 1, left=arm == "without")
        for seed in (1, 2)
        for arm in ARMS
        for number in (1, 2, 3)
    ]
    figures = {figure.name: figure for figure in memory_figures(builds)}
    assert (figures["written repeats, without memory"].value, figures["written repeats, without memory"].n) == (
        1.0,
        4,
    )
    assert figures["written repeats, with memory"].value == 0.5
    assert figures["escaped repeats, probes only"].value == 0.0
    paired = figures["written repeats, with minus without"]
    assert (paired.value, paired.n) == (-0.5, 2)
    assert paired.interval is not None
    assert paired.interval[0] < -0.5 < paired.interval[1]
    assert figures["escaped repeats, probes only minus without"].interval is None  # the same in every seed
    assert [row.written for row in round_rates(builds) if row.arm == "with"] == [1, 1, 1]


def test_a_draft_whose_kind_was_never_confirmed_repeats_nothing() -> None:
    builds = [build(1, arm, number, left=True, repeat=False) for arm in ARMS for number in (1, 2)]
    figures = {figure.name: figure for figure in memory_figures(builds)}
    assert figures["written repeats, without memory"].value == 0.0
    assert figures["escaped repeats, without memory"].value == 0.0


@pytest.fixture(scope="module")
def draft() -> Draft:
    return drafted(shipped_scenarios()[0], 3, ("guard_dropped",))


def test_a_warning_is_of_the_kind_about_to_be_written_and_of_a_like_tool(draft: Draft) -> None:
    assert draft.planted is not None
    name = draft.planted.where.split(".")[1]
    contracts = {tool.name: tool for tool in draft.blueprint.contracts}
    other = next(tool for tool in contracts.values() if tool.kind == "read")
    like = PastDefect(kind="x", where=f"tools.{name}", message="", environment="there", tools=(contracts[name],))
    unlike = like.model_copy(update={"where": f"tools.{other.name}", "tools": (other,)})
    assert warned(draft, [like], {"there": "guard_dropped"})
    assert not warned(draft, [unlike], {"there": "guard_dropped"})
    assert not warned(draft, [like], {"there": "sign_flipped"})
    assert not warned(draft, [like], {})


def test_a_seed_draws_its_habits() -> None:
    assert habits(1, 3) == habits(1, 3)
    assert len({habits(seed, 3) for seed in range(8)}) > 4


def test_it_says_what_is_simulated_and_how_to_repeat_it(cli: Cli) -> None:
    done = cli("bench", "memory", "--seeds", "1", "--rounds", "2", "--builds", "1", "--calls", "1", "--json")
    assert done.code == 0, done.err
    assert done.json["simulated"] is True
    assert done.json["settings"]["heed"] == 0.5
    assert done.json["repeat"].startswith("envolve bench memory --seeds 1 --rounds 2")
    assert [(row["arm"], row["round"]) for row in done.json["by_round"]] == [(arm, n) for arm in ARMS for n in (1, 2)]
    assert "simulated" in cli("bench", "memory", "--help").out


def test_what_nothing_was_measured_for_is_null() -> None:
    """In the first round nothing can be repeated."""
    told = figures_json("memory", memory_figures([build(1, arm, 1) for arm in ARMS]), 0.0)
    rows = {row["name"]: row for row in json.loads(json.dumps(told, allow_nan=False))["rows"]}
    paired = rows["written repeats, with minus without"]
    assert (paired["value"], paired["n"]) == (None, 0)
