"""The gates that run no calls: load, compile, contract; and packages that cannot be built at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import yaml

from envolve.agents.tester import GATES, findings_of, run_gates, run_probe
from envolve.environments.errors import PackageError
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from .conftest import World

_LOOK = '- {name: look, description: Look., kind: read, returns: {many: "SELECT id FROM people", order: id}}\n'


def _static(environment: Environment) -> Sequence[Finding]:
    gates = [gate for gate in GATES if gate.name in ("load", "compile", "contract")]
    return run_gates(environment, gates=gates).findings


def _seen(environment: Environment) -> set[tuple[str, str]]:
    found = _static(environment)
    assert all(run_probe(environment, finding).reproduced for finding in found if finding.confirmed)
    return {(finding.kind, finding.where) for finding in found}


@pytest.mark.parametrize(
    ("column", "value", "kind", "where"),
    [
        ("paid_at TEXT", "'2026-05-04T10:00'", "moment_format", "seed.things.paid_at"),
        ("due_on TEXT", "'04.05.2026'", "moment_format", "seed.things.due_on"),
        ("opens_time TEXT", "'9 am'", "moment_format", "seed.things.opens_time"),
        ("price REAL", "1.5", "money_in_float", "schema.things.price"),
        ("status TEXT", "'new'", "status_without_check", "schema.things.status"),
        ("people_id INTEGER", "31", "missing_foreign_key", "schema.things.people_id"),
    ],
)
def test_columns_of_the_wrong_kind(column: str, value: str, kind: str, where: str, world: World) -> None:
    schema = f"CREATE TABLE things (id INTEGER PRIMARY KEY, {column}) STRICT;"
    assert _seen(world(_LOOK, schema, f"INSERT INTO things VALUES (9, {value});")) == {(kind, where)}


def test_columns_as_they_should_be(world: World) -> None:
    schema = """
    CREATE TABLE things (
      id INTEGER PRIMARY KEY, paid_at TEXT, due_on TEXT, opens_time TEXT, price INTEGER, tax_rate REAL,
      wait_time INTEGER, status TEXT CHECK (status IN ('new', 'old')),
      person_id INTEGER REFERENCES people (id), external_id TEXT
    ) STRICT;
    """
    row = "INSERT INTO things VALUES (9, '2026-05-04 10:00:00', '2026-05-04', '09:00', 5, 0.2, 3, 'new', 31, 'x');"
    assert _seen(world(_LOOK, schema, row)) == set()


def test_seed_that_can_be_guessed_and_roles_without_people(world: World) -> None:
    schema = "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT) STRICT;"
    rows = "INSERT INTO things VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');"
    roles = {"user": {"table": "people"}, "guard": {"table": "people", "where": "name = 'Nobody'"}}
    assert _seen(world(_LOOK, schema, rows, roles=roles)) == {
        ("guessable_ids", "seed"),
        ("role_without_actor", "environment.roles.guard"),
    }


def test_parameters_that_nothing_uses(world: World) -> None:
    tools = """
- name: look
  description: Look.
  kind: read
  params:
    used: {type: string}
    given: {type: string}
    wish: {type: string, description: Forgotten}
    person_id: {type: integer, ref: people.id, description: Checked and forgotten}
  returns: {many: "SELECT id FROM people WHERE name = :used OR NOT :given_given", order: id}
"""
    assert _seen(world(tools)) == {
        ("parameter_unused", "tools.look.params.wish"),
        ("parameter_unused", "tools.look.params.person_id"),
    }


_TRIGGERED = """
CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, changed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE parts (id INTEGER PRIMARY KEY, thing_id INTEGER REFERENCES things (id) ON DELETE CASCADE) STRICT;
CREATE TRIGGER count_changes AFTER UPDATE OF name ON things
BEGIN UPDATE things SET changed = changed + 1 WHERE id = new.id; END;
"""
_RENAME = """
- name: rename
  description: Rename.
  kind: write
  params: {{thing_id: {{type: integer, ref: things.id}}, name: {{type: string}}}}
  required: [thing_id, name]
  steps: [{{do: "UPDATE things SET name = :name WHERE id = :thing_id"}}]
  contract: {contract}
- name: drop
  description: Drop.
  kind: write
  params: {{thing_id: {{type: integer, ref: things.id}}}}
  required: [thing_id]
  steps: [{{do: "DELETE FROM things WHERE id = :thing_id"}}]
  contract: {{things: {{delete: true}}, parts: {{delete: true}}}}
"""


def test_writes_of_triggers_and_cascades_count(world: World) -> None:
    right = _RENAME.format(contract="{things: {update: [name, changed]}}")
    assert _seen(world(right, _TRIGGERED)) == set()
    wrong = _RENAME.format(contract="{things: {update: [name], insert: true}, parts: {update: [thing_id]}}")
    assert _seen(world(wrong, _TRIGGERED)) == {
        ("undeclared_write", "tools.rename.contract.things.update.changed"),
        ("missing_write", "tools.rename.contract.things.insert"),
        ("missing_write", "tools.rename.contract.parts.update.thing_id"),
    }


def test_sample_package_passes(table_booking: Environment) -> None:
    assert _static(table_booking) == ()


def test_packages_that_do_not_build_become_findings(world: World) -> None:
    tools = yaml.safe_dump(
        [
            {"name": "a", "description": "A.", "kind": "read", "returns": {"one": "SELECT nothing FROM people"}},
            {"name": "b", "description": "B.", "kind": "read", "returns": {"one": "SELECT :x AS x"}},
        ]
    )
    with pytest.raises(PackageError) as raised:
        world(tools)
    found = findings_of(raised.value)
    assert [(finding.kind, finding.where, finding.source) for finding in found] == [
        ("does_not_compile", "tools.a.returns.one", "gate:compile"),
        ("does_not_compile", "tools.b.returns.one", "gate:compile"),
    ]
    assert all(finding.confirmed for finding in found)
    with pytest.raises(PackageError) as raised:
        world(_LOOK, "CREATE TABLE things (id INTEGER PRIMARY KEY);")
    (finding,) = findings_of(raised.value)
    assert (finding.kind, finding.where, finding.source) == ("does_not_load", "schema.things", "gate:load")
