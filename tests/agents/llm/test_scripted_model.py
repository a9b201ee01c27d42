"""The model server of these tests is itself held against clients that nobody here wrote."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import BaseMessageChunk
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from ...scripted_model import ScriptedModel

CALL = {"name": "add", "arguments": {"a": 1}}


def post(server: ScriptedModel, **body: Any) -> httpx.Response:
    body = {"model": "scripted", "messages": [{"role": "user", "content": "Hi"}]} | body
    return httpx.post(f"{server.url}/chat/completions", json=body, headers={"X-Mine": "1"})


def text_of(response: httpx.Response) -> Any:
    return response.json()["choices"][0]["message"]["content"]


class Note(BaseModel):
    words: str


def test_replies_are_said_in_order(model_server: ScriptedModel) -> None:
    model_server.say("one", {"words": "two"}, Note(words="three"), {"content": "four"}, {"content": "x", "other": 1})
    said = [text_of(post(model_server)) for _ in range(5)]
    assert said == ["one", '{"words": "two"}', '{"words":"three"}', "four", '{"content": "x", "other": 1}']
    assert model_server.requests[0].headers["x-mine"] == "1"
    assert model_server.requests[0].text == "Hi"
    assert post(model_server).status_code == 404


def test_models_are_listed(model_server: ScriptedModel) -> None:
    listed = httpx.get(f"{model_server.url}/models").json()
    assert [model["id"] for model in listed["data"]] == ["scripted"]


def test_replies_are_streamed(model_server: ScriptedModel) -> None:
    model_server.say({"content": "A reply of more than twenty characters.", "tool_calls": [CALL]})

    async def read() -> BaseMessageChunk:
        async with httpx.AsyncClient() as client:
            named: dict[str, Any] = {"model": "scripted", "base_url": model_server.url, "api_key": "none"}
            model = ChatOpenAI(http_async_client=client, **named)
            chunks = [chunk async for chunk in model.astream("Hi")]
        whole = chunks[0]
        for chunk in chunks[1:]:
            whole += chunk
        assert len(chunks) > 3
        return whole

    whole: Any = asyncio.run(read())
    assert whole.content == "A reply of more than twenty characters."
    assert whole.tool_calls[0]["args"] == {"a": 1}
    assert whole.usage_metadata["output_tokens"] > 0


def exchange(words: str, reply: Any) -> str:
    return json.dumps({"request": {"messages": [{"role": "user", "content": words}]}, "reply": reply, "seconds": 1})


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    rows = [exchange("a", {"content": "A1"}), exchange("b", {"tool_calls": [CALL]}), exchange("a", {"content": "A2"})]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_log_is_played_by_what_was_asked(model_server: ScriptedModel, log: Path) -> None:
    model_server.play(log)

    def said(words: str) -> Any:
        return post(model_server, messages=[{"role": "user", "content": words}], temperature=0.5)

    assert said("b").json()["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"a": 1}'
    assert [text_of(said("a")) for _ in range(3)] == ["A1", "A2", "A2"]
    assert said("c").status_code == 404


def test_a_log_is_played_whatever_ids_its_calls_had(model_server: ScriptedModel, tmp_path: Path) -> None:
    def conversation(identity: str) -> list[dict[str, Any]]:
        call = {"id": identity, "type": "function", "function": {"name": "add", "arguments": "{}"}}
        return [
            {"role": "user", "content": "Add."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": identity, "content": "1"},
        ]

    path = tmp_path / "log.jsonl"
    row = {"request": {"messages": conversation("call_0_1764446400")}, "reply": {"content": "One."}}
    path.write_text(json.dumps(row), encoding="utf-8")
    model_server.play(path)
    assert text_of(post(model_server, messages=conversation("call_7_0"))) == "One."


def test_a_log_is_played_in_its_order(model_server: ScriptedModel, log: Path) -> None:
    model_server.play(log, by="order")
    assert [text_of(post(model_server)) for _ in range(3)] == ["A1", None, "A2"]


def test_failures_are_as_told(model_server: ScriptedModel) -> None:
    model_server.fail(429, retry_after=2)
    response = post(model_server)
    assert (response.status_code, response.headers["retry-after"]) == (429, "2")
    model_server.fail("drop")
    with pytest.raises(httpx.RemoteProtocolError):
        post(model_server)
    model_server.fail("truncated")
    with pytest.raises(json.JSONDecodeError):
        post(model_server).json()
    model_server.down(60)
    with pytest.raises(httpx.ConnectError):
        post(model_server)
    model_server.up()
    model_server.say("up")
    assert text_of(post(model_server)) == "up"


def test_a_failure_that_there_is_not_is_told(model_server: ScriptedModel) -> None:
    with pytest.raises(ValueError, match="'earthquake'"):
        model_server.fail("earthquake")
