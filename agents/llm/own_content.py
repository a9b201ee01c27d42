"""Is a refusal about the one request that met it? Providers say so by status, by code, or only in words."""

from __future__ import annotations

import re
from typing import Final, Literal

Reason = Literal["context", "content", "form"]
"""Why one request is refused: too long, a filter of what it says, or how what it defines is written."""

_CODES: Final[dict[str, Reason]] = {
    "context_length_exceeded": "context",
    "context_window_exceeded": "context",
    "exceed_context_size_error": "context",
    "prompt_too_long": "context",
    "request_too_large": "context",
    "string_above_max_length": "context",
    "tokens_limit_reached": "context",
    "content_filter": "content",
    "content_policy_violation": "content",
    "data_inspection_failed": "content",
    "invalid_prompt": "content",
    "invalid_function_parameters": "form",
}
_TOO_LONG: Final = re.compile(
    r"context[ _](length|window|size|limit)|(prompt|input|messages?|payload)\b.{0,60}\btoo (long|large)"
    r"|longer than the model|maximum (prompt|input) length|maximum number of (input )?tokens"
    r"|reduce the length|payload size exceeds",
    re.IGNORECASE,
)
_FILTERED: Final = re.compile(
    r"content (management|filter|exists risk|violates)|violat\w+ .{0,40}content polic|responsible ?ai|safety system"
    r"|(prompt|input|request|content|messages?)\b.{0,30}\bflagged",
    re.IGNORECASE,
)
_CONTEXT_IS: Final = re.compile(r"context\D{0,40}?(\d[\d,]{2,})", re.IGNORECASE)
_OF_THE_ACCOUNT: Final = frozenset({401, 402, 404, 429})
_TOO_LARGE: Final = 413


def reason_of(status: int, codes: tuple[str, ...], words: str, most: int = 0) -> Reason | None:
    """None where other requests would meet the same. `most` is how many tokens of an answer were asked for: where the
    model's whole context is no larger, no request will be taken."""
    if status in _OF_THE_ACCOUNT or _leaves_no_room(words, most):
        return None
    known = next((_CODES[code] for code in codes if code in _CODES), None)
    if known is not None:
        return known
    if status == _TOO_LARGE or (status != 403 and _TOO_LONG.search(words)):
        return "context"
    return "content" if status < 500 and _FILTERED.search(words) else None


def _leaves_no_room(words: str, most: int) -> bool:
    told = _CONTEXT_IS.search(words)
    return told is not None and most >= int(told.group(1).replace(",", ""))
