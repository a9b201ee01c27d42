"""Guards that no call has met yet are aimed at, and guards whose messages are alike are told apart."""

from __future__ import annotations

import random

import pytest

from envolve.agents.tester import run_gates
from envolve.agents.tester.anatomy import Anatomy
from envolve.agents.tester.fuzzing.aiming import Aim
from envolve.agents.tester.fuzzing.material import Material
from envolve.agents.tester.fuzzing.scene import Scene
from envolve.agents.tester.stage import Stage
from envolve.environments.models import Actor

from .conftest import SMALL, World

_SCHEMA = """
CREATE TABLE notes (
  id INTEGER PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('open', 'locked', 'shut')), score INTEGER NOT NULL
) STRICT;
"""
_SEED = "INSERT INTO notes VALUES " + ", ".join(
    f"({number}, '{'locked' if number == 157 else 'open'}', 0)" for number in range(101, 161)
)
_TOOLS = """
- name: rate_note
  description: Give an open note up to 90 points.
  kind: write
  roles: [user]
  params: {note_id: {type: integer, ref: notes.id}, points: {type: integer, minimum: 1, maximum: 5000}}
  required: [note_id, points]
  steps:
    - let: {state: "SELECT state FROM notes WHERE id = :note_id"}
    - require: SELECT :state <> 'shut'
      error: {code: conflict, message: "It is {state}."}
    - require: SELECT :state <> 'locked'
      error: {code: conflict, message: It is locked.}
    - require: SELECT :points <= 90 OR :points > 4200
      error: {code: invalid_argument, message: So many points are not given.}
    - do: UPDATE notes SET score = :points WHERE id = :note_id
  contract: {notes: {update: [score]}}
"""
_ADA = Actor(roles=("user",), id=31)


@pytest.mark.parametrize(("guard", "code"), [(1, "conflict"), (2, "invalid_argument")])
def test_a_call_is_found_that_one_guard_refuses(guard: int, code: str, world: World) -> None:
    environment = world(_TOOLS, _SCHEMA, _SEED)
    anatomy, rng = Anatomy(environment), random.Random(0)
    with Stage(environment) as stage:
        aim = Aim(Material(anatomy, 0), Scene(anatomy, stage, [_ADA], rng), stage, rng)
        base = {"note_id": 101, "points": 3}
        tool = anatomy.tools["rate_note"]
        found = aim.at(tool, guard, base, [_ADA])
        assert aim.at(tool, 0, base, [_ADA]) is None  # no note is shut
        assert stage.changes().rows == ()
        assert found is not None
        error = stage.call("rate_note", found[1], found[0]).result.error
    assert error is not None
    assert error.code == code
    assert [name for name in base if found[1][name] != base[name]] == ["note_id" if guard == 1 else "points"]


def test_arguments_that_do_not_fit_reach_no_guard(world: World) -> None:
    with Stage(world(_TOOLS, _SCHEMA, _SEED)) as stage:
        assert stage.refusing("rate_note", {"note_id": 157, "points": 3}, _ADA) == 1
        assert stage.refusing("rate_note", {"note_id": 157, "points": 0}, _ADA) is None
        assert stage.refusing("rate_note", {"note_id": 999, "points": 3}, _ADA) is None
        assert stage.refusing("rate_note", {"note_id": 157, "points": 3}, Actor(roles=("staff",), id=42)) is None


def test_the_guard_that_says_more_of_the_message_has_refused(world: World) -> None:
    coverage = run_gates(world(_TOOLS, _SCHEMA, _SEED), effort=SMALL).coverage
    assert coverage.guards.missed == ("tools.rate_note.steps.1",)  # nothing shuts a note
