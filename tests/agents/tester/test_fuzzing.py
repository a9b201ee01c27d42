"""Fuzzing finds what single tools and sequences of calls break, and shows it with the fewest calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from envolve.agents.tester import Effort, run_gates, run_probe
from envolve.environments.models import Finding, ToolsFile
from envolve.environments.package import Environment

from .conftest import SMALL, World

_STOCK = """
CREATE TABLE stock (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL, tags TEXT
) STRICT;
"""
_STOCK_SEED = "INSERT INTO stock VALUES (211, 'tea', 5, '[]'), (214, 'rice', 9, '[\"dry\"]'), (219, 'oil', 0, NULL);"
_ROOMS = """
CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE stays (
  id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL REFERENCES rooms (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  first_on TEXT NOT NULL, last_on TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled'))
) STRICT;
"""
_ROOMS_SEED = """
INSERT INTO rooms VALUES (511, 'Lake'), (516, 'Wood');
INSERT INTO stays VALUES (71, 511, 31, '2026-05-10', '2026-05-12', 'cancelled');
"""
_NO_OVERLAP = {
    "name": "no two stays in one room",
    "sql": "SELECT a.id FROM stays a JOIN stays b ON b.room_id = a.room_id AND b.id > a.id"
    " AND a.first_on <= b.last_on AND b.first_on <= a.last_on WHERE a.status = 'booked' AND b.status = 'booked'",
}


def _found(environment: Environment, seed: int = 1, effort: Effort = SMALL) -> dict[str, Finding]:
    report = run_gates(environment, seed=seed, effort=effort)
    return {finding.where: finding for finding in report.findings if finding.confirmed and not _idle(finding)}


def _idle(finding: Finding) -> bool:
    """What the coverage gate says of columns of these small worlds that no tool uses."""
    return finding.kind.startswith("unused_")


def test_sound_package_has_no_findings(table_booking: Environment) -> None:
    report = run_gates(table_booking, seed=3)
    assert report.findings == ()
    assert report.blocking == ()
    assert report.coverage.never_succeeded == ()
    assert {gate.status for gate in report.gates} == {"passed"}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_known_breaks_are_found_and_shrunk_to_one_call(seating: Environment, seed: int) -> None:
    found = _found(seating, seed, Effort())
    assert set(found) == {
        "tools.cancel_reservation.invariants.applied-rewards-belong-to-live-reservations",
        "tools.change_party_size.invariants.every-party-fits-where-it-sits",
        "tools.deactivate_layout.invariants.layouts-in-use-are-active",
        "tools.resize_table.invariants.every-party-fits-where-it-sits",
        "tools.resize_table.invariants.layouts-have-the-seats-of-their-tables",
    }
    for finding in found.values():
        assert finding.severity == "blocker"
        assert finding.probe is not None
        assert len(finding.probe.calls) == 1
        assert run_probe(seating, finding).reproduced


def test_guards_put_in_make_the_findings_go_away(seating: Environment) -> None:
    found = _found(seating)
    broken = found["tools.deactivate_layout.invariants.layouts-in-use-are-active"]
    text = Path(__file__).parent / "data" / "seating" / "tools.yaml"
    guarded = text.read_text(encoding="utf-8").replace(
        "    - do: UPDATE layouts SET is_active = 0",
        "    - require: SELECT NOT EXISTS (SELECT 1 FROM reservations WHERE layout_id = :layout_id)\n"
        "      error: {code: conflict, message: It is in use.}\n"
        "    - do: UPDATE layouts SET is_active = 0",
    )
    repaired = Environment.build(
        spec=seating.spec,
        schema_sql=seating.schema_sql,
        seed_sql=seating.seed_sql,
        tools=ToolsFile.model_validate(yaml.safe_load(guarded)),
    )
    assert run_probe(seating, broken).reproduced
    assert not run_probe(repaired, broken).reproduced


def test_a_break_that_takes_two_calls_keeps_both(world: World) -> None:
    environment = world(
        """
- name: book
  description: Book a room for some days.
  kind: write
  params:
    room_id: {type: integer, ref: rooms.id}
    first_on: {type: string, format: date}
    last_on: {type: string, format: date}
  required: [room_id, first_on, last_on]
  steps:
    - require: SELECT :first_on <= :last_on
      error: {code: invalid_argument, message: It ends before it begins.}
    - do: |
        INSERT INTO stays (room_id, person_id, first_on, last_on, status)
        VALUES (:room_id, :actor_id, :first_on, :last_on, 'booked') RETURNING id
      as: stay_id
  returns: {one: "SELECT id FROM stays WHERE id = :stay_id"}
  contract: {stays: {insert: true}}
- name: list_rooms
  description: List rooms.
  kind: read
  returns: {many: "SELECT id, name FROM rooms", order: id}
""",
        _ROOMS,
        _ROOMS_SEED,
        invariants=[_NO_OVERLAP],
    )
    finding = _found(environment)["tools.book.invariants.no-two-stays-in-one-room"]
    assert finding.probe is not None
    assert [call.call for call in finding.probe.calls] == ["book", "book"]
    assert finding.evidence["calls_before_shrinking"] >= 2
    assert run_probe(environment, finding).reproduced


def test_calls_on_rows_made_before_survive_shrinking(world: World) -> None:
    """The break needs a row that an earlier call makes: its id changes as other calls are left out."""
    environment = world(
        """
- name: add
  description: Add something to the stock.
  kind: write
  params: {name: {type: string, minLength: 1, maxLength: 20}}
  required: [name]
  steps:
    - require: SELECT NOT EXISTS (SELECT 1 FROM stock WHERE name = :name)
      error: {code: conflict, message: It is there already.}
    - do: INSERT INTO stock (name, amount) VALUES (:name, 0) RETURNING id
      as: stock_id
  returns: {one: "SELECT id, name FROM stock WHERE id = :stock_id"}
  contract: {stock: {insert: true}}
- name: take
  description: Take one.
  kind: write
  params: {stock_id: {type: integer, ref: stock.id}}
  required: [stock_id]
  steps:
    - require: SELECT amount > 0 OR id > 300 FROM stock WHERE id = :stock_id
      error: {code: conflict, message: There is none left.}
    - do: UPDATE stock SET amount = amount - 1 WHERE id = :stock_id
      rows: 1
  contract: {stock: {update: [amount]}}
""",
        _STOCK,
        _STOCK_SEED + "INSERT INTO stock VALUES (300, 'salt', 2, NULL);",
        invariants=[{"name": "nothing below zero", "sql": "SELECT id FROM stock WHERE amount < 0"}],
    )
    finding = _found(environment)["tools.take.invariants.nothing-below-zero"]
    assert finding.probe is not None
    assert [call.call for call in finding.probe.calls] == ["add", "take"]
    assert finding.probe.calls[1].args == {"stock_id": 301}


def test_internal_errors_and_unforeseen_constraints(world: World) -> None:
    environment = world(
        """
- name: rename
  description: Rename something.
  kind: write
  params: {stock_id: {type: integer, ref: stock.id}, name: {type: string, minLength: 1}}
  required: [stock_id, name]
  steps: [{do: "UPDATE stock SET name = :name WHERE id = :stock_id", rows: 1}]
  contract: {stock: {update: [name]}}
- name: take_first
  description: Take one of what there is.
  kind: write
  params: {amount: {type: integer, minimum: 1, maximum: 9}}
  required: [amount]
  steps: [{do: "UPDATE stock SET amount = 0 WHERE amount = :amount", rows: 1}]
  contract: {stock: {update: [amount]}}
- name: list_tags
  description: Tags.
  kind: read
  params: {stock_id: {type: integer, ref: stock.id}, text: {type: string}}
  required: [stock_id]
  returns: {one: "SELECT id, coalesce(:text, tags) AS tags FROM stock WHERE id = :stock_id", types: {tags: json}}
""",
        _STOCK,
        _STOCK_SEED,
    )
    kinds = {(finding.kind, where) for where, finding in _found(environment).items()}
    assert kinds == {
        ("unforeseen_constraint", "tools.rename"),
        ("internal_error", "tools.take_first"),
        ("internal_error", "tools.list_tags"),
    }


def test_repeated_and_endless_lists(world: World) -> None:
    seed = _STOCK_SEED + "".join(f"INSERT INTO stock VALUES ({id_}, 'n{id_}', 1, NULL);" for id_ in range(400, 640))
    environment = world(
        """
- name: list_stock
  description: The stock.
  kind: read
  returns:
    many: SELECT s.id, s.name FROM stock s LEFT JOIN people p ON p.role = 'user' WHERE s.id < 300
    order: id
- name: list_all
  description: The stock.
  kind: read
  returns: {many: "SELECT id, name FROM stock", order: id}
""",
        _STOCK,
        seed,
    )
    found = run_gates(environment, seed=1, effort=SMALL).findings
    seen = {(finding.kind, finding.where, finding.severity) for finding in found if "list" in finding.where}
    assert seen == {
        ("repeated_items", "tools.list_stock.returns", "major"),
        ("unbounded_result", "tools.list_all.returns", "minor"),
    }


def test_a_tool_that_cannot_succeed_is_a_doubt(world: World) -> None:
    environment = world(
        """
- name: open_vault
  description: Open the vault.
  kind: read
  steps: [{require: "SELECT 0", error: {code: forbidden, message: It stays shut.}}]
  returns: {many: "SELECT id FROM people", order: id}
"""
    )
    report = run_gates(environment, effort=SMALL)
    (finding,) = (finding for finding in report.findings if not _idle(finding))
    assert (finding.kind, finding.confirmed) == ("never_succeeds", None)
    assert report.passed
    assert report.coverage.tools[0].fired == ("tools.open_vault.steps.0",)


def test_tools_get_their_share_of_calls(table_booking: Environment) -> None:
    coverage = run_gates(table_booking, seed=5).coverage
    assert coverage.calls <= 1300
    assert min(tool.calls for tool in coverage.tools) >= 8
    assert len(coverage.never_fired) <= 6


def test_report_depends_on_nothing_but_environment_and_seed(seating: Environment) -> None:
    """Not on the process, nor on its hash seed."""
    code = (
        "import json, sys; from envolve.agents.tester import Effort, run_gates;"
        "from envolve.environments.package import Environment;"
        "report = run_gates(Environment.load(sys.argv[1]), seed=4, effort=Effort(least=150, calls_per_tool=40));"
        "print(json.dumps(report.compared(), sort_keys=True))"
    )
    folder = str(Path(__file__).parent / "data" / "seating")
    told = subprocess.run(
        [sys.executable, "-c", code, folder],
        env={"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2", "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(told) == run_gates(seating, seed=4, effort=SMALL).compared()


def test_a_world_in_which_nobody_can_act_is_not_fuzzed(world: World) -> None:
    roles = {"guard": {"table": "people", "where": "name = 'Nobody'"}}
    tools = '[{name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}]'
    report = run_gates(world(tools, roles=roles), effort=SMALL)
    assert report.coverage.calls == 0
    assert "role_without_actor" in {finding.kind for finding in report.findings}
