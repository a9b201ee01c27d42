"""Calls of tools that a request wants, and what is asked for where a server refuses to have them wanted."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from envolve.agents.llm import ChatRequest
from envolve.agents.llm.errors import ModelRefused
from envolve.agents.llm.extras import extras_of
from envolve.agents.llm.failures import Trouble
from envolve.agents.llm.wire import to_choice

from ...scripted_model import ScriptedModel
from ...scripted_model.script import Failure
from .conftest import HELLO, Ask
from .test_asking import ADD

BY_NAME = {"type": "function", "function": {"name": "add"}}
CALLED: dict[str, Any] = {"content": None, "tool_calls": [{"name": "add", "arguments": {"x": 1}}]}


def wanting(choice: str) -> ChatRequest:
    return HELLO.model_copy(update={"tools": (ADD,), "tool_choice": choice})


def choices(server: ScriptedModel) -> list[Any]:
    """What each request wanted; None where it left that to the server."""
    return [request.body.get("tool_choice") for request in server.requests]


@pytest.mark.parametrize(
    ("choice", "sent"), [("", None), ("auto", "auto"), ("required", "required"), ("add", BY_NAME)]
)
def test_what_is_wanted_reaches_the_server(model_server: ScriptedModel, ask: Ask, choice: str, sent: Any) -> None:
    model_server.say(CALLED)
    assert ask(wanting(choice)).tool_calls[0].arguments == {"x": 1}
    assert choices(model_server) == [sent]
    assert ("tool_choice" in model_server.requests[0].body) == bool(choice)


def test_a_server_that_knows_no_choices_is_asked_without_ever_after(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.refuses = {"tool_choice"}
    model_server.answer(lambda body: "hi")
    assert ask(wanting("add")).text == "hi"
    assert choices(model_server) == [BY_NAME, "required", "auto", None]
    ask(wanting("add"))
    ask(wanting("required"))
    assert choices(model_server)[4:] == [None, None]
    assert all(request.body["tools"] == [ADD] for request in model_server.requests)


def test_a_tool_by_name_is_still_asked_for_where_only_required_is_refused(
    model_server: ScriptedModel, ask: Ask
) -> None:
    def answered(body: dict[str, Any]) -> Any:
        return Failure(422, "tool_choice: no such value") if body["tool_choice"] == "required" else CALLED

    model_server.answer(answered)
    for choice in ("required", "required", "add"):
        assert ask(wanting(choice)).tool_calls
    assert choices(model_server) == ["required", "auto", "auto", BY_NAME]


def test_a_server_that_breaks_without_a_word_is_asked_anew_each_time(model_server: ScriptedModel, ask: Ask) -> None:
    """It may have been in trouble: what it said of the choice is nothing."""
    for _ in range(2):
        model_server.fail(500)
        model_server.say("hi")
        assert ask(wanting("required")).text == "hi"
    assert choices(model_server) == ["required", "auto"] * 2


@pytest.mark.parametrize("status", [401, 403, 404])
def test_other_refusals_are_no_matter_of_choice(model_server: ScriptedModel, ask: Ask, status: int) -> None:
    model_server.fail(status)
    with pytest.raises(ModelRefused):
        ask(wanting("required"))
    assert choices(model_server) == ["required"]


def test_a_server_that_is_busy_is_waited_for(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(429, message="tool_choice costs extra; slow down")
    model_server.say(CALLED)
    assert ask(wanting("required")).tool_calls
    assert choices(model_server) == ["required"] * 2


def test_one_thing_at_a_time_is_left_out(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.refuses = {"response_format"}
    model_server.answer(lambda body: CALLED)
    request = wanting("auto").model_copy(update={"json_schema": {"type": "object"}})
    ask(request)
    assert choices(model_server) == ["auto", "auto"]
    assert "response_format" not in model_server.requests[-1].body


@pytest.mark.parametrize(
    ("choice", "openai", "others"), [("required", "required", "any"), ("auto", "auto", "auto"), ("add", "add", "add")]
)
def test_every_provider_hears_it_in_langchains_words(choice: str, openai: str, others: str) -> None:
    assert to_choice(choice, "openai") == {"tool_choice": openai}
    assert to_choice(choice, "anthropic") == {"tool_choice": others}
    assert to_choice("", "anthropic") == {}


def test_what_a_providers_package_will_not_send_is_left_out() -> None:
    (extra,) = extras_of(wanting("auto"))
    assert extra.may_be_why(Trouble("bind_tools() got an unexpected keyword argument", passing=False))
    assert not extra.may_be_why(Trouble("it cannot be reached", passing=True))


@pytest.mark.parametrize("tools", [(), (ADD,)])
def test_a_choice_that_there_is_not_is_the_callers_error(tools: tuple[dict[str, Any], ...]) -> None:
    with pytest.raises(ValidationError, match="'multiply'"):
        ChatRequest(messages=HELLO.messages, tools=tools, tool_choice="multiply")
