"""A number that SQLite gives again names another row: states do not depend on which of two calls came first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from envolve.environments import ChangeSet, Environment, Episode
from envolve.environments.models import Task
from envolve.environments.states import state_signature

from .conftest import MakeEnvironment

SCHEMA = """
CREATE TABLE entries (id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
  place TEXT NOT NULL, made_at TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entries (id)
  ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
CREATE TABLE marks (user_id INTEGER NOT NULL PRIMARY KEY REFERENCES users (id), text TEXT NOT NULL) STRICT;
"""
SEED = """
INSERT INTO entries VALUES (40, 5, 'Harbour', 'then', 1), (41, 9, 'Mill', 'then', 2), (42, 5, 'Old Town', 'then', 3);
INSERT INTO notes VALUES (7, 41, 'quiet'), (8, 42, 'window');
INSERT INTO marks VALUES (5, 'a'), (9, 'b');
"""
TOOLS = """
- name: leave
  description: Leave
  kind: write
  params: {entry_id: {type: integer}}
  required: [entry_id]
  steps: [{do: DELETE FROM entries WHERE id = :entry_id}]
- name: join
  description: Join
  kind: write
  params: {place: {type: string}, note: {type: string}}
  required: [place]
  steps:
    - do: "INSERT INTO entries (user_id, place, made_at, position) VALUES (:actor_id, :place, :now, 9) RETURNING id"
      as: entry_id
    - do: "INSERT INTO notes (entry_id, text) SELECT :entry_id, :note WHERE :note IS NOT NULL"
- name: change
  description: Leave and join at once
  kind: write
  params: {entry_id: {type: integer}, place: {type: string}}
  required: [entry_id, place]
  steps:
    - do: DELETE FROM entries WHERE id = :entry_id
    - do: "INSERT INTO entries (user_id, place, made_at, position) VALUES (:actor_id, :place, :now, 9)"
- name: rename
  description: Rename
  kind: write
  params: {entry_id: {type: integer}, place: {type: string}}
  required: [entry_id, place]
  steps: [{do: "UPDATE entries SET place = :place WHERE id = :entry_id"}]
- name: fail
  description: Fail after all
  kind: write
  params: {entry_id: {type: integer}}
  required: [entry_id]
  steps:
    - do: DELETE FROM entries WHERE id = :entry_id
    - do: "INSERT INTO entries (user_id, place, made_at) VALUES (:actor_id, 'x', :now)"
    - do: "INSERT INTO marks VALUES (:actor_id, 'twice')"
- name: mark
  description: Mark anew
  kind: write
  params: {text: {type: string}}
  required: [text]
  steps:
    - do: DELETE FROM marks WHERE user_id = :actor_id
    - do: "INSERT INTO marks VALUES (:actor_id, :text)"
"""
Call = tuple[str, dict[str, object]]


@pytest.fixture(scope="module")
def lists(make_environment: MakeEnvironment) -> Environment:
    columns = {"clock": ["entries.made_at"], "order": {"entries.position": "user_id"}}
    return make_environment(SCHEMA, SEED, TOOLS, columns=columns)


def act(episode: Episode, calls: Sequence[Call]) -> Episode:
    for name, args in calls:
        assert episode.call(name, **args).ok, name
    return episode


def end(environment: Environment, *calls: Call) -> tuple[ChangeSet, str]:
    with act(environment.open(), calls) as episode:
        changes = episode.changes()
        return changes, state_signature(environment, changes, episode.final_image())


LEAVE: Call = ("leave", {"entry_id": 42})
JOIN: Call = ("join", {"place": "Quay", "note": "sunny"})
ALSO: Call = ("join", {"place": "Park"})


def test_the_order_of_leaving_and_joining_does_not_count(lists: Environment) -> None:
    ends = {end(lists, *calls)[1] for calls in itertools.permutations((LEAVE, JOIN, ALSO))}
    assert len(ends) == 1


def test_what_changed_is_one_row_gone_and_another_made(lists: Environment) -> None:
    changes, _ = end(lists, LEAVE, JOIN)
    assert [(row.table, row.op, *row.key.values()) for row in changes.rows] == [
        ("entries", "delete", 42),
        ("entries", "insert", 42),
        ("notes", "delete", 8),
        ("notes", "insert", 8),
    ]
    deleted, inserted = changes.rows[:2]
    assert (deleted.old["place"], deleted.old["made_at"]) == ("Old Town", "then")
    assert (inserted.new["place"], inserted.new["made_at"]) == ("Quay", "2026-03-02 09:00:01")


def test_in_one_call_as_in_two(lists: Environment) -> None:
    at_once, apart = (
        end(lists, ("change", {"entry_id": 42, "place": "Quay"})),
        end(lists, LEAVE, ("join", {"place": "Quay"})),
    )
    assert at_once[1] == apart[1]
    both = [("change", {"entry_id": 41, "place": "Quay"}), ("change", {"entry_id": 42, "place": "Park"})]
    assert end(lists, *both)[1] == end(lists, *reversed(both))[1]


def test_changes_before_and_after_are_told(lists: Environment) -> None:
    renamed: list[Call] = [("rename", {"entry_id": 42, "place": "Elsewhere"}), LEAVE, ALSO]
    changes, signature = end(lists, *renamed, ("rename", {"entry_id": 42, "place": "Quay"}))
    deleted, inserted = changes.rows[:2]
    assert (deleted.old["place"], inserted.new["place"]) == ("Old Town", "Quay")
    assert signature == end(lists, ("join", {"place": "Quay"}), LEAVE)[1]


def test_a_row_that_is_made_again_as_it_was_did_not_change(lists: Environment) -> None:
    undone = end(lists, LEAVE, ("join", {"place": "Old Town", "note": "window"}))
    assert undone[1] == end(lists)[1]
    assert undone[1] != end(lists, LEAVE)[1]


def test_rows_that_no_number_names_are_changed_in_place(lists: Environment) -> None:
    changes, _ = end(lists, ("mark", {"text": "z"}))
    assert [(row.op, row.new) for row in changes.rows] == [("update", {"text": "z"})]


def test_an_update_is_an_update_and_what_was_undone_is_nothing(lists: Environment) -> None:
    with lists.open() as episode:
        assert not episode.call("fail", entry_id=42).ok
        assert episode.call("rename", entry_id=42, place="Quay").ok
        assert [row.op for row in episode.changes().rows] == ["update"]


def test_forks_and_closed_episodes_know_it_too(lists: Environment) -> None:
    with act(lists.open(), [LEAVE, JOIN]) as episode:
        copy = episode.fork()
        told = episode.changes()
    assert episode.changes() == copy.changes() == told
    with copy:
        act(copy, [LEAVE])
        assert [(row.table, row.op) for row in copy.changes().rows] == [("entries", "delete"), ("notes", "delete")]
    assert episode.changes() == told


def test_verdicts_do_not_depend_on_it(lists: Environment) -> None:
    task = Task.model_validate(
        {
            "id": "switch",
            "instruction": "Leave Old Town and join at the Quay.",
            "actor": {"roles": ["user"], "id": 5},
            "goal": {"text": "Switched."},
            "verifier": {
                "bind": {"entry": "SELECT id FROM inserted.entries WHERE user_id = 5"},
                "require": [
                    {"name": "at the Quay", "sql": "SELECT place = 'Quay' FROM after.entries WHERE id = :entry"},
                    {"name": "left", "sql": "SELECT count(*) = 0 FROM after.entries WHERE place = 'Old Town'"},
                ],
                "allow": [
                    {"table": "entries", "insert": {"max": 1, "where": "user_id = 5"}},
                    {"table": "entries", "delete": {"max": 1, "where": "id = 42"}},
                    {"table": "notes", "delete": {"max": 1, "where": "entry_id = 42"}},
                    {"table": "notes", "insert": {"max": 1, "where": "entry_id = :entry"}},
                ],
            },
        }
    )
    for calls in itertools.permutations((LEAVE, JOIN)):
        with act(lists.open(task), calls) as episode:
            assert episode.verify().outcome == "completed", calls
    with act(lists.open(task), [LEAVE, JOIN, ("rename", {"entry_id": 41, "place": "Quay"})]) as episode:
        assert episode.verify().outcome == "damaged"
