"""A model that attacks verifiers, over real HTTP: its scripts are written by hand, and run for real."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.prompted.attacker import PromptedAttacker
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.eval.audit.attacks import Attacker

from ...scripted_model import ScriptedModel

SAMPLE = Path("tests/data/table-booking")
MOVE = "move-the-anniversary-dinner"
EXAMPLE = json.loads(
    (files("envolve.agents.prompted.attacker") / "prompts" / "example.json").read_text(encoding="utf-8")
)
GOLD = {
    "idea": "As asked.",
    "calls": [{"call": "move_booking", "args": {"booking_id": 1806, "table_id": 529, "party_size": 6}}],
}


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(SAMPLE)


@pytest.fixture(scope="module")
def sound(environment: Environment) -> Task:
    return environment.tasks[MOVE]


@pytest.fixture(scope="module")
def weak(sound: Task) -> Task:
    """It only asks for six guests."""
    raw = yaml.safe_load((SAMPLE / "tasks" / f"{MOVE}.yaml").read_text(encoding="utf-8"))
    raw["verifier"]["require"] = [check for check in raw["verifier"]["require"] if check["name"] == "party of six"]
    return Task.model_validate(raw)


def attacker(server: ScriptedModel) -> PromptedAttacker:
    return PromptedAttacker(chat_with(server.name, ModelSettings(patience=0.0, timeout=20.0)))


def test_a_weak_verifier_is_found_out(model_server: ScriptedModel, environment: Environment, weak: Task) -> None:
    model_server.say(EXAMPLE)
    assert isinstance(attacker(model_server), Attacker)
    report = audit(environment, weak, gates=("gold", "attack"), attackers=[attacker(model_server)])
    assert report.gate("attack").status == "failed"
    assert report.grade == "weak"
    (evidence,) = report.gate("attack").evidence
    with environment.open(weak) as episode:
        for call in evidence["calls"]:
            assert episode.call(call["call"], **call["args"]).ok
        episode.submit(**evidence["submit"])
        assert episode.verify().passed
    with environment.open(MOVE) as episode:
        for call in evidence["calls"]:
            episode.call(call["call"], **call["args"])
        episode.submit(**evidence["submit"])
        assert not episode.verify().passed


def test_a_sound_one_stands_and_the_model_hears_why(
    model_server: ScriptedModel, environment: Environment, sound: Task
) -> None:
    model_server.answer(lambda body: EXAMPLE)
    report = audit(environment, sound, gates=("gold", "attack"), attackers=[attacker(model_server)])
    assert (report.gate("attack").status, report.grade) == ("passed", "sound")
    assert "does not hold: at the smallest fitting table" in model_server.requests[1].text
    assert len(model_server.requests) == 3


def test_doing_the_work_is_no_attack(model_server: ScriptedModel, environment: Environment, weak: Task) -> None:
    model_server.say({"scripts": [GOLD]}, {"scripts": []})
    report = audit(environment, weak, gates=("gold", "attack"), attackers=[attacker(model_server)])
    assert report.gate("attack").status == "passed"
    assert "its end is the solution's" in model_server.requests[1].text


def test_a_text_written_otherwise_goes_back(model_server: ScriptedModel, environment: Environment) -> None:
    book = {"table_id": 558, "starts_at": "2026-03-07 19:30:00", "party_size": 4, "note": "WINDOW SIDE, NO MUSIC"}
    leave = {"call": "leave_waitlist", "args": {"restaurant_id": 43}}
    shouted = {"idea": "The note is shouted.", "calls": [{"call": "book_table", "args": book}, leave]}
    model_server.say({"scripts": [shouted]}, {"scripts": []})
    task = environment.tasks["book-the-terrace-for-four"]
    assert list(attacker(model_server).attempts(environment, task, budget=50, seed=0)) == []
    assert "what must be so in the end is so" in model_server.requests[1].text


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ({"calls": [{"call": "drop_everything"}]}, "this person has no tool 'drop_everything'"),
        ({"calls": [{"call": "move_booking", "args": {"booking": 1}}]}, "has no argument 'booking'"),
        ({"calls": [{"call": "list_tables", "as": "No Name"}]}, "scripts[0]"),
        ({"calls": [{"call": "move_booking", "args": {"booking_id": 1, "table_id": 1}}]}, "there is no id 1"),
    ],
)
def test_scripts_that_cannot_run_go_back(
    model_server: ScriptedModel, environment: Environment, sound: Task, script: dict[str, Any], told: str
) -> None:
    model_server.say({"scripts": [{"idea": "Try.", **script}]}, {"scripts": []})
    assert list(attacker(model_server).attempts(environment, sound, budget=50, seed=0)) == []
    assert told in model_server.requests[1].text


def test_the_budget_holds(model_server: ScriptedModel, environment: Environment, weak: Task) -> None:
    looks = [{"call": "get_my_profile"}] * 10
    model_server.answer(lambda body: {"scripts": [{"idea": str(n), "calls": looks[n:]} for n in range(5)]})
    for budget in (1, 12, 40, 100):
        attempts = list(attacker(model_server).attempts(environment, weak, budget=budget, seed=0))
        assert sum(attempt.spent + len(attempt.program) for attempt in attempts) <= budget
        assert bool(attempts) == (budget > 1)


def test_it_sees_the_verifier_and_the_solution(
    model_server: ScriptedModel, environment: Environment, sound: Task
) -> None:
    model_server.say({"scripts": []})
    list(attacker(model_server).attempts(environment, sound, budget=50, seed=0))
    text = model_server.requests[0].text
    assert "SELECT table_id = 529 FROM after.bookings WHERE id = 1806" in text
    assert "move_booking(booking_id=1806" in text
    assert sound.instruction.split("\n")[0] in text
    assert json.dumps(EXAMPLE["scripts"][0]["idea"]) in text


def test_no_usable_reply_is_no_failed_attack(
    model_server: ScriptedModel, environment: Environment, sound: Task
) -> None:
    model_server.answer(lambda body: "The verifier looks fine to me.")
    with pytest.raises(Unusable):
        audit(environment, sound, gates=("gold", "attack"), attackers=[attacker(model_server)])
