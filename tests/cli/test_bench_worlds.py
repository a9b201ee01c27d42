"""`envolve bench worlds`, on few and small ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envolve.bench.figures import Figure
from envolve.bench.worlds.figures import coverage, world_figures
from envolve.bench.worlds.measuring import Options, Placed
from envolve.bench.worlds.results import CRASH, Flaw, TaskTried, WorldTried
from envolve.bench.worlds.rights import guarded_by_role, touches_two_roles
from envolve.cli.bench.worlds_flaws import show_flaws
from envolve.environments import Environment
from envolve.environments.gold import run_gold
from envolve.environments.sizes import Size
from envolve.eval.audit import audit
from envolve.eval.units import Unit
from envolve.memory.novelty import Candidate
from envolve.memory.pool import Pool, distances_to_earlier, stretches
from envolve.memory.signatures import Signature

from .conftest import SAMPLE, Cli


def test_a_world_is_tried_and_told(cli: Cli) -> None:
    done = cli("bench", "worlds", "--n", 1, "--tasks", 1, "--seed", 6, "--size", "tiny", "--json")
    told, rows = done.json, {row["name"]: row for row in done.json["rows"]}
    assert "1 of 1: " in done.err
    assert told["repeat"] == "envolve bench worlds --n 1 --tasks 1 --seed 6 --size tiny"
    (world,) = told["environments"]
    assert rows["worlds without a confirmed finding"]["value"] == float(world["admitted"])
    assert rows["tools of a world, mean (least–most)"]["value"] == world["tools"]
    assert rows["different tool signatures"]["unit"] == f"of {world['tools']}"
    assert len(told["findings"]) == 0 or not world["admitted"]
    assert {each["name"] for each in told["coverage"]} >= {"categories", "archetypes", "links"}
    assert set(told["seconds_by_stage"]) >= {"build", "gates", "tasks", "audits"}
    assert {task["grade"] for task in world["tasks"]} <= {"sound", "unsound"}


def test_a_quick_look_says_nothing_of_soundness_and_a_world_can_be_looked_at_again(cli: Cli, tmp_path: Path) -> None:
    options = ("--n", 2, "--tasks", 1, "--seed", 6, "--jobs", 1, "--size", "tiny", "--quick")
    done = cli("bench", "worlds", *options)
    assert "without a confirmed finding" not in done.out
    for words in ("different schema graphs", "Distance to the nearest earlier world", "--seed 6 --size tiny --quick"):
        assert words in done.out
    again = cli("bench", "worlds", *options, "--world", 1, "--keep", tmp_path, "--json").json
    assert f": {again['environment']} " in done.err
    kept = Environment.load(tmp_path / again["environment"])
    assert kept.tasks
    for task in kept.tasks.values():
        report = audit(kept, task, gates=["gold", "goal"])
        assert report.grade == "sound", "the verifiers are kept too"
    cli("bench", "worlds", *options, "--world", 2).refused(2, "no world 2")


def test_a_package_is_kept_of_a_world_that_is_named(cli: Cli, tmp_path: Path) -> None:
    cli("bench", "worlds", "--keep", tmp_path).refused(2, "--world NUMBER")


def world(number: int, **changes: Any) -> WorldTried:
    task = TaskTried(f"t-{number}", "sound", f"s{number}", True, False, False, False)
    plain = WorldTried(
        number=number,
        environment=f"world-{number}",
        scenario=f"World {number}",
        category="retail",
        seed=number,
        size=Size(20, 40, 300),
        archetypes={"people": {"contact": "plain"}},
        links={},
        findings=(),
        unsound=(),
        tasks=(task,) * 10,
        text="",
        signature=Signature(),
        schema=f"g{number % 2}",
        tool_shapes=("a", f"b{number}"),
        seconds={"build": 1.0, "gates": 3.0},
        peak_mb=200.0,
        resident_mb=190.0,
    )
    return plain._replace(**changes)


def test_figures_follow_from_the_worlds() -> None:
    flawed = world(3, findings=(Flaw("tools.x", "leaks (major): …", "gate:access"),), peak_mb=300.0)
    worlds = [world(0), world(1), world(2), flawed]
    placed = [Placed(one, {"text": 0.5, "structure": 0.3}, {"structure": "world-0"}, 90.0) for one in worlds]
    figures = {figure.name: figure for figure in world_figures(placed, quick=False)}
    assert figures["worlds without a confirmed finding"].value == 0.75
    assert not figures["worlds without a confirmed finding"].met
    assert (figures["different schema graphs"].value, figures["different tool signatures"].value) == (2, 5)
    assert figures["admitted worlds that repeat another by structure"].n == 3, "what is not admitted is left out"
    assert figures["admitted worlds that repeat another by text"].value == 0
    assert figures["processor time of a world, mean (least–most)"].value == 4.0
    assert figures["tasks: 5 calls or more, with data flow"].value == 1.0
    assert figures["tables of a world, mean (least–most)"].met
    assert figures["worlds without a crash"].value == 1.0
    used = {each.name: each for each in coverage(worlds)}
    assert (used["archetypes"].used, used["categories"].used) == (1, 1)
    assert "bookings" in used["archetypes"].unused


def test_only_what_was_built_uses_the_library() -> None:
    crash = (Flaw("build", "InputError: …", CRASH),)
    unbuilt = WorldTried(number=1, scenario="World 1", category="housing", seed=1, findings=crash)
    told = coverage([world(0), unbuilt])
    assert told == coverage([world(0)])
    categories = next(each for each in told if each.name == "categories")
    assert (categories.used, "housing" in categories.unused) == (1, True)


def test_growth_is_told_of_peaks_and_of_what_stays() -> None:
    def growth(left: list[float]) -> dict[str, Figure]:
        worlds = [world(number, peak_mb=400.0, resident_mb=mb) for number, mb in enumerate(left)]
        figures = world_figures([Placed(one, {}, {}, 90.0) for one in worlds], quick=False)
        return {figure.name: figure for figure in figures}

    peak, left = "peak memory of a worker in a world", "memory of a worker after a world"
    figures = growth([100.0 + 10 * number for number in range(20)])
    assert figures[f"{left}, first tenth of worlds"].value == 105.0
    assert figures[f"{left}, last tenth over first"].value == pytest.approx(285 / 105)
    assert not figures[f"{left}, last tenth over first"].met
    assert figures[f"{peak}, last tenth over first"].met
    assert growth([100.0] * 19)[f"{left}, last tenth over first"].met is None, "too few to say"


def test_a_flaw_is_told_with_how_to_see_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    flaw = Flaw("tools.x", "leaks", "gate:access")
    show_flaws([world(3, findings=(flaw,), seed=77)], Options(5, 10, 6, 2, False, "tables=4, rows=40"))
    said = capsys.readouterr().out
    assert (
        "envolve bench worlds --n 5 --tasks 10 --seed 6 --size 'tables=4, rows=40' --world 3 --keep runs/again"
        in said
    )
    assert "envolve check runs/again/world-3 --seed 77" in said


def test_the_rights_of_two_roles() -> None:
    environment = Environment.load(SAMPLE)
    dinner = environment.tasks["move-the-anniversary-dinner"]
    assert touches_two_roles(environment, Unit(dinner), run_gold(environment, dinner)) == any(
        guarded_by_role(environment, step.call) for step in dinner.gold if hasattr(step, "call")
    )
    asked = environment.tasks["count-fridays-guests"]
    assert not touches_two_roles(environment, Unit(asked), run_gold(environment, asked)), "it writes nothing"
    other = asked.model_copy(update={"id": "other", "actor": environment.tasks["book-the-terrace-for-four"].actor})
    assert touches_two_roles(environment, Unit(other, asked), run_gold(environment, asked)), "by who asks"


def test_distances_to_what_was_there_before() -> None:
    def candidate(*features: str) -> Candidate:
        return Candidate(None, Signature(parts={"schema": dict.fromkeys(features, 1.0)}))

    pool = Pool()
    found = distances_to_earlier([("a", candidate("x", "y")), ("b", candidate("x")), ("c", candidate("x"))])
    assert found["structure"] == [1.0, 0.5, 0.0]
    pool.add("a", candidate("x", "y"))
    assert pool.check(candidate("x", "y")).of == "a"
    assert stretches([1.0]) == []
    (few,) = stretches([1.0, 0.4, 0.2])
    assert (few.size, few.n) == (3, 2)
    assert few.mean == pytest.approx(0.3)
    assert [(one.size, one.n) for one in stretches([0.5] * 40)] == [(10, 9), (30, 20), (40, 10)]
