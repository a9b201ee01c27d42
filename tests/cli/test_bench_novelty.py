"""`envolve bench novelty`: copies run as their world does, labels and curves follow from the pairs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw
import pytest

from envolve.agents.base import Brief
from envolve.agents.procedural.drawing import draw
from envolve.agents.scenarios import shipped_scenarios
from envolve.bench.novelty import composing, copying, measuring
from envolve.bench.novelty.composing import world_of
from envolve.bench.novelty.figures import kind_rows, limits, novelty_figures
from envolve.bench.novelty.leaving_out import left_out, subset
from envolve.bench.novelty.measuring import BaseResult, Pair
from envolve.bench.novelty.other_names import new_names
from envolve.bench.novelty.paraphrasing import paraphrased, said_otherwise
from envolve.bench.novelty.renaming import renamed
from envolve.bench.novelty.reordering import reordered
from envolve.bench.novelty.reskinning import design_of, reskinned
from envolve.bench.novelty.roc import Scored, area, curve, threshold_for
from envolve.bench.novelty.telling import share_told, told_tools
from envolve.environments import Environment
from envolve.environments.gold import run_gold
from envolve.eval.audit import audit
from envolve.memory.signatures import environment_signature, structural_similarity

from .conftest import SAMPLE, Cli

Transformation = Callable[[Environment, int], Environment]
ALL: dict[str, Transformation] = {
    "renamed": renamed,
    "re-ordered": reordered,
    "paraphrased": paraphrased,
    "subset": subset,
}


@pytest.fixture(scope="module")
def sample() -> Environment:
    return Environment.load(SAMPLE)


@pytest.fixture(scope="module")
def composed() -> Environment:
    """A small world with a few tasks."""
    design = draw(Brief(scenario=shipped_scenarios()[0], seed=3, size={"tables": 4, "tools": 8, "rows": 60}))
    return world_of(design, 3, tasks=2)


@pytest.mark.parametrize("how", ALL)
@pytest.mark.parametrize("which", ["sample", "composed"])
def test_a_copy_runs_and_its_solutions_reach_their_goals(
    how: str, which: str, request: pytest.FixtureRequest
) -> None:
    base: Environment = request.getfixturevalue(which)
    copy = ALL[how](base, 5)
    assert copy.hash != base.hash
    if how != "subset":
        assert len(copy.tasks) == len(base.tasks) > 0
    for task in copy.tasks.values():
        run = run_gold(copy, task)
        assert run.ok, run.failure
        if task.verifier.require:
            report = audit(copy, task, gates=("gold", "goal"))
            assert not [gate for gate in report.gates if gate.status == "failed"]
    with copy.open() as episode:
        assert episode.tools
    if how in ("renamed", "re-ordered"):
        assert environment_signature(copy) == environment_signature(base)


def test_other_names_are_other_names(sample: Environment) -> None:
    copy = renamed(sample, 5)
    assert not set(copy.tools) & set(sample.tools)
    assert not set(copy.tables()) & set(sample.tables())
    columns = [{column.name for info in one.tables().values() for column in info.columns} for one in (sample, copy)]
    assert columns[0] & columns[1] == {"id"}
    assert re.search(r"\{[a-z_]+\}", str(copy.tools_file)), "messages still name what is bound"


def test_what_is_left_out_lies_between_a_tenth_and_three_tenths(sample: Environment, composed: Environment) -> None:
    for base in (sample, composed):
        for seed in range(4):
            tables, tools = left_out(base, subset(base, seed))
            one = 0.5 / len(base.tools)
            assert 0.1 - one <= tools <= 0.3 + one
            assert tables <= 0.3


def test_a_paraphrase_keeps_what_is_quoted() -> None:
    text = 'Could you cancel the booking with the note "book the customer"? Kept: {customer}. Thanks.'
    said = said_otherwise(text, Random(1))
    assert said != text
    assert '"book the customer"' in said
    assert "{customer}" in said


def test_a_re_skinned_world_is_told_alike_in_neutral_words(composed: Environment) -> None:
    copy = reskinned(composed, shipped_scenarios()[40], 5)
    assert set(copy.tables()) != set(composed.tables())
    tools = [told_tools(design_of(one)) for one in (composed, copy)]
    assert share_told(*tools) == 1.0
    other = draw(Brief(scenario=shipped_scenarios()[70], seed=8, size={"tables": 4, "tools": 8}))
    assert share_told(tools[0], told_tools(other)) < 1.0
    assert structural_similarity(environment_signature(composed), environment_signature(copy)) > 0.8
    assert all(run_gold(copy, task).ok for task in copy.tasks.values())


def test_areas_curves_and_thresholds_follow_from_scores() -> None:
    pairs = [Scored(base, near, score) for base in range(4) for near, score in ((True, 0.9), (False, 0.1))]
    assert area(pairs, seed=1) == (1.0, (1.0, 1.0))
    ties = [Scored(base, near, 0.5) for base in range(4) for near in (True, False)]
    assert area(ties, seed=1).value == 0.5
    mixed = [*pairs, Scored(0, True, 0.05), Scored(1, False, 0.95)]
    found = area(mixed, seed=1)
    assert found.value == pytest.approx((4 * 4 + 0) / 25)
    assert found.interval is not None
    assert found.interval[0] < found.value < found.interval[1]
    points = curve(mixed)
    assert (points[0].caught, points[0].rejected) == (0.0, 0.0)
    assert (points[-1].caught, points[-1].rejected) == (1.0, 1.0)
    assert [point.caught for point in points] == sorted(point.caught for point in points)
    assert 0.1 < threshold_for(mixed, 0.2) < 0.10001
    assert threshold_for(mixed, 0.0) > 0.95
    assert threshold_for(mixed, 1.0) == 0.0


def test_what_the_thresholds_that_ship_do_is_told_by_kind() -> None:
    def pair(kind: str, near: bool, text: float, structure: float) -> Pair:
        return Pair(0, kind, near, 1.0 if near else 0.3, text, structure, {})

    pairs = [
        pair("renamed", True, 1.0, 1.0),
        pair("re-skinned", True, 0.2, 0.9),
        pair("re-skinned", True, 0.2, 0.1),
        pair("many shared parts", False, 0.3, 0.7),
        pair("same category", False, 0.3, 0.2),
    ]
    rows = {row.kind: (row.near, row.n, row.by_text, row.by_structure, row.by_either) for row in kind_rows(pairs)}
    assert rows == {
        "renamed": (True, 1, 1, 1, 1),
        "re-skinned": (True, 2, 0, 1, 1),
        "many shared parts": (False, 1, 0, 1, 1),
        "same category": (False, 1, 0, 0, 0),
    }
    figures = {figure.name: figure.value for figure in novelty_figures(pairs, 1)}
    assert figures["near-copies caught by either"] == pytest.approx(2 / 3)
    assert figures["distinct pairs rejected"] == 0.5
    both = limits(pairs, 0.0)[-1]
    assert (both.view, both.rejected) == ("both", 0.0)
    assert both.caught == pytest.approx(2 / 3)


def test_figures_pairs_and_page(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {kind: copying.KINDS[kind] for kind in ("renamed", "paraphrased, subset")}
    monkeypatch.setattr(copying, "KINDS", kinds)
    monkeypatch.setattr(composing, "_DRAWS", 2)
    page, rates = tmp_path / "novelty.html", ("--false-rejects", 0.1)
    done = cli("bench", "novelty", "--worlds", 1, "--distinct", 2, "--seed", 5, *rates, "--page", page, "--json")
    told = done.json
    assert "1 of 1: " in done.err
    assert told["repeat"] == "envolve bench novelty --worlds 1 --distinct 2 --false-rejects 0.1 --seed 5"
    assert {row["kind"] for row in told["kinds"] if row["near"]} == set(kinds)
    assert told["pairs"]["near"] == 2
    assert told["pairs"]["distinct"] + told["pairs"]["neither"] == 2
    assert all(pair["share"] <= 0.5 for pair in told["each"] if not pair["near"])
    rows = {row["name"]: row for row in told["rows"]}
    assert rows["area under the curve, both"]["goal"] == 0.98
    assert rows["near-copies caught by either"]["value"] == 1.0
    html = page.read_text(encoding="utf-8")
    assert html.count("<polyline") == 3
    assert "<script" not in html


def test_where_no_pair_is_distinct_there_is_no_area(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = Pair(0, "renamed", True, 1.0, 1.0, 1.0, {})
    result = BaseResult(0, "a-world", "retail", (near,), neither=1)
    monkeypatch.setattr(measuring, "measured", lambda *options: iter([result]))
    page = tmp_path / "page.html"
    done = cli("bench", "novelty", "--worlds", 1, "--distinct", 1, "--page", page, "--json")
    assert done.json["areas"]["both"] == {"value": None, "interval": None}
    assert "NaN" not in done.out
    assert ">nan" not in page.read_text(encoding="utf-8")
    assert "area under the curve" in cli("bench", "novelty", "--worlds", 1, "--distinct", 1).out


def test_more_base_worlds_than_there_are_scenarios_are_refused(cli: Cli) -> None:
    cli("bench", "novelty", "--worlds", composing.OFFERED + 1).refused(2, "--worlds 250")


def test_a_page_needs_a_folder(cli: Cli, tmp_path: Path) -> None:
    cli("bench", "novelty", "--page", tmp_path / "none" / "page.html").refused(2, "page.html")


def test_nothing_is_renamed_to_a_word_of_sql(sample: Environment) -> None:
    """Some of the things that shops sell are called so: a window."""
    for seed in range(400):
        names = new_names(sample, Random(seed))
        taken = {*names.words.values(), *names.tools.values(), *names.params.values()}
        assert not taken & {word.lower() for word in apsw.keywords}, seed


def test_a_table_that_is_called_like_a_column_is_not_left_out(sample: Environment) -> None:
    """What speaks of the column would go with it."""
    odd = Environment.build(
        spec=sample.spec,
        schema_sql=f"{sample.schema_sql}\nCREATE TABLE label (id INTEGER PRIMARY KEY) STRICT;\n",
        seed_sql=sample.seed_sql,
        tools=sample.tools_file,
    )
    for seed in range(12):
        assert "label" in subset(odd, seed).tables()
