"""What a tool call answers with, as the protocol wants it: structured content, and the same as JSON text."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from mcp_types import CallToolResult, TextContent

from ..models import CallResult, ToolFailure

INTERNAL: Final = CallResult(
    ok=False, error=ToolFailure(code="internal", message="The tool failed for an internal reason.")
)
ENDED: Final = CallResult(
    ok=False, error=ToolFailure(code="conflict", message="The episode has ended; tools are closed.")
)


def tool_result(result: CallResult) -> CallToolResult:
    """`result` for the wire. The text is the JSON of `result.payload()`, the bytes every solver is shown.

    Structured content must be an object, so a bare value is wrapped as `{"result": value}`. A payload that has no
    JSON form (not a number, bytes) is an internal error.
    """
    sent = _sent(result)
    return CallToolResult(
        content=[TextContent(type="text", text=sent.text)],
        structured_content=_as_object(sent.payload),
        is_error=not sent.ok,
    )


def result_text(result: CallResult) -> str:
    """The text of `tool_result`, without the rest."""
    return _sent(result).text


class _Sent(NamedTuple):
    text: str
    payload: Any
    ok: bool


def _sent(result: CallResult) -> _Sent:
    payload = result.payload()
    try:
        text = json.dumps(payload, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return _sent(INTERNAL)
    if _encodable(text):
        return _Sent(text, payload, result.ok)
    text = text.encode("utf-8", "replace").decode()
    return _Sent(text, json.loads(text), result.ok)


def _encodable(text: str) -> bool:
    """Whether `text` is valid Unicode; lone surrogates reach us through `\\ud800` escapes in arguments."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_object(payload: Any) -> dict[str, Any]:
    return payload if isinstance(payload, dict) else {"result": payload}
