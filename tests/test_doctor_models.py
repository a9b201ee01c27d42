"""What `envolve doctor` says of the models that it is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envolve.diagnosis import Diagnosis, ModelNames, diagnose

from .scripted_model import ScriptedModel


def able(body: dict[str, Any]) -> dict[str, Any]:
    if body.get("tools"):
        return {"content": None, "tool_calls": [{"name": "add", "arguments": {"a": 2, "b": 3}}]}
    return {"content": '{"sum": 5}'}


@pytest.fixture(autouse=True)
def own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ENVOLVE_PRICES", raising=False)


def told(name: str) -> Diagnosis:
    check = diagnose(Path.home(), ModelNames((name,)))[-1]
    assert check.name == f"model {name}"
    assert check.ok is not bool(check.remedy)
    return check


def test_a_model_that_works_is_told_with_its_price(model_server: ScriptedModel) -> None:
    model_server.answer(able)
    check = told(model_server.name)
    assert check.ok
    assert "free" in check.found


def test_all_that_is_wrong_is_told(model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: "Five, I think.")
    check = told(model_server.name)
    assert "no usable JSON" in check.found
    assert "in words" in check.found
    assert "for the roles that write" in check.remedy
    assert "calls tools" in check.remedy


def test_a_solvers_options_are_taken(model_server: ScriptedModel) -> None:
    model_server.answer(able)
    assert told(f"{model_server.name}?temperature=0.3&output=900&turns=7").ok
    assert {request.body["temperature"] for request in model_server.requests} == {0.3}
    assert {request.body["max_tokens"] for request in model_server.requests} == {900}
    assert {request.body["model"] for request in model_server.requests} == {"scripted"}


def test_options_that_there_are_not_are_told(model_server: ScriptedModel) -> None:
    check = told(f"{model_server.name}?heat=1")
    assert "'heat' is no option" in check.found
    assert "temperature" in check.remedy
    assert not model_server.requests
