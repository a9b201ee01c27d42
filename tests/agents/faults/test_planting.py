"""Operators plant what they say, one fault at a time, and leave no mark."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from envolve.agents.faults import KINDS, OPERATORS, FaultPlanter, canonical, difference, plant, plants
from envolve.agents.tester import GATES, run_gates
from envolve.environments.package import Environment

SAMPLE = Path(__file__).parents[2] / "data" / "table-booking"
UNIQUE = ("cascade_missing", "error_swallowed", "unit_mismatch")
"""Kinds for which the sample package has no place."""


@pytest.fixture(scope="module")
def sound() -> Environment:
    return Environment.load(SAMPLE)


def test_kinds_are_named_once() -> None:
    assert len(set(KINDS)) == len(OPERATORS) >= 16


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in UNIQUE])
def test_every_plant_loads_and_changes_one_tool(kind: str, sound: Environment) -> None:
    found = list(islice(plants(sound, kind), 10))
    assert found
    for planted in found:
        changed = [name for name in sound.tools if planted.environment.tools[name] != sound.tools[name]]
        assert planted.kind == kind
        assert planted.environment.hash != sound.hash
        assert changed == [planted.where.split(".")[1]]
        assert planted.note


def test_nothing_in_the_environment_says_which_fault_it_has(sound: Environment) -> None:
    planted = plant(sound, random.Random(3))
    assert planted is not None
    text = planted.environment.spec.model_dump_json() + planted.environment.tools_file.model_dump_json()
    assert not any(kind in text for kind in KINDS)
    assert planted.environment.spec.model_copy(update={"id": sound.spec.id}) == sound.spec
    assert dict(planted.environment.tasks) == {}


def test_plants_are_drawn_by_the_given_random_numbers_alone(sound: Environment) -> None:
    first, again = (plant(sound, random.Random(11)) for _ in range(2))
    assert first is not None
    assert again is not None
    assert (first.environment.hash, first.where) == (again.environment.hash, again.where)
    drawn = {planted.kind for seed in range(20) if (planted := plant(sound, random.Random(seed))) is not None}
    assert len(drawn) > 6


def test_kinds_can_be_chosen(sound: Environment) -> None:
    planted = plant(sound, random.Random(1), {"sign_flipped"})
    assert planted is not None
    assert planted.kind == "sign_flipped"
    assert plant(sound, random.Random(1), {"unit_mismatch"}) is None


def test_planter_plants_at_its_rate(sound: Environment) -> None:
    def planted(rate: float) -> int:
        planter = FaultPlanter(rate, seed=5)
        return sum(planter(sound, seed).hash != sound.hash for seed in range(16))

    assert planted(0.0) == 0
    assert 2 <= planted(0.4) <= 12
    assert planted(1.0) == 16
    assert FaultPlanter(1.0, 5)(sound, 2).hash == FaultPlanter(1.0, 5)(sound, 2).hash


def test_differences_show_by_comparing_worlds(sound: Environment) -> None:
    flipped = plant(sound, random.Random(1), {"sign_flipped"})
    reworded = plant(sound, random.Random(1), {"description_contradicts"})
    assert flipped is not None
    assert reworded is not None
    calls = difference(sound, flipped.environment)
    assert calls
    assert calls[-1].call in sound.tools
    assert difference(sound, reworded.environment) == ()
    assert difference(sound, sound) == ()


def test_canonical_form_changes_no_meaning_and_hides_the_hand(sound: Environment) -> None:
    plain = canonical(sound)
    assert difference(sound, plain) == ()
    assert plain.tools_file.shared.steps == {}
    assert canonical(plain).hash == plain.hash
    assert run_gates(plain, gates=[gate for gate in GATES if gate.name == "contract"]).findings == ()


def test_canonical_contracts_speak_of_the_planted_tools(sound: Environment) -> None:
    planted = plant(sound, random.Random(2), {"effect_missing"})
    assert planted is not None
    contract = [gate for gate in GATES if gate.name == "contract"]
    assert run_gates(planted.environment, gates=contract).findings != ()
    assert run_gates(canonical(planted.environment), gates=contract).findings == ()
