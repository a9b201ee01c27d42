"""Replies in OpenAI's wire form: one message as a chat completion, whole or as a stream of chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

Reply = str | dict[str, Any] | list[Any] | BaseModel

_MESSAGE_KEYS = {"role", "content", "tool_calls", "refusal", "finish_reason", "usage", "reasoning_content"}


def message_of(reply: Reply) -> dict[str, Any]:
    """A message from what a test wrote: text; a message (only keys of one); anything else is sent as JSON text."""
    if isinstance(reply, str):
        return {"content": reply}
    if isinstance(reply, BaseModel):
        return {"content": reply.model_dump_json(by_alias=True)}
    if isinstance(reply, dict) and {"content", "tool_calls"} & set(reply) and set(reply) <= _MESSAGE_KEYS:
        return reply
    return {"content": json.dumps(reply, ensure_ascii=False)}


def completion(body: dict[str, Any], reply: dict[str, Any], number: int) -> dict[str, Any]:
    """The chat completion that answers `body`. Tokens are counted at four characters each."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.get("content")}
    message |= {key: reply[key] for key in ("refusal", "reasoning_content") if key in reply}
    calls = [_call(call, f"call_{number}_{place}") for place, call in enumerate(reply.get("tool_calls") or [])]
    if calls:
        message["tool_calls"] = calls
    prompt = len(json.dumps([body.get("messages"), body.get("tools")])) // 4
    produced = len(json.dumps(message)) // 4
    usage = {"prompt_tokens": prompt, "completion_tokens": produced, "total_tokens": prompt + produced}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", ""),
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": reply.get("finish_reason") or ("tool_calls" if calls else "stop"),
            }
        ],
        "usage": reply.get("usage") or usage,
    }


def chunks(whole: dict[str, Any]) -> Iterator[bytes]:
    """The same completion as server-sent events."""
    base = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = whole["choices"][0]
    message = dict(choice["message"])
    text = message.pop("content") or ""
    calls = [call | {"index": place} for place, call in enumerate(message.pop("tool_calls", []))]
    deltas: list[dict[str, Any]] = [message | {"content": ""}]
    deltas += [{"content": text[start : start + 20]} for start in range(0, len(text), 20)]
    deltas += [{"tool_calls": [call]} for call in calls]
    for delta in deltas:
        yield _event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    yield _event(base | {"choices": [], "usage": whole["usage"]})
    yield b"data: [DONE]\n\n"


def _event(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _call(call: dict[str, Any], number: str) -> dict[str, Any]:
    """In wire form, from that or from the short form {"name", "arguments"} (an object, or text as it stands)."""
    given = call.get("function", call)
    arguments = given.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {
        "id": call.get("id") or number,
        "type": "function",
        "function": {"name": given["name"], "arguments": text},
    }
