"""How many tokens a request will come to, before it is sent: rather too many than too few."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .base import ChatReply, ChatRequest, Usage

_LIKELY_BYTES = 4
"""Of English; code and JSON take about three, digits and rare words one."""
_EACH_MESSAGE = 16
_EACH_CALL = 600
"""What templates of chats add: around each message, and for tools and the form of the answer."""


def most_prompt_tokens(request: ChatRequest) -> int:
    """No fewer than any tokenizer makes of it: each token stands for a byte at least."""
    size = _size([request.messages, request.tools, request.json_schema])
    return size + _EACH_MESSAGE * len(request.messages) + _EACH_CALL


def likely_usage(request: ChatRequest, reply: ChatReply) -> Usage:
    """For a server that does not count: four bytes a token."""
    produced = [reply.text, reply.refusal, [call.raw for call in reply.tool_calls]]
    return Usage(prompt=_likely([request.messages, request.tools]), completion=_likely(produced))


def _likely(value: Sequence[Any]) -> int:
    return _size(value) // _LIKELY_BYTES + 1


def _size(value: Sequence[Any]) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
