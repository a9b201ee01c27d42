"""What `envolve doctor` finds out about a model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.llm import ModelProblem, probe

from ...scripted_model import ScriptedModel
from .conftest import QUICK


def found(name: str) -> list[ModelProblem]:
    return asyncio.run(probe(name, QUICK))


def able(body: dict[str, Any]) -> dict[str, Any]:
    if body.get("tools"):
        return {"content": None, "tool_calls": [{"name": "add", "arguments": {"a": 2, "b": 3}}]}
    return {"content": '{"sum": 5}'}


def test_a_model_that_can_do_it_all(model_server: ScriptedModel) -> None:
    model_server.answer(able)
    assert found(model_server.name) == []
    assert len(model_server.requests) == 2


def test_a_server_without_response_formats_is_no_problem(model_server: ScriptedModel) -> None:
    model_server.refuses = {"response_format"}
    model_server.answer(able)
    assert found(model_server.name) == []


def test_a_wrong_key(model_server: ScriptedModel) -> None:
    model_server.key = "sesame"
    (problem,) = found(model_server.name)
    assert "401" in problem.message
    assert "OPENAI_API_KEY" in problem.remedy


def test_an_unknown_model(model_server: ScriptedModel) -> None:
    model_server.models = ["qwen3-8b"]
    (problem,) = found(f"openai:qwen3@{model_server.url}")
    assert "404" in problem.message
    assert "qwen3-8b" in problem.remedy


def test_nobody_there(model_server: ScriptedModel) -> None:
    model_server.down(60)
    (problem,) = asyncio.run(probe(model_server.name, QUICK.model_copy(update={"patience": 0.1})))
    assert "cannot be reached" in problem.message
    assert model_server.url in problem.remedy


@pytest.mark.parametrize("name", ["gpt-5", "openai:", "fireworks:x"])
def test_a_name_that_cannot_be_used(name: str) -> None:
    (problem,) = found(name)
    assert problem.remedy


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (None, "in words"),
        ({"name": "multiply", "arguments": {"a": 2, "b": 3}}, "that there are not"),
        ({"name": "add", "arguments": "{"}, "wrong arguments"),
        ({"name": "add", "arguments": {"x": 2}}, "wrong arguments"),
    ],
)
def test_a_model_that_calls_no_tools(model_server: ScriptedModel, call: dict[str, Any] | None, told: str) -> None:
    model_server.answer(
        lambda body: {"content": '{"sum": 5}', "tool_calls": [call] if call and body.get("tools") else []}
    )
    (problem,) = found(model_server.name)
    assert told in problem.message
    assert "tool" in problem.remedy


def test_a_model_that_calls_tools_only_where_it_must(model_server: ScriptedModel) -> None:
    model_server.answer(
        lambda body: able(body) if body.get("tool_choice") == "required" else {"content": '{"sum": 5}'}
    )
    (problem,) = found(model_server.name)
    assert "in words" in problem.message
    assert f"{model_server.name}?tools=required" in problem.remedy


def test_a_server_that_takes_no_tools(model_server: ScriptedModel) -> None:
    model_server.refuses = {"tools"}
    model_server.answer(able)
    (problem,) = found(model_server.name)
    assert "takes no tools" in problem.message


def test_a_model_that_writes_no_json(model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: able(body) if body.get("tools") else {"content": "Five, I think."})
    (problem,) = found(model_server.name)
    assert "no usable JSON" in problem.message
