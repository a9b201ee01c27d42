"""Who may do what to whose rows."""

from __future__ import annotations

import pytest

from envolve.agents.tester import GATES, Effort, run_gates, run_probe
from envolve.environments.package import Environment

from .conftest import World

_SCHEMA = """
CREATE TABLE notes (
  id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), text TEXT NOT NULL
) STRICT;
"""
_SEED = "INSERT INTO notes VALUES (811, 31, 'milk'), (817, 35, 'keys'), (823, 31, 'call');"
_SCOPED = '{type: integer, ref: notes.id, scope: {where: "person_id = :actor_id", roles: [user]}}'
_TOOLS = """
- name: read_note
  description: Read a note.
  kind: read
  params: {note_id: SCOPED}
  required: [note_id]
  returns: {one: "SELECT id, text FROM notes WHERE id = :note_id"}
- name: edit_note
  description: Change a note.
  kind: write
  params: {note_id: SCOPED, text: {type: string, minLength: 1}}
  required: [note_id, text]
  steps: [{do: "UPDATE notes SET text = :text WHERE id = :note_id", rows: 1}]
  contract: {notes: {update: [text]}}
""".replace("SCOPED", _SCOPED)
_DELETE = """
- name: delete_note
  description: Delete a note.
  kind: write
  params: {note_id: {type: integer, ref: notes.id}}
  required: [note_id]
  steps:
    GUARD
    - do: DELETE FROM notes WHERE id = :note_id
      rows: 1
  contract: {notes: {delete: true}}
"""


def _access(environment: Environment) -> list[tuple[str, str]]:
    gates = [gate for gate in GATES if gate.name == "access"]
    found = run_gates(environment, gates=gates, seed=2).findings
    assert all(run_probe(environment, finding).reproduced for finding in found)
    return [(finding.kind, finding.where) for finding in found]


def test_sound_scopes_pass(table_booking: Environment, world: World) -> None:
    assert _access(table_booking) == []
    assert _access(world(_TOOLS, _SCHEMA, _SEED)) == []


def test_tool_that_does_not_ask_is_shown_with_a_call(world: World) -> None:
    environment = world(_TOOLS + _DELETE.replace("GUARD", ""), _SCHEMA, _SEED)
    assert _access(environment) == [("missing_actor_scope", "tools.delete_note.params.note_id")]


@pytest.mark.parametrize(
    "guard",
    [
        "- require: SELECT person_id = :actor_id FROM notes WHERE id = :note_id\n      roles: [user]\n"
        "      error: {code: forbidden, message: Not yours.}",
        "- require: SELECT EXISTS (SELECT 1 FROM notes WHERE id = :note_id AND person_id = :actor_id)\n"
        "      error: {code: not_found, message: You have no such note.}",
    ],
)
def test_guards_in_steps_count_as_asking(guard: str, world: World) -> None:
    assert _access(world(_TOOLS + _DELETE.replace("GUARD", guard), _SCHEMA, _SEED)) == []


def test_tools_for_other_roles_alone_are_not_asked(world: World) -> None:
    staff_only = _DELETE.replace("GUARD", "").replace("kind: write", "kind: write\n  roles: [staff]")
    assert _access(world(_TOOLS + staff_only, _SCHEMA, _SEED)) == []


def test_transfers_may_name_another_row(world: World) -> None:
    copy = """
- name: copy_text
  description: Copy the text of one's note into another's.
  kind: write
  params: {from_id: SCOPED, to_id: {type: integer, ref: notes.id}}
  required: [from_id, to_id]
  steps: [{do: "UPDATE notes SET text = (SELECT text FROM notes WHERE id = :from_id) WHERE id = :to_id", rows: 1}]
  contract: {notes: {update: [text]}}
""".replace("SCOPED", _SCOPED)
    assert _access(world(_TOOLS + copy, _SCHEMA, _SEED)) == []


def test_scope_that_lets_others_through(world: World) -> None:
    leaky = _TOOLS.replace('where: "person_id = :actor_id"', 'where: "person_id <= :actor_id"')
    assert _access(world(leaky, _SCHEMA, _SEED)) == []  # a condition is taken at its word: only siblings could tell


_LIST = """
- name: list_notes
  description: Notes; staff see all.
  kind: read
  params: {text: {type: string, minLength: 1}}
  returns:
    many: SELECT id, text FROM notes WHERE (:text IS NULL OR text = :text) AND (ASKS OR EXISTS
      (SELECT 1 FROM json_each(:actor_roles) WHERE value <> 'user'))
    order: id
"""


@pytest.mark.parametrize(("asks", "leaks"), [("person_id = :actor_id", False), ("person_id > 0", True)])
def test_whole_lists_show_only_what_reads_let_through(asks: str, leaks: bool, world: World) -> None:
    found = _access(world(_TOOLS + _LIST.replace("ASKS", asks), _SCHEMA, _SEED))
    assert found == [("result_leaks", "tools.list_notes.returns")] * leaks


def test_leaks_are_found_where_the_fuzzer_does_not_look(world: World) -> None:
    environment = world(_TOOLS + _LIST.replace("ASKS", "person_id > 0"), _SCHEMA, _SEED)
    gates = [gate for gate in GATES if gate.name == "access"]
    found = run_gates(environment, gates=gates, effort=Effort(calls_per_tool=0, least=0)).findings
    assert [(finding.kind, finding.confirmed) for finding in found] == [("result_leaks", True)]
