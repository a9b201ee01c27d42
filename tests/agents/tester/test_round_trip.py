"""Reads that disagree with each other, and rows shown to whom they are refused."""

from __future__ import annotations

import pytest

from envolve.agents.tester import GATES, run_gates, run_probe
from envolve.environments.package import Environment

from .conftest import SMALL, World

_SCHEMA = """
CREATE TABLE notes (
  id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), text TEXT NOT NULL,
  weight INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('list', 'idea')),
  done INTEGER NOT NULL, closed INTEGER NOT NULL
) STRICT;
"""
_SEED = """INSERT INTO notes VALUES
  (811, 31, 'milk', 3, 'list', 1, 0), (817, 35, 'keys', 5, 'idea', 0, 0), (823, 31, 'call', 5, 'list', 1, 1),
  (829, 35, 'tram', 8, 'idea', 0, 1), (831, 31, 'moon', 2, 'idea', 0, 0);"""
_READS = """
- name: list_notes
  description: List notes.
  kind: read
  params:
    kind: {type: string, enum: [list, idea]}
    done: {type: boolean}
    min_weight: {type: integer}
    person_id: {type: integer, ref: people.id}
  returns:
    many: |
      SELECT id, person_id, text, weight, kind, done FROM notes
      WHERE (:kind IS NULL OR kind = :kind) AND (:done IS NULL OR done = :done)
        AND (:min_weight IS NULL OR weight >= :min_weight) AND (:person_id IS NULL OR person_id = :person_id)
    types: {done: boolean}
    order: id
    page: {default: 2, max: 50}
- name: get_note
  description: Get a note.
  kind: read
  params: {note_id: {type: integer, ref: notes.id}}
  required: [note_id]
  returns: {one: "SELECT id, text, weight FROM notes WHERE id = :note_id"}
"""


def _round_trip(environment: Environment) -> list[tuple[str, str]]:
    gates = [gate for gate in GATES if gate.name == "round_trip"]
    found = run_gates(environment, gates=gates, seed=2).findings
    assert all(run_probe(environment, finding).reproduced for finding in found)
    return [(finding.kind, finding.where) for finding in found]


def test_reads_that_agree(world: World, table_booking: Environment) -> None:
    assert _round_trip(world(_READS, _SCHEMA, _SEED)) == []
    assert _round_trip(table_booking) == []


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        ("kind = :kind", "kind <> :kind", ("filter_disagrees", "tools.list_notes.params.kind")),
        ("done = :done", "closed = :done", ("filter_disagrees", "tools.list_notes.params.done")),
        ("weight >= :min_weight", "weight > :min_weight", ("filter_disagrees", "tools.list_notes.params.min_weight")),
        ("person_id = :person_id", "id = :person_id", ("filter_disagrees", "tools.list_notes.params.person_id")),
        (
            "SELECT id, text, weight FROM",
            "SELECT id, text, done AS weight FROM",
            ("reads_disagree", "tools.list_notes.returns"),
        ),
    ],
)
def test_reads_that_disagree(right: str, wrong: str, found: tuple[str, str], world: World) -> None:
    sound, faulty = world(_READS, _SCHEMA, _SEED), world(_READS.replace(right, wrong), _SCHEMA, _SEED)
    assert _round_trip(faulty) == [found]
    gates = [gate for gate in GATES if gate.name == "round_trip"]
    (finding,) = run_gates(faulty, gates=gates, seed=2).findings
    assert not run_probe(sound, finding).reproduced


_WRITES = """
- name: set_weight
  description: Say how heavy a note is.
  kind: write
  params: {note_id: {type: integer, ref: notes.id}, weight: {type: integer, minimum: 1, maximum: 99}}
  required: [note_id, weight]
  steps: [{do: "UPDATE notes SET weight = :weight WHERE id = :note_id", rows: 1}]
  returns: {one: "SELECT id, text, weight FROM notes WHERE id = :note_id"}
  contract: {notes: {update: [weight]}}
"""


def test_what_a_write_reports_can_be_read_back(world: World) -> None:
    sound = world(_READS + _WRITES, _SCHEMA, _SEED)
    assert _round_trip(sound) == []
    wrong = _WRITES.replace('one: "SELECT id, text, weight', 'one: "SELECT id, text, weight + 1 AS weight')
    assert _round_trip(world(_READS + wrong, _SCHEMA, _SEED)) == [("write_misreported", "tools.set_weight.returns")]
    hidden = _READS.replace("WHERE id = :note_id", "WHERE id = :note_id AND weight < 0")
    assert _round_trip(world(hidden + _WRITES, _SCHEMA, _SEED)) == [("write_not_found", "tools.set_weight.returns")]


def test_a_write_that_answers_what_nobody_can_read_is_left_alone(world: World) -> None:
    """There is no tool that reads one row, or its caller may not call it."""
    wrong = _WRITES.replace('one: "SELECT id, text, weight', 'one: "SELECT id, text, weight + 1 AS weight')
    assert _round_trip(world(wrong, _SCHEMA, _SEED)) == []


_PRIVATE = """
- name: get_note
  description: Get a note.
  kind: read
  params: {note_id: {type: integer, ref: notes.id, scope: {where: "person_id = :actor_id", roles: [user]}}}
  required: [note_id]
  returns: {one: "SELECT id, text FROM notes WHERE id = :note_id"}
- name: find_notes
  description: Find notes by a word.
  kind: read
  params: {word: {type: string}}
  returns:
    many: |
      SELECT id, text FROM notes WHERE (:word IS NULL OR has_word(text, :word)) AND (
        person_id = :actor_id OR EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = 'staff'))
    order: id
"""


def test_lists_show_what_single_reads_refuse(world: World) -> None:
    sound = world(_PRIVATE, _SCHEMA, _SEED)
    assert run_gates(sound, seed=1, effort=SMALL).blocking == ()
    leaky = world(_PRIVATE.replace("person_id = :actor_id OR", "person_id >= :actor_id OR"), _SCHEMA, _SEED)
    (finding,) = run_gates(leaky, seed=1, effort=SMALL).blocking
    assert (finding.kind, finding.where, finding.source) == (
        "result_leaks",
        "tools.find_notes.returns",
        "gate:access",
    )
    assert run_probe(leaky, finding).reproduced
    assert not run_probe(sound, finding).reproduced


_SORTED = """
- name: list_notes
  description: List notes.
  kind: read
  returns:
    many: SELECT id, text, weight, CAST(weight * 4 AS TEXT) AS share FROM notes
    order: {options: {lightest: LIGHTEST, first: id}, default: first}
    page: {default: 2, max: 50}
"""


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        ('"weight, id"', None),
        ('"weight DESC, text"', None),
        ('"weight"', "order_not_total"),
        ('"share, id"', "order_unlike_values"),
    ],
)
def test_rows_stand_in_the_order_that_their_values_show(order: str, kind: str | None, world: World) -> None:
    found = _round_trip(world(_SORTED.replace("LIGHTEST", order), _SCHEMA, _SEED))
    assert found == ([(kind, "tools.list_notes.returns.order.options.lightest")] if kind is not None else [])
