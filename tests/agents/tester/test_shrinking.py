"""Probes are shrunk to the fewest calls: without any one of them the finding is not shown."""

from __future__ import annotations

import pytest

from envolve.agents.tester import Effort, run_gates, run_probe
from envolve.environments.models import Finding
from envolve.environments.package import Environment

from .conftest import SMALL, World

_SCHEMA = """
CREATE TABLE boxes (
  id INTEGER PRIMARY KEY, label TEXT NOT NULL, size INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'shut', 'sent'))
) STRICT;
CREATE TABLE things (
  id INTEGER PRIMARY KEY, box_id INTEGER NOT NULL REFERENCES boxes (id), name TEXT NOT NULL UNIQUE
) STRICT;
"""
_SEED = "INSERT INTO boxes VALUES (411, 'red', 2, 'open'), (417, 'blue', 2, 'open'), (423, 'old', 1, 'shut');"
_TOOLS = """
- name: put
  description: Put something into a box.
  kind: write
  params: {box_id: {type: integer, ref: boxes.id}, name: {type: string, minLength: 1, maxLength: 8}}
  required: [box_id, name]
  steps:
    - do: INSERT INTO things (box_id, name) VALUES (:box_id, :name) RETURNING id
      as: thing_id
  returns: {one: "SELECT id, name FROM things WHERE id = :thing_id"}
  contract: {things: {insert: true}}
- name: shut
  description: Shut a box.
  kind: write
  params: {box_id: {type: integer, ref: boxes.id}}
  required: [box_id]
  steps:
    - require: SELECT status = 'open' FROM boxes WHERE id = :box_id
      error: {code: conflict, message: It is not open.}
    - do: UPDATE boxes SET status = 'shut' WHERE id = :box_id
      rows: 1
  contract: {boxes: {update: [status]}}
- name: send
  description: Send a shut box.
  kind: write
  params: {box_id: {type: integer, ref: boxes.id}}
  required: [box_id]
  steps:
    - require: SELECT status = 'shut' FROM boxes WHERE id = :box_id
      error: {code: conflict, message: It is not shut.}
    - do: UPDATE boxes SET status = 'sent' WHERE id = :box_id
      rows: 1
  contract: {boxes: {update: [status]}}
"""
_INVARIANTS = [
    {"name": "boxes hold two at most", "sql": "SELECT box_id FROM things GROUP BY box_id HAVING count(*) > 2"},
    {
        "name": "what is sent holds something",
        "sql": "SELECT id FROM boxes WHERE label <> 'old' AND status = 'sent'"
        " AND NOT EXISTS (SELECT 1 FROM things WHERE box_id = boxes.id)",
    },
]


@pytest.fixture(scope="module")
def findings(world: World) -> list[Finding]:
    environment = world(_TOOLS, _SCHEMA, _SEED, invariants=_INVARIANTS)
    return list(run_gates(environment, effort=SMALL, seed=1).blocking)


def _without_each(environment: Environment, finding: Finding) -> list[bool]:
    """Whether the finding still shows, with each of the probe's calls left out in turn."""
    assert finding.probe is not None
    calls = finding.probe.calls
    fewer = [finding.probe.model_copy(update={"calls": calls[:at] + calls[at + 1 :]}) for at in range(len(calls))]
    return [run_probe(environment, probe).reproduced for probe in fewer if probe.calls]


def test_no_call_of_a_probe_can_be_left_out(world: World, findings: list[Finding]) -> None:
    environment = world(_TOOLS, _SCHEMA, _SEED, invariants=_INVARIANTS)
    shown = {finding.where: finding for finding in findings}
    lengths = {where: len(finding.probe.calls) for where, finding in shown.items() if finding.probe is not None}
    assert lengths["tools.put.invariants.boxes-hold-two-at-most"] == 3
    assert lengths["tools.send.invariants.what-is-sent-holds-something"] == 2
    assert lengths["tools.put"] == 2  # the same name twice
    for finding in shown.values():
        assert run_probe(environment, finding).reproduced
        assert not any(_without_each(environment, finding))


def test_what_shows_with_one_call_is_shown_with_one(seating: Environment) -> None:
    for finding in run_gates(seating, effort=Effort(least=300)).blocking:
        assert finding.probe is not None
        assert len(finding.probe.calls) == 1
        for name in finding.probe.calls[0].args:
            call = finding.probe.calls[0]
            fewer = call.model_copy(
                update={"args": {kept: value for kept, value in call.args.items() if kept != name}}
            )
            assert not run_probe(seating, finding.probe.model_copy(update={"calls": (fewer,)})).reproduced
