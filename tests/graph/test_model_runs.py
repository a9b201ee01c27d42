"""Runs whose architect is a model, as real processes over real HTTP. Its replies are written by hand (see
`tests/agents/prompted/composed`); all other roles are procedural."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from envolve.graph.planning import FRUITLESS_BUILDS
from envolve.memory.store import RunStore

from ..agents.prompted.composed import BAKERY, Player
from ..scripted_model import ScriptedModel
from .conftest import finish, start

CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture
def model(model_server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """Answers as the architect of a bakery; takes only the key that is set."""
    model_server.answer(Player(BAKERY).answer)
    model_server.key = CANARY
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    return model_server


def options(model: ScriptedModel, *more: str) -> tuple[str, ...]:
    scenario = BAKERY.brief.scenario.text
    return (
        *("--scenario", scenario, "--environments", "1", "--tasks", "1", "--seed", "11", "--json"),
        *("--architect", model.name),
        *more,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and what was told."""
    _, err = process.communicate(timeout=280)
    return process.returncode, err


def calls_of(folder: Path) -> list[Any]:
    with RunStore.open(folder) as store:
        return [call for item in store.work.items() for call in store.agents.calls(item.key)]


def staged_calls(folder: Path) -> int:
    connection = sqlite3.connect(folder / "run.db")
    try:
        return int(connection.execute("SELECT count(*) FROM staging WHERE kind = 'agent_call'").fetchone()[0])
    finally:
        connection.close()


def test_calls_are_kept_counted_and_hold_no_key(model: ScriptedModel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    status = finish(start(folder, *options(model)))
    assert status["state"] == "done"
    calls = calls_of(folder)
    assert len(calls) == len(model.requests) > 0
    assert all(call.model == model.name and call.reply["text"] and call.request["messages"] for call in calls)
    assert status["tokens"] == sum(call.tokens for call in calls) > 0
    costs = status["costs"]
    assert [role["role"] for role in costs["roles"]] == ["architect"]
    assert costs["build_tokens"] == status["tokens"]
    for path in folder.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path


def test_a_budget_that_does_not_cover_the_next_call_stops_the_run(model: ScriptedModel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, *options(model, "--budget-tokens", "1000"))
    out, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    status = json.loads(out.splitlines()[-1])
    assert (status["state"], status["tokens"], model.requests) == ("stopped", 0, [])
    assert finish(start(folder, *options(model, "--budget-tokens", "10000000")))["state"] == "done"


def test_a_provider_that_refuses_ends_the_run_and_the_same_command_goes_on(
    model: ScriptedModel, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    model.key = "another"
    code, err = ended(start(folder, *options(model)))
    assert code == 3
    assert "OPENAI_API_KEY" in err
    assert CANARY not in err
    model.key = CANARY
    assert finish(start(folder, *options(model)))["state"] == "done"


def test_replies_are_paid_for_once_whatever_happens_after_them(model: ScriptedModel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, *options(model))
    deadline = time.monotonic() + 120
    while not (folder / "run.db").exists() or not staged_calls(folder):
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert finish(start(folder, *options(model)))["state"] == "done"
    bodies = [json.dumps(request.body, sort_keys=True) for request in model.requests]
    assert len(bodies) - len(set(bodies)) <= 1, "only the call in flight may be made again"
    assert len(calls_of(folder)) == len(set(bodies))


def test_a_model_that_writes_nothing_usable_costs_its_environment_only(model: ScriptedModel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    model.answer(lambda body: "I would rather not.")
    status = finish_with_problems(start(folder, *options(model)))
    assert (status["state"], status["environments"]) == ("stopped", [])
    assert len(status["set_aside"]) == FRUITLESS_BUILDS
    assert "cannot be used" in status["set_aside"][0]["reason"]
    assert calls_of(folder), "what was said is kept for whoever wants to know why"


def finish_with_problems(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=280)
    assert process.returncode in {0, 1}, err
    status: dict[str, Any] = json.loads(out.splitlines()[-1])
    return status
