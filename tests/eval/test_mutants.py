"""Mutants explain themselves: dropped ones name their rule, surviving ones come with the shortest way to see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import apsw
import pytest

from envolve.environments import Environment
from envolve.environments.models import Submission, Task
from envolve.environments.models.audits import AuditReport, GateName
from envolve.eval.audit import audit
from envolve.eval.audit.base import AuditContext
from envolve.eval.audit.dropping import RULES
from envolve.eval.audit.end_states import end_states

from .conftest import Make

GATES: tuple[GateName, ...] = ("gold", "prefix", "end_state_mutants", "trajectory_mutants")
TASKS = ["book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"]


def audited(environment: Environment, task: Task, *, list_dropped: bool = False) -> AuditReport:
    """An audit by the gates that mutate."""
    return audit(environment, task, gates=GATES, list_dropped=list_dropped)


@pytest.mark.parametrize("name", TASKS)
def test_each_dropped_mutant_names_one_rule(environment: Environment, name: str) -> None:
    task = environment.tasks[name]
    report = audited(environment, task, list_dropped=True)
    assert report.dropped_mutants
    assert all(one.kind and one.place and one.rule in RULES for one in report.dropped_mutants)
    assert Counter(one.rule for one in report.dropped_mutants) == report.mutants.dropped
    kinds = {(one.kind, one.rule) for one in report.dropped_mutants}
    assert ("extra row changed", "breaks an invariant") in kinds
    assert ("extra row changed", "no tool writes it") in kinds
    assert audited(environment, task) == report.model_copy(update={"dropped_mutants": ()})


def test_what_no_tool_writes_is_named_column_by_column(environment: Environment) -> None:
    report = audited(environment, environment.tasks[TASKS[0]], list_dropped=True)
    unwritten = {one.place for one in report.dropped_mutants if one.rule == "no tool writes it"}
    assert {"restaurants.name", "dining_tables.seats", "dining_tables"} <= unwritten
    assert "bookings.party_size" not in unwritten


def test_what_a_bound_left_untried_is_counted(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    task = environment.tasks[TASKS[0]]
    whole = audited(environment, task).mutants
    monkeypatch.setattr("envolve.eval.audit.end_states.MOST_MUTANTS", 3)
    bounded = audited(environment, task).mutants
    assert bounded.total < whole.total
    assert bounded.untried >= whole.total - bounded.total


def test_a_surviving_mistake_comes_with_the_fewest_calls(
    environment: Environment, spoiled: Callable[[str, Callable[[dict[str, Any]], None]], Task]
) -> None:
    """The verifier forgets the party's size: a call that gives another one survives, without gold's look-ups."""

    def forget(raw: dict[str, Any]) -> None:
        raw["verifier"]["require"] = [one for one in raw["verifier"]["require"] if one["name"] != "party of six"]

    task = spoiled("move-the-anniversary-dinner", forget)
    (found, *_) = audited(environment, task).gate("trajectory_mutants").evidence
    (call,) = found["shortest"]["calls"]
    assert call["call"] == "move_booking"
    with environment.open(task) as episode:
        assert episode.call(call["call"], **call["args"]).ok
        episode.submit(**found["shortest"]["submit"])
        changed = {
            name: row.new[name] for row in episode.changes().rows for name in row.new if row.table == "bookings"
        }
        assert changed.get("party_size") != 6
        assert episode.verify().passed


def test_writes_that_survival_does_not_need_are_left_out(make_environment: Make) -> None:
    environment = make_environment(SCHEMA, SEED, TOOLS)
    task = Task.model_validate(TWO_WRITES)
    report = audited(environment, task)
    shortest = [found["shortest"]["calls"] for found in report.gate("trajectory_mutants").evidence]
    assert shortest == [[{"call": "name_it", "args": {"id": 1, "name": "best"}}]] * len(shortest)
    assert len(shortest) > 1


def test_a_needless_write_comes_with_the_calls_that_pass_without_it(make_environment: Make) -> None:
    evidence = audited(make_environment(SCHEMA, SEED, TOOLS), Task.model_validate(TWO_WRITES)).gate("prefix").evidence
    only = {"calls": [{"call": "name_it", "args": {"id": 1, "name": "best"}}], "submit": {"status": "done"}}
    assert [found["shortest"] for found in evidence if found["problem"] == "passes without size_it"] == [only]


def test_a_surviving_end_comes_as_sql(make_environment: Make) -> None:
    environment = make_environment(SCHEMA, SEED, TOOLS)
    task = Task.model_validate(TWO_WRITES)
    with AuditContext(environment, task, seed=0) as context:
        for found in audited(environment, task).gate("end_state_mutants").evidence:
            assert found["sql"]
            with closing(apsw.Connection(":memory:")) as connection:
                connection.deserialize("main", context.gold.after)
                before = connection.serialize("main")
                connection.execute("".join(found["sql"]))
                edited = connection.serialize("main")
            assert edited != before
            assert context.judge(edited, context.gold.changes, Submission()).passed


def test_only_the_edits_that_matter_are_shown(make_environment: Make) -> None:
    """Nothing is required: where several rows are undone at once, one of them would do."""
    environment = make_environment(SCHEMA, SEED, TOOLS)
    task = Task.model_validate(TWO_WRITES | {"verifier": {**TWO_WRITES["verifier"], "require": []}})
    with AuditContext(environment, task, seed=0) as context:
        survivors = [trial.shown for trial in end_states(context).mutants if not trial.killed]
    assert len(survivors) > 3
    assert all(len(found["rows"]) == len(found["sql"]) == 1 for found in survivors)


SCHEMA = "CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL) STRICT;\n"
SEED = "INSERT INTO items VALUES (1, 'one''s', 10), (2, 'two', 20), (3, 'three', 30);\n"
TOOLS = """
- name: name_it
  description: Name an item
  kind: write
  params: {id: {type: integer, ref: items.id}, name: {type: string}}
  required: [id, name]
  steps: [{do: "UPDATE items SET name = :name WHERE id = :id"}]
- name: size_it
  description: Size an item
  kind: write
  params: {id: {type: integer, ref: items.id}, size: {type: integer}}
  required: [id, size]
  steps: [{do: "UPDATE items SET size = :size WHERE id = :id"}]
- name: list_items
  description: All items
  kind: read
  returns: {many: "SELECT id, name, size FROM items", order: id}
"""
TWO_WRITES: dict[str, Any] = {
    "id": "t",
    "instruction": "Name item 1 best, and give item 2 the size 25.",
    "actor": {"roles": ["user"], "id": 5},
    "goal": {"text": "Named.", "sql": "SELECT name = 'best' FROM after.items WHERE id = 1"},
    "gold": [
        {"call": "list_items"},
        {"call": "name_it", "args": {"id": 1, "name": "best"}},
        {"call": "size_it", "args": {"id": 2, "size": 25}},
        {"submit": {}},
    ],
    "verifier": {
        "require": [{"name": "named", "sql": "SELECT name = 'best' FROM after.items WHERE id = 1"}],
        "allow": [
            {"table": "items", "key": {"id": 1}, "columns": ["name"]},
            {"table": "items", "key": {"id": 2}, "columns": ["size"]},
        ],
    },
}
