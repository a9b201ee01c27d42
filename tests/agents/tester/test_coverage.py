"""What nobody can reach is a finding; what testing did not reach is a figure."""

from __future__ import annotations

import random

import pytest

from envolve.agents.tester import GATES, TestReport, run_gates, run_probe
from envolve.agents.tester.actors import actors_by_role
from envolve.agents.tester.anatomy import Anatomy
from envolve.agents.tester.branches import Branches
from envolve.agents.tester.fuzzing.arguments import Composer
from envolve.agents.tester.fuzzing.material import Material
from envolve.agents.tester.fuzzing.scene import Scene
from envolve.agents.tester.stage import Stage
from envolve.environments.package import Environment

from .conftest import SMALL, World

_SCHEMA = """
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), title TEXT NOT NULL,
  hours INTEGER NOT NULL DEFAULT 1, code TEXT, weight INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL CHECK (status IN ('open', 'done', 'void'))
) STRICT;
CREATE TABLE job_log (id INTEGER PRIMARY KEY, job_id INTEGER NOT NULL REFERENCES jobs (id), note TEXT) STRICT;
CREATE TABLE attic (id INTEGER PRIMARY KEY, stuff TEXT) STRICT;
"""
_SEED = """
INSERT INTO jobs VALUES (71, 31, 'paint', 3, 'J-1', 4, 'open'), (75, 35, 'sand', 2, 'J-2', 0, 'done');
"""
_TOOLS = """
- name: list_jobs
  description: List jobs.
  kind: read
  params: {title: {type: string}}
  returns: {many: "SELECT id, title FROM jobs WHERE :title IS NULL OR title = :title", order: id}
- name: finish_job
  description: Finish a job.
  kind: write
  params: {job_id: {type: integer, ref: jobs.id}, hours: {type: integer, minimum: 1, maximum: 9}}
  required: [job_id]
  steps:
    - require: SELECT status = 'open' OR hours > 900 FROM jobs WHERE id = :job_id
      error: {code: conflict, message: It is not open.}
    - require: SELECT 1 = 1
      error: {code: conflict, message: Never said.}
    - do: >-
        UPDATE jobs SET status = 'done',
        hours = CASE WHEN :hours > 20 THEN 20 WHEN :hours IS NULL THEN hours ELSE :hours END
        WHERE id = :job_id
      rows: 1
  contract: {jobs: {update: [status, hours]}}
- name: sing
  description: Sing.
  kind: write
  params: {person_id: {type: integer, ref: people.id}}
  required: [person_id]
  steps: [{do: "UPDATE people SET name = upper(name) WHERE id = :person_id"}]
  contract: {people: {update: [name]}}
"""
_SPEC = {
    "requirements": ["A user finishes a job."],
    "columns": {"log": ["job_log"], "code": ["jobs.code"]},
    "invariants": [{"name": "light", "sql": "SELECT id FROM jobs WHERE weight > 99"}],
}


@pytest.fixture(scope="module")
def workshop(world: World) -> Environment:
    return world(_TOOLS, _SCHEMA, _SEED, **_SPEC)


@pytest.fixture(scope="module")
def report(workshop: Environment) -> TestReport:
    return run_gates(workshop, gates=[gate for gate in GATES if gate.name == "coverage"], effort=SMALL)


def test_what_nothing_needs_is_found_and_shown_again(workshop: Environment, report: TestReport) -> None:
    """Keys, logs, codes and columns of invariants have another need; the log table's note is the log's."""
    assert {(finding.kind, finding.where, finding.severity) for finding in report.findings} == {
        ("unused_table", "schema.attic", "minor"),
        ("unreachable_status", "schema.jobs.status.void", "minor"),
    }
    assert all(run_probe(workshop, finding).reproduced for finding in report.findings)


def test_columns_are_told_apart_by_who_needs_them(report: TestReport) -> None:
    needed = set(report.coverage.schema_only)
    assert {"jobs.code", "jobs.weight", "jobs.person_id", "job_log.note"} <= needed
    assert needed.isdisjoint({"jobs.title", "jobs.hours", "people.name"})
    assert report.coverage.columns.missed == ("attic.stuff",)


def test_figures_name_what_was_not_reached(report: TestReport) -> None:
    coverage = report.coverage
    assert (coverage.statuses.reached, coverage.statuses.of) == (2, 3)
    assert (coverage.succeeding.reached, coverage.succeeding.of) == (3, 3)
    assert coverage.guards.missed == ("tools.finish_job.steps.1",)
    assert coverage.branches.missed == ("tools.finish_job.steps.0.or.0.1", "tools.finish_job.steps.2.case.0.0")
    assert coverage.unneeded == ("sing",)


def test_a_distractor_is_needed_by_nobody_and_says_so(world: World) -> None:
    marked = _TOOLS.replace("name: sing\n", "name: sing\n  distractor: true\n")
    report = run_gates(world(marked, _SCHEMA, _SEED, **_SPEC), effort=SMALL)
    assert report.coverage.unneeded == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SET status = 'done'", "SET status = CASE WHEN :hours = 1 THEN 'void' ELSE 'done' END"),
        ("'J-2', 0, 'done')", "'J-2', 0, 'void')"),
        ("hours: {type", "to: {type: string, enum: [done, void]}, hours: {type"),
    ],
)
def test_statuses_that_can_be_reached(before: str, after: str, world: World) -> None:
    tools = _TOOLS.replace(before, after)
    if "enum" in after:
        tools = tools.replace("status = 'done'", "status = coalesce(:to, 'done')")
    found = run_gates(world(tools, _SCHEMA, _SEED.replace(before, after), **_SPEC), effort=SMALL)
    assert found.coverage.statuses.missed == ()


def test_noting_branches_changes_no_answer(table_booking: Environment) -> None:
    anatomy, rng = Anatomy(table_booking), random.Random(4)
    branches, material = Branches(anatomy), Material(anatomy, 4)
    actors = [actor for actors in actors_by_role(anatomy, 2).values() for actor in actors]
    with Stage(table_booking) as plain, Stage(table_booking, branches=branches) as noted:
        scene = Scene(anatomy, plain, actors, rng)
        composer = Composer(material, scene, plain.now, rng)
        for tool in [*anatomy.tools.values()] * 6:
            actor = rng.choice(actors)
            args = composer.draw(tool, actor)
            assert plain.call(tool.name, args, actor) == noted.call(tool.name, args, actor)
            scene.note(())
    assert branches.taken
    assert branches.taken <= set(branches.places)
