"""What the loop does with near-copies, faults and limits."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from .conftest import SCENARIO, SIZE, finish, start


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(folder / "run.db")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.mark.slow
def test_a_near_copy_is_rejected_with_its_neighbour_named_after_other_designs(tmp_path: Path) -> None:
    folder, file = tmp_path / "run", tmp_path / "scenarios.yaml"
    copy = SCENARIO.replace("book slots", "reserve slots")
    file.write_text(
        f"scenarios:\n  - {{name: Wall One, text: {SCENARIO!r}}}\n  - {{name: Wall Two, text: {copy!r}}}\n",
        encoding="utf-8",
    )
    options = (*SIZE, "--scenarios", str(file), "--tasks", "1", "--solver", "null", "--seed", "11", "--json")
    first = finish(start(folder, *options, "--environments", "1"))["environments"][0]["id"]
    status = finish(start(folder, *options, "--environments", "2"))
    assert len(status["environments"]) == 2
    ((fate, reason, attempts),) = rows(
        folder, "SELECT fate, reason, json_extract(result, '$.attempts') FROM items WHERE key LIKE '%/build/wall-two'"
    )
    assert fate == "duplicate"
    assert first in reason
    assert attempts == 3
    designs = rows(
        folder, "SELECT count(*) FROM agent_steps WHERE item LIKE '%/build/wall-two' AND role = 'architect'"
    )
    assert designs == [(3,)]


@pytest.mark.slow
def test_planted_faults_are_found_and_repaired(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    finish(
        start(folder, *SIZE, "--environments", "2", "--tasks", "1", "--solver", "null", "--fault-rate", "1", "--json")
    )
    fixed = rows(folder, "SELECT kind, source FROM findings WHERE confirmed AND fix <> ''")
    assert fixed, "no planted fault was found and repaired"
    coded, built = rows(
        folder, "SELECT sum(role = 'coder'), sum(role = 'architect') FROM agent_steps WHERE item LIKE '%/build/%'"
    )[0]
    assert coded > built, "nothing was coded again"


def test_every_step_of_the_agents_is_recorded(undisturbed: Path) -> None:
    steps = rows(undisturbed, "SELECT DISTINCT role FROM agent_steps ORDER BY role")
    assert {"architect", "coder", "critics", "task_writer", "tester"} <= {role for (role,) in steps}
    assert rows(undisturbed, "SELECT count(*) FROM agent_steps WHERE inputs_hash = '' OR seconds < 0") == [(0,)]


def test_no_checkpoint_and_no_staging_outlives_its_item(undisturbed: Path) -> None:
    assert rows(undisturbed, "SELECT count(*) FROM staging") == [(0,)]
    connection = sqlite3.connect(undisturbed / "checkpoints.db")
    try:
        assert connection.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
    finally:
        connection.close()
