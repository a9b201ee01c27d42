"""A world that crashes is a finding of that world: all others are tried as ever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from envolve.agents.procedural.composition import _composition
from envolve.agents.procedural.library import library
from envolve.bench.worlds import trying
from envolve.bench.worlds.measuring import Options, measured
from envolve.cli import main

from .conftest import Cli, Done

QUICK = ("--tasks", 1, "--jobs", 1, "--size", "tiny", "--quick")
UNKNOWN = [{"key": "broken", "text": "{{nobody.plural}} are welcome."}]
"""Policies of which no world can be rendered."""


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`breaking(name, section=…)`: an archetype of which a section is another."""

    def broken(name: str, **sections: Any) -> None:
        parts = library().archetypes
        assert isinstance(parts, dict)
        monkeypatch.setitem(parts, name, parts[name].model_copy(update=sections))

    yield broken
    _composition.cache_clear()


def rows(done: Done) -> Mapping[str, Any]:
    return {row["name"]: row for row in done.json["rows"]}


def test_a_world_that_cannot_be_built_is_a_finding_and_the_others_go_on(cli: Cli, breaking: Any) -> None:
    sound = cli("bench", "worlds", "--n", 2, "--seed", 6, *QUICK, "--json").json["environments"]
    # What only the second world is made of.
    only = sorted(set(sound[1]["archetypes"]) - set(sound[0]["archetypes"]))
    breaking(only[0], policies=UNKNOWN)

    done = cli("bench", "worlds", "--n", 2, "--seed", 6, *QUICK, "--json")
    assert done.code == 1, "something was found"
    assert rows(done)["worlds without a crash"]["value"] == 0.5
    assert rows(done)["worlds without a crash"]["met"] is False
    assert rows(done)["tables of a world, mean (least–most)"]["value"] == sound[0]["tables"], "of those built"
    (found,) = done.json["findings"]
    assert (found["world"], found["where"], found["source"]) == (1, "build", "crash")
    assert found["what"].startswith("InputError: template names something unknown: ")
    assert "templates.py" in found["trace"]
    first, crashed = done.json["environments"]
    assert (first["environment"], first["tasks"]) == (sound[0]["environment"], sound[0]["tasks"])
    assert not crashed["admitted"]
    assert "crashed (build)" in done.err

    people = cli("bench", "worlds", "--n", 2, "--seed", 6, *QUICK)
    assert found["again"] in people.out
    again = cli(*found["again"].split()[1:])
    assert found["what"].split(":")[0] in again.out
    assert "Traceback" in again.err


def test_where_every_world_crashes_the_bench_still_ends(cli: Cli, breaking: Any) -> None:
    breaking("people", workflows={"greet": {"about": "Somebody greets", "gold": [], "say": 5}}, refusals={})
    done = cli("bench", "worlds", "--n", 1, "--seed", 8, *QUICK, "--json")
    (found,) = done.json["findings"]
    assert (found["where"], found["source"]) == ("tasks", "crash"), found["what"]
    assert found["environment"] == done.json["environments"][0]["environment"], "it was built"
    assert rows(done)["worlds without a crash"]["value"] == 0.0

    breaking("people", policies=UNKNOWN)
    done = cli("bench", "worlds", "--n", 1, "--seed", 8, *QUICK)
    assert done.code == 1
    assert "not built" in done.out


def test_gates_and_audits_that_crash_are_findings_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(trying, "run_gold", crash)
    monkeypatch.setattr(trying, "panel_of", crash)
    (placed,) = measured(Options(1, 2, 6, 1, False, "tiny"))
    world = placed.world
    assert [(flaw.where, flaw.what) for flaw in world.crashes][:2] == [
        ("gates", "RecursionError: too deep"),
        ("audits", "RecursionError: too deep"),
    ]
    assert world.built
    assert not world.admitted
    assert not world.tasks
    assert {"build", "gates", "tasks", "audits", "signature"} <= set(world.seconds)


def test_an_interrupt_is_no_crash(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(trying, "environment_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(measured(Options(2, 1, 6, 1, True, "tiny")))
    with pytest.raises(SystemExit) as ended:
        main(["bench", "worlds", "--n", "2", "--seed", "6", *map(str, QUICK)])
    assert ended.value.code == 130
    assert "2 of 2" not in capsys.readouterr().err
