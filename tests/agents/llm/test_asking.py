"""One call over real HTTP: what is sent, and what comes back."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from envolve.agents.llm import ChatReply, ChatRequest, chat_with
from envolve.environments.errors import InputError

from ...scripted_model import ScriptedModel
from .conftest import HELLO, QUICK, Ask

ADD = {"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}}


def test_a_reply_is_text_finish_and_tokens(model_server: ScriptedModel, ask: Ask) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    model_server.say({"content": "Hi.", "usage": usage | {"prompt_tokens_details": {"cached_tokens": 64}}})
    reply = ask()
    assert (reply.text, reply.finish, reply.cost_usd) == ("Hi.", "stop", 0)
    assert (reply.usage.prompt, reply.usage.cached, reply.usage.completion) == (100, 64, 7)


def test_a_server_that_does_not_count_is_estimated(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.say({"content": "x" * 400, "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}})
    assert ask().usage.completion >= 100


def test_settings_reach_the_server(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.say("a", "b")
    ask(temperature=0.5, max_output_tokens=77, effort="low")
    body = model_server.requests[-1].body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("scripted", 0.5, 77)
    assert body["reasoning_effort"] == "low"
    ask(HELLO.model_copy(update={"max_output_tokens": 5}))
    body = model_server.requests[-1].body
    assert body["max_tokens"] == 5
    assert not {"temperature", "reasoning_effort", "tools", "response_format"} & set(body)


def test_tool_calls_come_in_order_with_what_was_written(model_server: ScriptedModel, ask: Ask) -> None:
    calls = [
        {"id": "a", "name": "add", "arguments": {"x": 1}},
        {"id": "b", "name": "add", "arguments": "[1]"},
        {"id": "c", "name": "add", "arguments": "{broken"},
        {"id": "d", "name": "add", "arguments": ""},
        {"id": "e", "name": "add", "arguments": "null"},
    ]
    model_server.say({"content": "Let me add.", "tool_calls": calls})
    reply = ask(HELLO.model_copy(update={"tools": (ADD,)}))
    assert [call.id for call in reply.tool_calls] == list("abcde")
    assert [call.arguments for call in reply.tool_calls] == [{"x": 1}, None, None, {}, None]
    assert reply.tool_calls[2].raw == "{broken"
    assert (reply.text, reply.finish) == ("Let me add.", "tool_calls")
    assert model_server.requests[0].body["tools"] == [ADD]


def test_a_conversation_is_sent_as_it_is(model_server: ScriptedModel, ask: Ask) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 1}'}}
    bad = {"id": "b", "type": "function", "function": {"name": "add", "arguments": "{broken"}}
    messages = (
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Add."},
        {"role": "assistant", "content": "Yes.", "tool_calls": [call, bad]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "No JSON."},
        {"role": "assistant", "content": "One."},
    )
    model_server.say("ok")
    ask(ChatRequest(messages=messages))
    assert model_server.requests[0].body["messages"] == list(messages)


def test_a_message_that_says_nothing_is_sent_as_empty_text(model_server: ScriptedModel, ask: Ask) -> None:
    """Servers that check strictly take no null."""
    call = {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 1}'}}
    messages = (
        {"role": "user", "content": "Add."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
    )
    model_server.say("ok")
    ask(ChatRequest(messages=messages))
    assert model_server.requests[0].body["messages"] == list(messages)


def test_a_role_that_there_is_not_is_the_callers_error(ask: Ask) -> None:
    with pytest.raises(InputError, match="'narrator'"):
        ask(ChatRequest(messages=({"role": "narrator", "content": "Once"},)))


@pytest.mark.parametrize(
    ("kind", "finish"), [("length", "length"), ("empty", "stop"), ("refusal", "stop"), ("unknown tool", "tool_calls")]
)
def test_replies_of_every_end(model_server: ScriptedModel, ask: Ask, kind: str, finish: str) -> None:
    model_server.fail(kind)
    reply = ask()
    assert reply.finish == finish
    assert bool(reply.refusal) == (kind == "refusal")


def test_text_that_is_no_unicode_is_made_so(model_server: ScriptedModel, ask: Ask) -> None:
    model_server.say("a\ud800b")
    assert ask().text == "a\ufffdb"


def test_a_server_without_response_formats_is_asked_without(model_server: ScriptedModel) -> None:
    model_server.refuses = {"response_format"}
    model_server.answer(lambda body: "{}")
    shaped = HELLO.model_copy(update={"json_schema": {"type": "object"}})

    async def thrice() -> None:
        for _ in range(2):
            await chat_with(model_server.name, QUICK).ask(shaped)

    asyncio.run(thrice())
    sent = ["response_format" in request.body for request in model_server.requests]
    assert sent == [True, False, False]


def test_a_server_that_breaks_over_response_formats_is_asked_without(model_server: ScriptedModel) -> None:
    """llama.cpp's Python server answers 500, with the words of its validator."""
    words = "validation error: ('body', 'response_format', 'type') Input should be 'text' or 'json_object'"
    model_server.fail(500, message=words)
    model_server.say("{}")
    shaped = HELLO.model_copy(update={"json_schema": {"type": "object"}})
    reply = asyncio.run(chat_with(model_server.name, QUICK).ask(shaped))
    assert reply.text == "{}"
    assert ["response_format" in request.body for request in model_server.requests] == [True, False]


def test_no_more_calls_at_once_than_wanted(model_server: ScriptedModel) -> None:
    lock = threading.Lock()
    together = threading.Barrier(3, timeout=30)
    now, most = 0, 0

    def slow(body: object) -> str:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        together.wait()
        with lock:
            now -= 1
        return "done"

    model_server.answer(slow)
    settings = QUICK.model_copy(update={"concurrency": 3})

    async def many() -> list[ChatReply]:
        # Two chats of one endpoint share its limit.
        chats = [chat_with(model_server.name, settings), chat_with(model_server.name, settings)]
        return await asyncio.gather(*(chats[turn % 2].ask(HELLO) for turn in range(9)))

    assert len(asyncio.run(many())) == 9
    assert most == 3


def test_one_chat_serves_several_loops_and_leaves_nothing_open(model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: "hi")
    chat = chat_with(model_server.name, QUICK)
    for _ in range(3):
        assert asyncio.run(chat.ask(HELLO)).text == "hi"
    gc.collect()
