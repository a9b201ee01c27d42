"""Edited end states: their changes are the true difference, and the editor forgets each edit."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

import apsw
import pytest

from envolve.environments import Environment, StateReader
from envolve.environments.models import Task
from envolve.eval.audit import audit
from envolve.eval.audit.base import AuditContext
from envolve.eval.audit.edits import Edit, EndState, EndStateEditor, RowEdit
from envolve.eval.audit.mutations import Mutations
from envolve.eval.audit.siblings import Siblings, near_values

from .conftest import Make

TASKS = ["book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"]
Rows = dict[tuple[str, tuple[Any, ...]], dict[str, Any]]


def rows(environment: Environment, image: bytes) -> Rows:
    """Every row of a database, by table and key."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    found: Rows = {}
    for table in environment.tables().values():
        for values in connection.execute(f"SELECT {', '.join(table.stored)} FROM {table.name}"):
            row = dict(zip(table.stored, values, strict=True))
            found[table.name, tuple(row[name] for name in table.primary_key)] = row
    connection.close()
    return found


@pytest.fixture
def context(environment: Environment, request: pytest.FixtureRequest) -> Iterator[AuditContext]:
    with AuditContext(environment, environment.tasks[request.param], seed=0, alternatives=()) as made:
        yield made


@pytest.mark.parametrize("context", TASKS, indirect=True)
def test_changes_are_the_difference_of_the_images(environment: Environment, context: AuditContext) -> None:
    before, tables = rows(environment, context.before), environment.tables()
    rules, states = set(), 0
    with closing(EndStateEditor(environment, context.end, context.reader, {})) as editor:
        count = "SELECT (SELECT count(*) FROM bookings) + (SELECT count(*) FROM waitlist)"
        unedited = editor.query(count)
        for slot in Mutations(context, Siblings(editor, tables, Random(5))).slots():
            for edit in slot.edits:
                state = editor.apply(edit)
                assert editor.query(count) == unedited
                if isinstance(state, str):
                    rules.add(state)
                    continue
                states += 1
                after = rows(environment, state.image)
                assert len({(change.table, str(change.key)) for change in state.changes.rows}) == len(
                    state.changes.rows
                )
                changed = {
                    (c.table, tuple(c.key[n] for n in tables[c.table].primary_key)): c for c in state.changes.rows
                }
                assert set(changed) == {place for place in before | after if before.get(place) != after.get(place)}
                for place, change in changed.items():
                    old, new = before.get(place, {}), after.get(place, {})
                    assert change.old == {name: old[name] for name in old if new.get(name) != old[name] or not new}
                    assert change.new == {name: new[name] for name in new if old.get(name) != new[name] or not old}
    assert states > 20
    assert rules == {"constraint", "invariant"}


@pytest.mark.parametrize("context", TASKS[:1], indirect=True)
def test_an_edit_that_changes_nothing_is_the_same_state(environment: Environment, context: AuditContext) -> None:
    with closing(EndStateEditor(environment, context.end, context.reader, {})) as editor:
        state = editor.apply(Edit("none", (RowEdit("bookings", {"id": 1806}, {"party_size": 4}),)))
    assert isinstance(state, EndState)
    assert state.changes == context.gold.changes
    assert state.signature == context.gold.signature


def test_near_values_keep_their_form() -> None:
    assert near_values(3) == (4, 2, 10)
    assert near_values(True) == (False,)
    assert near_values("2026-02-28") == ("2026-03-01", "2026-03-02")
    assert near_values("2026-12-31 23:00:00")[:2] == ("2027-01-01 23:00:00", "2027-01-01 00:00:00")
    assert near_values("text") == ("text too", "not text", "textX")
    assert near_values(None) == ()


def test_blobs_and_infinite_numbers_are_edited_too(make_environment: Make) -> None:
    schema = "CREATE TABLE blobs (k BLOB NOT NULL PRIMARY KEY, v BLOB, r REAL) STRICT;\n"
    seed = "INSERT INTO blobs VALUES (x'01', x'aa', 1.5), (x'02', x'bb', 9e999), (x'ff', NULL, 2);\n"
    tools = (
        "- name: act\n  description: Act\n  kind: write\n  steps:\n"
        "    - do: UPDATE blobs SET v = x'cc' WHERE k = x'01'\n"
        "    - do: INSERT INTO blobs VALUES (x'07', x'dd', 9e999)\n"
        "    - do: DELETE FROM blobs WHERE k = x'ff'\n"
    )
    task = Task.model_validate(
        {
            "id": "t",
            "instruction": "Act.",
            "actor": {"roles": ["user"], "id": 5},
            "goal": {"text": "Acted.", "sql": "SELECT v = x'cc' FROM after.blobs WHERE k = x'01'"},
            "gold": [{"call": "act"}, {"submit": {}}],
            "verifier": {
                "require": [{"name": "acted", "sql": "SELECT v = x'cc' FROM after.blobs WHERE k = x'01'"}],
                "allow": [
                    {"table": "blobs", "key": {"r": 1.5}, "columns": ["v"]},
                    {"table": "blobs", "insert": {"max": 3}},
                    {"table": "blobs", "delete": {"max": 3}},
                ],
            },
        }
    )
    report = audit(make_environment(schema, seed, tools), task)
    assert report.grade == "weak"
    assert report.model_dump_json()


def test_a_row_with_the_number_of_a_deleted_one_stays_another(make_environment: Make) -> None:
    schema = "CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;\n"
    tools = (
        "- name: drop\n  description: Drop\n  kind: write\n  params: {id: {type: integer}}\n  required: [id]\n"
        "  steps: [{do: DELETE FROM items WHERE id = :id}]\n"
        "- name: add\n  description: Add\n  kind: write\n  params: {name: {type: string}}\n  required: [name]\n"
        "  steps: [{do: INSERT INTO items (name) VALUES (:name)}]\n"
    )
    environment = make_environment(schema, "INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');\n", tools)
    with environment.open() as episode:
        assert episode.call("drop", id=3).ok
        assert episode.call("add", name="d").ok
        end = EndState(episode.final_image(), episode.changes(), "")
        with StateReader(environment, environment.image) as reader:
            editor = EndStateEditor(environment, end, reader, {})
            renamed = editor.apply(Edit("x", (RowEdit("items", {"id": 3}, {"name": "e"}),)))
            gone = editor.apply(Edit("x", (RowEdit("items", {"id": 3}, None),)))
            editor.close()
    assert isinstance(renamed, EndState)
    assert [(row.op, row.old, row.new) for row in renamed.changes.rows] == [
        ("delete", {"id": 3, "name": "c"}, {}),
        ("insert", {}, {"id": 3, "name": "e"}),
    ]
    assert isinstance(gone, EndState)
    assert [row.op for row in gone.changes.rows] == ["delete"]
