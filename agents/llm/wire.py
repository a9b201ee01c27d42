"""Between the wire form of chat completions and LangChain's messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

from ...environments.errors import InputError
from .base import ChatReply, Finish, ToolCall, Usage
from .json_text import decoded

LONGEST = 2_000_000
"""Characters of a reply; what is longer is cut, and counts as cut."""
MOST_TOKENS = 50_000_000
"""No single call comes to more: a server that says so cannot count."""
RAW_CALLS = "wire_tool_calls"
"""Where a message keeps tool calls as they came: LangChain parts good from bad and fails on some."""

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",
    "safety": "content_filter",
}


def to_langchain(messages: Sequence[Mapping[str, Any]]) -> list[BaseMessage]:
    """Errors: InputError for a role that there is not."""
    return [_message(message) for message in messages]


def to_choice(choice: str, provider: str) -> dict[str, str]:
    """A request's `tool_choice` as LangChain's `bind_tools` takes it from every provider: most packages would take
    "required" for a tool's name."""
    if not choice:
        return {}
    return {"tool_choice": "any" if choice == "required" and provider != "openai" else choice}


def to_reply(message: AIMessage) -> ChatReply:
    """What came back, without its cost."""
    calls = _calls(message)
    refusal = _unicode(str(message.additional_kwargs.get("refusal") or _of_blocks(message, "refusal")))
    finish = _finish(message.response_metadata)
    if finish in ("stop", "other") and calls:
        finish = "tool_calls"
    text = _unicode(_text(message))
    if len(text) > LONGEST:
        text, finish = text[:LONGEST], "length"
    return ChatReply(text=text, tool_calls=calls, finish=finish, refusal=refusal, usage=_usage(message))


def call_from(identity: str, name: str, raw: str) -> ToolCall:
    """A call whose arguments are `raw`. Models leave them empty for tools without parameters."""
    try:
        value = decoded(raw) if raw.strip() else {}
    except (ValueError, RecursionError):
        value = None
    return ToolCall(id=identity, name=name, arguments=value if isinstance(value, dict) else None, raw=raw)


def _message(message: Mapping[str, Any]) -> BaseMessage:
    content = message.get("content") or ""
    match message.get("role"):
        case "system" | "developer":
            return SystemMessage(content)
        case "user":
            return HumanMessage(content)
        case "tool":
            return ToolMessage(content, tool_call_id=str(message.get("tool_call_id", "")))
        case "assistant":
            return _assistant(content, message.get("tool_calls") or ())
        case other:
            raise InputError(
                f"A message of a chat has role {other!r}.", remedy="Roles: system, user, assistant, tool."
            )


def _assistant(content: Any, calls: Sequence[Mapping[str, Any]]) -> AIMessage:
    read = [
        call_from(str(call.get("id") or ""), call["function"]["name"], call["function"].get("arguments") or "")
        for call in calls
    ]
    good = [tool_call(name=c.name, args=c.arguments, id=c.id) for c in read if c.arguments is not None]
    bad = [invalid_tool_call(name=c.name, args=c.raw, id=c.id) for c in read if c.arguments is None]
    return AIMessage(content=content, tool_calls=good, invalid_tool_calls=bad)


def _calls(message: AIMessage) -> tuple[ToolCall, ...]:
    raw = message.additional_kwargs.get(RAW_CALLS)
    if raw is not None:
        wire = [(call.get("id"), _mapping(call.get("function"))) for call in raw]
        found = [(id_, str(f.get("name") or ""), _written(f.get("arguments"))) for id_, f in wire]
    else:
        found = [(call["id"], call["name"], json.dumps(call["args"])) for call in message.tool_calls]
        found += [(call["id"], call["name"] or "", call["args"] or "") for call in message.invalid_tool_calls]
    return tuple(
        call_from(str(id_ or f"call_{place}"), _unicode(name), _unicode(raw))
        for place, (id_, name, raw) in enumerate(found)
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _written(arguments: Any) -> str:
    """Arguments as text; some servers give the object itself."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""


def _unicode(text: str) -> str:
    """Halves of surrogate pairs, which JSON lets through, could neither be kept nor sent again."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(message: AIMessage) -> str:
    """The words of a message; thinking that came in blocks of its own is left out."""
    if isinstance(message.content, str):
        return message.content
    return "".join(block for block in message.content if isinstance(block, str)) + _of_blocks(message, "text")


def _of_blocks(message: AIMessage, key: str) -> str:
    """What a message that comes in blocks holds under `key`."""
    blocks = message.content if isinstance(message.content, list) else []
    return "".join(str(block.get(key) or "") for block in blocks if isinstance(block, dict))


def _finish(metadata: Mapping[str, Any]) -> Finish:
    said = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("status")
    if said == "incomplete":
        said = (metadata.get("incomplete_details") or {}).get("reason")
    return _FINISHES.get(str(said).lower(), "other") if said else "stop"


def _usage(message: AIMessage) -> Usage:
    """None counted (all 0) where the server's figures cannot be."""
    counted = message.usage_metadata
    if counted is None:
        return Usage()
    cached = (counted.get("input_token_details") or {}).get("cache_read") or 0
    figures = (counted["input_tokens"], cached, counted["output_tokens"])
    if not all(isinstance(figure, int) and 0 <= figure <= MOST_TOKENS for figure in figures):
        return Usage()
    return Usage(prompt=figures[0], cached=min(cached, figures[0]), completion=figures[2])
