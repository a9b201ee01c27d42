"""Between an episode and the wire: tool definitions, the model's calls, and what tools answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ....environments.models import CallResult
from ....environments.serving.tool_results import result_text
from ...llm import ChatReply

RESULT_CHARS = 16_000
"""Of one result that are shown."""
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64

Message = dict[str, Any]
Pages = tuple[str, str]
"""The parameters for how many items, and for where to go on."""
_PAGES: tuple[Pages, ...] = (("limit", "offset"), ("limit", "cursor"), ("per_page", "page"), ("perPage", "page"))


def wire_tools(definitions: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """MCP definitions as functions of the chat-completions form."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool.get("description", ""),
                "parameters": tool["inputSchema"],
            },
        }
        for tool in definitions
    )


def call_id(turn: int, index: int) -> str:
    """Ids are given anew: some models leave them out or repeat them. Nine letters and digits suit every provider."""
    return f"c{turn:04d}{index:04d}"


def assistant_message(reply: ChatReply, turn: int) -> Message | None:
    """What the model said, to be shown to it again; None if it said nothing. Arguments that were no JSON object
    show as none, and names are made fit to be sent: providers refuse a conversation that holds others."""
    text = reply.text or reply.refusal
    if not reply.tool_calls:
        return {"role": "assistant", "content": text} if text else None
    calls = [
        {
            "id": call_id(turn, index),
            "type": "function",
            "function": {
                "name": _NO_NAME.sub("_", call.name)[:_LONGEST_NAME] or "unnamed",
                "arguments": _echoed(call.arguments or {}),
            },
        }
        for index, call in enumerate(reply.tool_calls)
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def _echoed(arguments: dict[str, Any]) -> str:
    """Arguments as JSON that any provider takes: halves of surrogate pairs replaced; none where there is no such JSON
    (no finite number, nested too deeply)."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return "{}"
    return text.encode("utf-8", "replace").decode()


def result_message(result: CallResult, turn: int, index: int, *, pages: Pages | None) -> Message:
    """What a tool answered: the JSON that every solver is shown, cut where it is huge. `pages`: the tool's parameters
    for pages, if it has any."""
    text = result_text(result)
    if len(text) > RESULT_CHARS:
        how = (
            f"take fewer at a time with {pages[0]}, and the next with {pages[1]}" if pages else "narrow the call down"
        )
        text = f"{text[:RESULT_CHARS]}\n[cut: {len(text) - RESULT_CHARS:,} more characters; {how}]"
    return {"role": "tool", "tool_call_id": call_id(turn, index), "content": text}


def paged(definitions: Sequence[Mapping[str, Any]]) -> dict[str, Pages]:
    """The tools that give their results in pages, and the parameters for these."""
    return {
        tool["name"]: pages
        for tool in definitions
        for pages in _PAGES
        if tool["inputSchema"].get("properties", {}).keys() >= set(pages)
    }
