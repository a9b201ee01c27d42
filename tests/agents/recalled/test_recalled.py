"""A past defect's calls show the same defect in another world, and nothing in a sound one."""

from __future__ import annotations

import asyncio
from itertools import islice

import pytest

from envolve.agents.base import Brief, PastDefect, Scenario
from envolve.agents.faults import plants
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.recalled import fits, likeness, recalled
from envolve.agents.scenarios import shipped_scenarios
from envolve.agents.tester import Effort, run_gates, run_probe
from envolve.environments.models import Expectation, Finding, Probe, ProbeCall
from envolve.environments.package import Environment
from envolve.memory.defects import fix_text, scene_of

from .conftest import COURTS, ROOMS, Build

SMALL = Effort(calls_per_tool=40, least=150)


def past(environment: Environment, finding: Finding, fix: str = "") -> PastDefect:
    scene = scene_of(environment, finding)
    return PastDefect(
        kind=finding.kind,
        where=finding.where,
        message=finding.message,
        fix=fix,
        environment=environment.id,
        probe=finding.probe,
        tools=scene.tools,
        clock=scene.clock,
    )


@pytest.fixture(scope="module")
def taken_twice(built: Build) -> PastDefect:
    """Found by the tester in the guest house."""
    environment = built(ROOMS, guarded=False)
    found = run_gates(environment, seed=1, effort=SMALL).blocking
    return next(past(environment, finding) for finding in found if finding.kind == "invariant_broken")


def test_a_defect_of_one_world_is_found_in_another_by_its_calls(built: Build, taken_twice: PastDefect) -> None:
    courts = built(COURTS, guarded=False)
    (finding,) = recalled(courts, [taken_twice], seed=1)
    assert finding.source == "memory"
    assert finding.kind == "invariant_broken"
    assert finding.where.startswith("tools.reserve_court.")
    assert finding.evidence["past"]["environment"] == taken_twice.environment
    assert finding.evidence["past"]["where"] == taken_twice.where
    assert finding.probe is not None
    assert {call.call for call in finding.probe.calls} == {"reserve_court"}
    assert run_probe(courts, finding)
    assert not run_probe(built(COURTS), finding)


def test_nothing_is_claimed_of_a_sound_world(built: Build, taken_twice: PastDefect) -> None:
    assert recalled(built(COURTS), [taken_twice], seed=1, tries=60) == []


def test_nothing_is_claimed_where_no_tool_is_like_it(built: Build, taken_twice: PastDefect) -> None:
    other = Environment.load("tests/data/table-booking")
    reads = {name: tool for name, tool in other.tools.items() if tool.kind == "read"}
    assert fits(taken_twice.tools, reads) == []
    bare = taken_twice.model_copy(update={"tools": ()})
    assert recalled(built(COURTS, guarded=False), [bare], seed=1) == []


def test_what_one_world_meant_to_refuse_is_not_expected_of_another(built: Build, taken_twice: PastDefect) -> None:
    """Expectations in SQL, of refusals and of success hold where they were written."""
    assert taken_twice.probe is not None
    for own in (
        Expectation(sql="SELECT count(*) = 0 FROM after.bookings"),
        Expectation(fails=("forbidden",)),
        Expectation(succeeds=False),
    ):
        probe = taken_twice.probe.model_copy(update={"expect": (own,)})
        told = taken_twice.model_copy(update={"probe": probe})
        assert recalled(built(COURTS), [told], seed=1) == []


def test_it_depends_on_its_arguments_alone(built: Build, taken_twice: PastDefect) -> None:
    courts = built(COURTS, guarded=False)
    assert recalled(courts, [taken_twice], seed=5) == recalled(courts, [taken_twice], seed=5)


def test_tools_are_likest_to_their_counterparts(built: Build, taken_twice: PastDefect) -> None:
    tools = built(COURTS).tools
    (old,) = taken_twice.tools
    scores = {name: likeness(old, tool) for name, tool in tools.items()}
    assert max(scores, key=lambda name: scores[name]) == "reserve_court"
    assert scores["list_courts"] == 0.0


def test_probes_that_call_what_is_not_known_are_left_out(built: Build, taken_twice: PastDefect) -> None:
    assert taken_twice.probe is not None
    calls = (ProbeCall(call="nobody_knows"), *taken_twice.probe.calls)
    strange = taken_twice.model_copy(update={"probe": Probe(calls=calls, expect=taken_twice.probe.expect)})
    assert recalled(built(COURTS, guarded=False), [strange], seed=1) == []


def _world(scenario: Scenario, seed: int) -> Environment:
    brief = Brief(scenario=scenario, seed=seed, size={"tables": 3, "tools": 6})
    blueprint = asyncio.run(ProceduralArchitect().design(brief))
    return asyncio.run(ProceduralCoder().write(brief, blueprint))


def test_sound_procedural_worlds_raise_no_alarm() -> None:
    """Defects of many kinds, planted in some worlds, tried in all the others."""
    scenarios = shipped_scenarios()[3::40]
    worlds = [_world(scenario, number) for number, scenario in enumerate(scenarios[:7])]
    told = list[PastDefect]()
    for number, world in enumerate(worlds[:3]):
        for kind in ("guard_dropped", "stale_total", "duplicate_rows", "sign_flipped"):
            for planted in islice(plants(world, kind), number, number + 1):
                found = run_gates(planted.environment, seed=1, effort=Effort(calls_per_tool=8, least=80)).blocking
                told += [past(planted.environment, finding) for finding in found if finding.probe is not None]
    assert any(defect.probe is not None and defect.probe.calls for defect in told)
    for world in worlds:
        assert recalled(world, told, seed=1, tries=12) == []


def test_a_fix_says_what_stood_there_before_and_after(built: Build, taken_twice: PastDefect) -> None:
    said = fix_text(built(ROOMS, guarded=False), built(ROOMS), taken_twice.where)
    assert said.startswith("tools.book_room.steps.1.require: `SELECT :place_id > 0` became `SELECT NOT EXISTS")
    assert fix_text(built(ROOMS), built(ROOMS), taken_twice.where) == ""
