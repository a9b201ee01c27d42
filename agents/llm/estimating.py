"""How many tokens a request will come to, before it is sent: rather too many than too few."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .base import ChatReply, ChatRequest, Usage

_BYTES_A_TOKEN = 2
"""English takes about four, code and JSON about three, other scripts about two to three."""
_EACH_MESSAGE = 16
_EACH_CALL = 200


def most_prompt_tokens(request: ChatRequest) -> int:
    """No fewer than any common tokenizer makes of it."""
    size = _size([request.messages, request.tools, request.json_schema])
    return size // _BYTES_A_TOKEN + _EACH_MESSAGE * len(request.messages) + _EACH_CALL


def likely_usage(request: ChatRequest, reply: ChatReply) -> Usage:
    """For a server that does not count: four bytes a token."""
    produced = _size([reply.text, reply.refusal, [call.raw for call in reply.tool_calls]])
    return Usage(prompt=_size([request.messages, request.tools]) // 4 + 1, completion=produced // 4 + 1)


def _size(value: Sequence[Any] | Mapping[str, Any]) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
