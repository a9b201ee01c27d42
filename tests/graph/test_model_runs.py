"""Runs with a model among the roles, as real processes over real HTTP; all other roles are procedural."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from envolve.graph.planning import FRUITLESS_BUILDS
from envolve.memory.records import ModelCall
from envolve.memory.store import RunStore

from ..scripted_model import Failure, ScriptedModel
from .conftest import SCENARIO, start
from .moments import counted, wait_until

CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture
def model(model_server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """A critic who has nothing to say; it takes only the key that is set."""
    model_server.answer(lambda body: '{"claims": []}')
    model_server.key = CANARY
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    return model_server


@pytest.fixture
def options(model: ScriptedModel, tmp_path: Path) -> tuple[str, ...]:
    """A small run that ends with its first environment."""
    file = tmp_path / "options.yaml"
    file.write_text("{max_rounds: 1, size: {tables: 4, tools: 8}}\n", encoding="utf-8")
    wanted = ("--environments", "1", "--tasks", "1", "--seed", "11", "--json")
    return ("--config", str(file), "--scenario", SCENARIO, *wanted, "--critic", model.name)


def built(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The status of a run that admitted its environment and had no round left to reach its target."""
    status = status_of(process, 1)
    assert len(status["environments"]) == 1
    return status


def refused(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=280)
    assert process.returncode == 3, err
    return out, err


def status_of(process: subprocess.Popen[str], code: int) -> dict[str, Any]:
    out, err = process.communicate(timeout=280)
    assert process.returncode == code, err
    status: dict[str, Any] = json.loads(out.splitlines()[-1])
    return status


def calls_of(folder: Path) -> list[ModelCall]:
    with RunStore.open_read_only(folder) as store:
        return [call for item in store.work.items() for call in store.agents.calls(item.key)]


def staged_calls(folder: Path) -> int:
    return counted(folder / "run.db", "staging WHERE kind = 'agent_call'")


def test_whatever_interrupts_a_run_the_same_command_goes_on_and_pays_for_nothing_twice(
    model: ScriptedModel, options: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    model.key = "another"
    _, err = refused(start(folder, *options))
    assert "OPENAI_API_KEY" in err
    assert CANARY not in err

    model.key = CANARY
    model.answer(lambda body: Failure(503))
    process, before = start(folder, *options), len(model.requests)
    wait_until(process, lambda: len(model.requests) >= before + 6)
    os.kill(process.pid, signal.SIGINT)
    assert status_of(process, 0)["state"] == "stopped", "it does not go on to repeat its calls for minutes"

    model.answer(lambda body: '{"claims": []}')
    process = start(folder, *options)
    wait_until(process, lambda: staged_calls(folder) > 0)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept, asked = staged_calls(folder), len(model.requests)

    status = built(start(folder, *options))
    calls = calls_of(folder)
    assert len(model.requests) - asked == len(calls) - kept, "only what was not answered is asked again"
    assert len(calls) == len({json.dumps(call.request, sort_keys=True) for call in calls}) > 0
    assert all(call.model == model.name and call.reply["text"] and call.request["messages"] for call in calls)
    assert status["tokens"] == status["costs"]["build_tokens"] == sum(call.tokens for call in calls) > 0
    assert [role["role"] for role in status["costs"]["roles"]] == ["critics"]
    for path in folder.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path


def test_a_missing_key_is_told_before_anything_is_built(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    process = start(tmp_path / "run", *options, "--target", "openai:gpt-5-mini")
    _, err = process.communicate(timeout=280)
    assert process.returncode == 2
    assert "openai:gpt-5-mini needs a key" in err
    assert "OPENAI_API_KEY" in err
    assert not (tmp_path / "run" / "run.db").exists()


def test_a_budget_that_does_not_cover_the_next_call_stops_the_run(
    model: ScriptedModel, options: tuple[str, ...], tmp_path: Path
) -> None:
    status = status_of(start(tmp_path / "run", *options, "--budget-tokens", "1000"), 0)
    assert (status["state"], status["tokens"], model.requests) == ("stopped", 0, [])


def test_models_that_write_nothing_usable_end_a_run_after_some_builds(
    model: ScriptedModel, options: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    model.answer(lambda body: "I would rather not.")
    status = status_of(start(folder, *options[2:], "--architect", model.name), 1)
    assert (status["state"], status["environments"]) == ("stopped", [])
    assert len(status["set_aside"]) == FRUITLESS_BUILDS
    assert "cannot be used" in status["set_aside"][0]["reason"]
    assert calls_of(folder), "what was said is kept for whoever wants to know why"
