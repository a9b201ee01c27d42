"""A refusal of one request for what it holds is told apart from one that every request would meet."""

from __future__ import annotations

import asyncio
import pickle

import pytest

from envolve.agents.llm import chat_with, structured
from envolve.agents.llm.errors import ModelRefused, RequestRefused, Unusable

from ...scripted_model import ScriptedModel
from .conftest import HELLO, QUICK, Ask
from .test_structured import GOOD, PROMPT, Pets

LONG = "This model's maximum context length is 32,768 tokens, and your request has 40000 input tokens."
OWN = [
    (400, "invalid_prompt", "Your prompt was flagged as potentially violating our usage policy.", "content"),
    (400, "content_filter", "The response was filtered.", "content"),
    (400, "", "Output blocked by content filtering policy", "content"),
    (403, "", "Content violates usage guidelines.", "content"),
    (400, "context_length_exceeded", "Too many.", "context"),
    (400, "", LONG, "context"),
    (400, "", "prompt is too long: 200251 tokens > 200000 maximum", "context"),
    (422, "", "Prompt contains 9000 tokens, too large for model with 8192 maximum context length", "context"),
    (500, "", "Requested tokens (40000) exceed context window of 32768", "context"),
    (413, "", "", "context"),
    (400, "invalid_function_parameters", "Invalid schema for function 'add'", "form"),
]
ALL = [
    (400, "", "'temperature' is not supported with this model."),
    (400, "", "'max_tokens' is too large: 16000. This model's maximum context length is 4096 tokens."),
    (403, "", "Your account was closed for its content policy record; the model's context length is 128000."),
    (404, "model_not_found", "There is no such model with a context length of 100000."),
    (422, "", "Unprocessable."),
]


def shaped(server: ScriptedModel) -> Pets:
    chat = chat_with(server.name, QUICK.model_copy(update={"max_output_tokens": 500}))
    return asyncio.run(structured(chat, PROMPT, Pets))


@pytest.mark.parametrize(("status", "code", "words", "reason"), OWN)
def test_a_request_is_refused_for_what_it_holds(
    model_server: ScriptedModel, ask: Ask, status: int, code: str, words: str, reason: str
) -> None:
    model_server.fail(status, code=code, message=words)
    with pytest.raises(RequestRefused) as caught:
        ask()
    assert isinstance(caught.value, Unusable)
    assert caught.value.reason == reason
    assert f"HTTP {status}" in caught.value.message
    assert caught.value.remedy
    assert caught.value.problems
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(("status", "code", "words"), ALL)
def test_what_every_request_would_meet_is_no_matter_of_one(
    model_server: ScriptedModel, ask: Ask, status: int, code: str, words: str
) -> None:
    model_server.fail(status, code=code, message=words)
    with pytest.raises(ModelRefused):
        ask()


def test_a_request_that_is_too_long_is_not_asked_for_in_another_form(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.fail(400, message=LONG)
    with pytest.raises(RequestRefused):
        ask(HELLO.model_copy(update={"json_schema": {"type": "object"}}))
    assert len(model_server.requests) == 1


def test_a_refused_request_passes_a_wanted_shape_as_it_is(model_server: ScriptedModel) -> None:
    model_server.fail(400, code="content_filter")
    with pytest.raises(RequestRefused):
        shaped(model_server)


def test_more_room_than_the_context_has_is_done_without(model_server: ScriptedModel) -> None:
    model_server.say({"content": "", "finish_reason": "length"})
    model_server.fail(400, message=LONG)
    model_server.say(GOOD)
    assert shaped(model_server).pets
