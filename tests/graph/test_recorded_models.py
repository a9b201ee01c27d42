"""Whole runs in which every role is a model: recorded replies, played over real HTTP (`tests/recordings`)."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from envolve.agents.solvers import solver_named
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out
from envolve.graph.build_graph import FIRST_TASKS

from ..scripted_model import ScriptedModel
from ..scripted_model.recordings import Recording

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = [path.stem for path in sorted(RECORDINGS.glob("*.jsonl"))]
ROLES = {"architect", "coder", "critics", "task_writer"}
"""Those that every recorded run asked."""


def envolve(*arguments: object) -> Any:
    """The object that a command prints."""
    words = [sys.executable, "-m", "envolve", *map(str, arguments), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=880, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def config_with(model: str, name: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The recorded run's options with the model's address of today."""
    told = yaml.safe_load((RECORDINGS / f"{name}.yaml").read_text(encoding="utf-8"))
    path = folder / "options.yaml"
    path.write_text(yaml.safe_dump({**told["run"], "model": model}), encoding="utf-8")
    return path, told


@pytest.mark.slow
@pytest.mark.timeout(900)
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
    (line,) = status["environments"]
    assert status["tasks"]["audited"] == line["tasks"] >= FIRST_TASKS
    assert status["tasks"]["confirmed"] == line["in_band"] >= 1
    assert {role["role"] for role in status["costs"]["roles"]} == {*ROLES, *told["roles"]}
    assert line["tokens"] == status["tokens"] > 0
    listed = envolve("status", folder, "--tasks")["task_list"]
    assert sum(task["tokens"] for task in listed) > 0
    environment = Environment.load(folder / "environments" / line["id"])
    assert environment.spec.provenance.agents["coder"] == model_server.name
    solver = solver_named(model_server.name)
    for task, outcome in told["solved"].items():
        attempt = roll_out(environment, environment.tasks[task], solver, index=0, purpose="free", seed=0)
        assert asyncio.run(attempt).verdict.outcome == outcome
    assert [exchange.kind for exchange in recording.exchanges if not exchange.used] == []
    assert recording.missing == []
