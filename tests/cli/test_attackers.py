"""Attackers of `envolve audit`: what a model finds is told with a reproducer and its cost."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..scripted_model import ScriptedModel
from .conftest import SAMPLE, Cli

EXAMPLE = (files("envolve.agents.prompted.attacker") / "prompts" / "example.json").read_text(encoding="utf-8")
MOVE = "move-the-anniversary-dinner"


def answer(body: dict[str, Any]) -> Any:
    """The prompt's example for the task that it is of, nothing for others."""
    asked = str(body["messages"][-1]["content"])
    return json.loads(EXAMPLE) if "anniversary dinner on Friday has grown" in asked else {"scripts": []}


def test_a_model_attacks_each_verifier(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, folder := tmp_path / "table-booking")
    file = folder / "tasks" / f"{MOVE}.yaml"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(line for line in lines if "name: at the smallest" not in line), encoding="utf-8")
    (folder / "tasks" / "book-the-terrace-for-four.yaml").unlink()
    model_server.answer(answer)
    done = cli("audit", folder, "--attacker", model_server.name)
    assert done.code == 1
    assert "Attacks: " in done.out
    assert " tokens, $0.00" in done.out
    assert len(model_server.requests) == 2
    told = cli("audit", folder, "--attacker", model_server.name, "--json").json
    gates = {task["task"]: task["gates"]["attack"] for task in told["tasks"]}
    gate = gates.pop(MOVE)
    (sound,) = gates.values()
    assert (gate["status"], sound["status"]) == ("failed", "passed")
    assert model_server.name in gate["message"]
    assert any(found["attack"].startswith("The only check counts") for found in gate["evidence"])
    assert told["summary"]["tokens"] > 0


def test_attackers_that_are_none(cli: Cli) -> None:
    cli("audit", SAMPLE, "--attacker", "burglar").refused(2, "'burglar'", "openai:", "module:attr")
    cli("audit", SAMPLE, "--attacker", "json:dumps").refused(2, "is no attacker", "attempts")
