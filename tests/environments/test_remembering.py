"""Episodes that remember together do what each would do by itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment, Episode, Limits
from envolve.environments.connections import connected
from envolve.environments.models import CallResult
from envolve.environments.remembering import Memory
from envolve.environments.returning import ReturningWorld
from envolve.environments.world import World

from .conftest import MakeEnvironment
from .test_call_properties import ACTORS, SAMPLE_ENVIRONMENT, UNLIMITED, calls

Call = tuple[str, dict[str, Any]]

TOOLS = """
- name: look
  description: Look
  kind: read
  returns: {many: "SELECT id, name, code FROM items ORDER BY id"}
- name: add
  description: Add
  kind: write
  params: {name: {type: string}}
  required: [name]
  steps: [{do: "INSERT INTO items (name, code) VALUES (:name, code('I'))"}]
- name: drop
  description: Drop
  kind: write
  params: {name: {type: string}}
  required: [name]
  steps: [{do: "DELETE FROM items WHERE name = :name", rows: 1}]
- name: touch
  description: Change nothing
  kind: write
  steps: [{do: "UPDATE items SET name = name"}]
- name: burn
  description: Write until the steps are used up
  kind: write
  steps:
    - do: "INSERT INTO items (name, code) SELECT 'x' || i, code('B') FROM
        (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)"
- name: part
  description: Point at an item
  kind: write
  params: {item: {type: integer}}
  required: [item]
  steps: [{do: "INSERT INTO parts (item_id) VALUES (:item)"}]
"""
SCHEMA = """
CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, code TEXT NOT NULL) STRICT;
CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
"""
SEED = "INSERT INTO items VALUES (1, 'a', 'I-A'), (2, 'b', 'I-B'), (3, 'c', 'I-C');"
FEW_STEPS = Limits(steps_per_call=20_000)
REMEMBERING = SAMPLE_ENVIRONMENT.remembering(Memory())


@pytest.fixture(scope="module")
def items(make_environment: MakeEnvironment) -> Environment:
    return make_environment(SCHEMA, SEED, TOOLS)


@pytest.fixture
def remembering(items: Environment) -> Iterator[Environment]:
    memory = Memory()
    yield items.remembering(memory)
    memory.close()


def rows(episode: Episode) -> dict[str, list[tuple[Any, ...]]]:
    """What the world holds, in the order in which it lies there."""
    with connected(episode.final_image()) as connection:
        names = [name for name, table in episode.environment.tables().items() if not table.view]
        return {name: list(connection.execute(f'SELECT rowid, * FROM "{name}"')) for name in names}


def told(episode: Episode, todo: Sequence[Call]) -> tuple[Any, ...]:
    """Everything that shows of an episode in which calls are made."""
    results = [episode.call(name, **args) for name, args in todo]
    changed = [event.changes for event in episode.trace.events]
    return results, changed, episode.changes(), rows(episode), episode.calls


@given(
    actor=st.sampled_from(ACTORS[1:3]),
    seed=st.integers(0, 1),
    todo=st.lists(calls(), min_size=1, max_size=8),
    later=st.lists(calls(), max_size=4),
    at=st.integers(0, 8),
)
@settings(derandomize=True, database=None, max_examples=150, deadline=None)
def test_any_calls(actor: Any, seed: int, todo: list[Call], later: list[Call], at: int) -> None:
    def run(environment: Environment) -> list[tuple[Any, ...]]:
        with environment.open(actor=actor, limits=UNLIMITED, seed=seed) as episode:
            first = told(episode, todo[:at])
            with episode.fork() as fork:
                return [first, told(fork, later), told(episode, todo[at:]), told(fork, later)]

    assert run(REMEMBERING) == run(SAMPLE_ENVIRONMENT)


ADD: Call = ("add", {"name": "d"})
ALSO: Call = ("add", {"name": "e"})
DROP: Call = ("drop", {"name": "c"})
MISS: Call = ("drop", {"name": "nobody"})
TWICE: Call = ("add", {"name": "a"})
LOOK: Call = ("look", {})
TOUCH: Call = ("touch", {})
BURN: Call = ("burn", {})
PART: Call = ("part", {"item": 2})
ASTRAY: Call = ("part", {"item": 77})


@pytest.mark.parametrize("todo", [*itertools.permutations((ADD, DROP, BURN, ASTRAY))])
def test_going_back_goes_all_the_way(items: Environment, remembering: Environment, todo: Sequence[Call]) -> None:
    """Whatever ends a call: a number is given again, SQLite gives up the transaction, a reference leads nowhere."""
    for sequence in (todo, [LOOK, *todo[:2], LOOK, TOUCH, MISS], [*todo[:3], TWICE, PART, LOOK], [*todo, LOOK]):
        with items.open(limits=FEW_STEPS) as episode, remembering.open(limits=FEW_STEPS) as remembered:
            assert told(remembered, sequence) == told(episode, sequence)


def test_a_call_in_a_state_is_worked_once(
    items: Environment, remembering: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    work = World.call

    def noted(world: World, plan: Any, args: Any) -> tuple[CallResult, bytes]:
        worked.append(plan.tool.name)
        return work(world, plan, args)

    monkeypatch.setattr(ReturningWorld, "call", noted)
    for _ in range(3):
        with remembering.open() as episode:
            told(episode, [LOOK, ADD, LOOK, LOOK, TWICE])
    assert worked == ["look", "add", "look", "add"]
    with remembering.open() as episode:
        told(episode, [ALSO])
    assert worked == ["look", "add", "look", "add", "add"]
    with remembering.open(seed=1) as episode:
        told(episode, [LOOK])
    assert worked[-1] == "look", "in a world of other codes nothing is known"


def test_the_type_of_an_argument_counts(items: Environment, remembering: Environment) -> None:
    for item in (2, 2.0, True, "2", [2], (2,), None):
        with items.open() as episode, remembering.open() as remembered:
            assert told(remembered, [("part", {"item": item})]) == told(episode, [("part", {"item": item})])


def test_what_changed_stays_known(items: Environment) -> None:
    memory = Memory()
    with items.remembering(memory).open() as episode:
        assert episode.call("drop", name="c").ok
        assert episode.call("add", name="d").ok
    memory.close()
    assert [(row.op, row.key) for row in episode.changes().rows] == [("delete", {"id": 3}), ("insert", {"id": 3})]


def test_the_live_world_ends_with_the_memory(items: Environment) -> None:
    memory = Memory()
    episode = items.remembering(memory).open()
    assert episode.call("look").ok
    memory.close()
    with pytest.raises(apsw.ConnectionClosedError):
        episode.final_image()
