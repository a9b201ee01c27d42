"""Whole runs in which every role is a model: recorded replies, played over real HTTP (`tests/recordings`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from envolve.agents.tester import run_gates
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.memory.store import RunStore

from ..scripted_model import ScriptedModel
from ..scripted_model.recordings import Recording

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = sorted(path.stem for path in RECORDINGS.glob("*.jsonl"))
ROLES = {"architect", "coder", "critics", "task_writer"}


def envolve(*arguments: object) -> Any:
    """The object that a command prints."""
    words = [sys.executable, "-m", "envolve", *map(str, arguments), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=280, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def config_with(model: str, name: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The recorded run's options with the model's address of today."""
    told = yaml.safe_load((RECORDINGS / f"{name}.yaml").read_text(encoding="utf-8"))
    path = folder / "options.yaml"
    path.write_text(yaml.safe_dump({**told["run"], "model": model}), encoding="utf-8")
    return path, told


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_run_comes_to_an_admitted_environment_with_measured_tasks(
    name: str, model_server: ScriptedModel, tmp_path: Path
) -> None:
    recording = Recording.load(RECORDINGS / f"{name}.jsonl")
    model_server.answer(recording.answer)
    options, told = config_with(model_server.name, name, tmp_path)
    folder = tmp_path / "run"
    status = envolve("run", folder, "--config", options)
    assert recording.missing == []
    assert recording.changed == [], "prompts changed: record anew, or see that what changed is meant"
    (line,) = status["environments"]
    assert line["tasks"] >= 5
    assert status["tasks"]["audited"] >= 5
    assert {role["role"] for role in status["costs"]["roles"]} >= ROLES
    with RunStore.open_read_only(folder) as store:
        assert {record.purpose for record in store.tasks.measurements()} >= {"measure"}
    environment = Environment.load(folder / "environments" / line["id"])
    assert not [finding for finding in run_gates(environment, seed=5).findings if finding.confirmed]
    grades = [audit(environment, task).grade for task in environment.tasks.values()]
    assert grades.count("sound") == len(grades) >= 5
    for task, outcome in told.get("solved", {}).items():
        solved = envolve("solve", environment_path(folder, line["id"]), task, "--solver", model_server.name, "-n", 1)
        assert solved["results"][0]["outcomes"] == {outcome: 1}
    assert recording.missing == []


def environment_path(folder: Path, name: str) -> Path:
    return folder / "environments" / name
