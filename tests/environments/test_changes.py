"""What an episode says changed, against a full comparison of every table before and after."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import ChangeSet, Environment, Episode, Limits
from envolve.environments.connections import connected
from envolve.environments.models import RowChange

from .conftest import MakeEnvironment

SCHEMA = """
CREATE TABLE boxes (id INTEGER NOT NULL PRIMARY KEY, label TEXT UNIQUE, weight REAL, data BLOB, any ANY) STRICT;
CREATE TABLE places (x INTEGER NOT NULL, y TEXT NOT NULL, box_id INTEGER REFERENCES boxes (id) ON DELETE CASCADE,
  note TEXT, PRIMARY KEY (y, x)) STRICT, WITHOUT ROWID;
CREATE TABLE counts (label TEXT NOT NULL PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE sums (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, twice INTEGER GENERATED ALWAYS AS (a * 2) VIRTUAL,
  half REAL GENERATED ALWAYS AS (a / 2.0) STORED, b TEXT) STRICT;
CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT) STRICT;
CREATE TRIGGER counted AFTER INSERT ON boxes BEGIN
  INSERT INTO counts VALUES (coalesce(new.label, '-'), 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER uncounted AFTER DELETE ON boxes BEGIN
  UPDATE counts SET n = n - 1 WHERE label = coalesce(old.label, '-');
END;
"""
SEED = """
INSERT INTO boxes VALUES (3, 'a', 1.5, x'00ff', 1), (4, 'b', 2, NULL, 'one'), (7, NULL, NULL, x'', 1.0);
INSERT INTO places VALUES (1, 'n', 3, NULL), (2, 'n', 4, 'x'), (1, 's', 3, 'y');
INSERT INTO counts VALUES ('a', 1), ('b', 1), ('-', 1);
INSERT INTO sums (id, a, b) VALUES (1, 5, 'p'), (2, 6, 'q');
INSERT INTO numbered VALUES (5, 'v');
"""
STATEMENTS = {
    "add_box": "INSERT INTO boxes VALUES (:i, :t, :r, CAST(:t AS BLOB), :i) ON CONFLICT DO NOTHING",
    "grow_box": "INSERT INTO boxes (id, label) VALUES (:i, :t) ON CONFLICT (id) DO UPDATE SET weight = weight + 1",
    "drop_box": "DELETE FROM boxes WHERE id = :i",
    "weigh": "UPDATE boxes SET weight = :r WHERE id >= :i",
    "type": "UPDATE boxes SET any = iif(:i % 2, :i, :r)",
    "renumber": "UPDATE boxes SET id = id + 10 WHERE id = :i AND NOT EXISTS (SELECT 1 FROM places WHERE box_id = :i)",
    "renumber_back": "UPDATE boxes SET id = id - 10 WHERE id = :i + 10",
    "place": "INSERT OR IGNORE INTO places VALUES (:i, :t, NULL, :t)",
    "shift": "UPDATE places SET x = x + 100 WHERE x = :i",
    "shift_back": "UPDATE places SET x = x - 100 WHERE x = :i + 100",
    "clear": "DELETE FROM places",
    "note": "UPDATE places SET note = nullif(:t, 'n') WHERE y = 'n'",
    "sum": "INSERT INTO sums (a, b) VALUES (:i, :t)",
    "sum_up": "UPDATE sums SET a = a + :i",
    "unsum": "DELETE FROM sums WHERE a = :i",
    "number": "INSERT INTO numbered (v) VALUES (:t)",
    "unnumber": "DELETE FROM numbered WHERE id > :i",
    "all": "DELETE FROM counts WHERE n < 1",
    "count": "UPDATE counts SET n = :i",
    "fail": "UPDATE boxes SET label = 'same'",
}
PARAMS = "{i: {type: integer}, t: {type: string}, r: {type: number}}"


@pytest.fixture(scope="module")
def boxes(make_environment: MakeEnvironment) -> Environment:
    tools = "".join(
        f'- name: {name}\n  description: x\n  kind: write\n  params: {PARAMS}\n  steps: [{{do: "{sql}"}}]\n'
        for name, sql in STATEMENTS.items()
    )
    return make_environment(schema=SCHEMA, seed=SEED, tools=tools)


Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]


def rows(environment: Environment, image: bytes) -> Rows:
    """Table → key → stored columns, by reading everything."""
    found: Rows = {}
    with connected(image) as connection:
        for name, table in environment.tables().items():
            listed = connection.execute(f"SELECT {', '.join(table.stored)} FROM {name}")
            records = [dict(zip(table.stored, row, strict=True)) for row in listed]
            found[name] = {tuple(record[key] for key in table.primary_key): record for record in records}
    return found


def same(left: Any, right: Any) -> bool:
    """1 and 1.0 differ: SQLite stores them differently in an ANY column."""
    return type(left) is type(right) and left == right


def compared(environment: Environment, before: Rows, after: Rows) -> list[RowChange]:
    """The changes that a full comparison finds."""
    found = []
    for name, table in environment.tables().items():
        for key in sorted({*before[name], *after[name]}):
            old, new = before[name].get(key), after[name].get(key)
            named = dict(zip(table.primary_key, key, strict=True))
            if old is None:
                found.append(RowChange(table=name, op="insert", key=named, new=new or {}))
            elif new is None:
                found.append(RowChange(table=name, op="delete", key=named, old=old))
            else:
                columns = [column for column in old if not same(old[column], new[column])]
                if columns:
                    changed = RowChange(
                        table=name,
                        op="update",
                        key=named,
                        old={column: old[column] for column in columns},
                        new={column: new[column] for column in columns},
                    )
                    found.append(changed)
    return sorted(found, key=lambda change: (change.table, tuple(change.key.values()), change.op))


args = st.fixed_dictionaries(
    {
        "i": st.integers(-1, 8),
        "t": st.sampled_from(["a", "b", "n", "s", "", "é"]),
        "r": st.sampled_from([0.0, 1.0, 1.5, 2.0, -3.25]),
    }
)
todo = st.lists(st.tuples(st.sampled_from(sorted(STATEMENTS)), args), max_size=10)


def changed_rows(environment: Environment, episode: Episode) -> list[RowChange]:
    return compared(environment, rows(environment, environment.image), rows(environment, episode.final_image()))


def joined(episode: Episode) -> list[RowChange]:
    """The changes, a deleted row and a made one of the same number told as what a comparison of states sees."""
    found: list[RowChange] = []
    for change in episode.changes().rows:
        last = found[-1] if found else None
        if last is None or (last.table, last.key, last.op) != (change.table, change.key, "delete"):
            found.append(change)
            continue
        columns = [column for column in last.old if not same(last.old[column], change.new[column])]
        assert columns
        old, new = ({column: row[column] for column in columns} for row in (last.old, change.new))
        found[-1] = RowChange(table=change.table, op="update", key=change.key, old=old, new=new)
    return found


@given(calls=todo, fork_after=st.integers(0, 10))
@settings(derandomize=True, database=None, max_examples=120, deadline=None)
def test_changes_are_what_a_full_comparison_finds(
    calls: list[tuple[str, dict[str, Any]]], fork_after: int, boxes: Environment
) -> None:
    with boxes.open(limits=Limits(calls=1000)) as episode:
        for name, arguments in calls[:fork_after]:
            step(boxes, episode, name, arguments)
        with episode.fork() as fork:
            for name, arguments in calls[fork_after:]:
                step(boxes, fork, name, arguments)
            assert joined(fork) == changed_rows(boxes, fork)
        assert joined(episode) == changed_rows(boxes, episode), "the fork left it alone"


def step(environment: Environment, episode: Episode, name: str, arguments: dict[str, Any]) -> None:
    """Call, and compare what the trace says of this call alone."""
    before = rows(environment, episode.final_image())
    result = episode.call(name, **arguments)
    assert result.error is None or result.error.code == "conflict", result
    recorded = list(episode.trace.events[-1].changes)
    assert recorded == compared(environment, before, rows(environment, episode.final_image()))


def test_a_row_changed_back_did_not_change(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("weigh", i=3, r=9.0)
        assert episode.changes()
        with episode.fork() as fork:
            fork.call("weigh", i=7, r=1.0)
        episode.call("weigh", i=3, r=2.0)
        assert [change.key for change in episode.changes().rows] == [{"id": 3}, {"id": 7}]
        assert episode.changes().rows[0].old == {"weight": 1.5}


def test_made_and_removed_is_no_change(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("number", t="x")
        episode.call("unnumber", i=5)
        assert episode.changes() == ChangeSet()


def test_a_changed_key_is_a_deleted_and_an_inserted_row(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("renumber", i=7)
        ops = [(change.op, change.key) for change in episode.changes().rows if change.table == "boxes"]
        assert ops == [("delete", {"id": 7}), ("insert", {"id": 17})]
        episode.call("renumber_back", i=7)
        assert not episode.changes()


def test_changes_of_triggers_and_cascades_are_in_it(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("drop_box", i=3)
        tables = [(change.table, change.op) for change in episode.changes().rows]
        assert tables == [("boxes", "delete"), ("counts", "update"), ("places", "delete"), ("places", "delete")]


def test_changes_outlive_the_world(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("number", t="x")
    assert len(episode.changes().rows) == 1
    assert len(episode.trace.events[0].changes) == 1


def test_changes_travel_as_json(boxes: Environment) -> None:
    with boxes.open() as episode:
        episode.call("number", t="x")
        assert ChangeSet.model_validate_json(episode.changes().model_dump_json()) == episode.changes()
        episode.call("drop_box", i=3)
        assert "00ff" in episode.trace.model_dump_json(), "blobs as hexadecimal text"
