"""What a scripted model answers next: queued replies and failures, then a function, then recorded exchanges."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args

from .wire import Reply, message_of

Breakage = Literal["hang", "drop", "truncated", "malformed", "page"]


@dataclass(frozen=True)
class Failure:
    """How a call fails. `kind`: a status, or how the exchange breaks."""

    kind: int | Breakage
    message: str = "as scripted"
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)


Answer = dict[str, Any] | Failure

_AS_REPLIES: dict[str, dict[str, Any]] = {
    "empty": {"content": ""},
    "length": {"content": '{"half": "of an ob', "finish_reason": "length"},
    "refusal": {"content": None, "refusal": "I cannot help with that."},
    "unknown tool": {"content": None, "tool_calls": [{"name": "no_such_tool", "arguments": {}}]},
}


def failure(kind: int | str, retry_after: float | str | None = None, message: str = "", code: str = "") -> Answer:
    """What `ScriptedModel.fail` queues."""
    if isinstance(kind, str) and kind in _AS_REPLIES:
        return _AS_REPLIES[kind]
    if isinstance(kind, str) and kind not in get_args(Breakage):
        raise ValueError(f"no such failure: {kind!r}")
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Failure(cast(int | Breakage, kind), message or "as scripted", code, headers)


class Script:
    """Thread-safe: calls that arrive at once are answered one by one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queue: deque[Answer] = deque()
        self._function: Callable[[dict[str, Any]], Reply | Failure] | None = None
        self._recorded: dict[str, deque[dict[str, Any]]] = {}

    def add(self, *answers: Answer) -> None:
        with self._lock:
            self._queue.extend(answers)

    def follow(self, function: Callable[[dict[str, Any]], Reply | Failure]) -> None:
        self._function = function

    def load(self, path: Path, by: Literal["content", "order"]) -> None:
        """Replies of a log of exchanges, one JSON object a line: {"request", "reply"}."""
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        if by == "order":
            self.add(*(row["reply"] for row in rows))
            return
        for row in rows:
            self._recorded.setdefault(identity(row["request"]), deque()).append(row["reply"])

    def next(self, body: dict[str, Any]) -> Answer:
        """Queued ones first. Without any answer it is a 404 that says so."""
        with self._lock:
            if self._queue:
                return self._queue.popleft()
            recorded = self._recorded.get(identity(body))
            if recorded:
                return recorded.popleft() if len(recorded) > 1 else recorded[0]
        if self._function is not None:
            given = self._function(body)
            return given if isinstance(given, Failure) else message_of(given)
        return Failure(404, "the script has no answer to this request")

    @property
    def left(self) -> int:
        """Queued replies that nobody asked for yet."""
        return len(self._queue)


def identity(body: dict[str, Any]) -> str:
    """Of what the model sees, not of sampling settings, nor of the ids that a server gave its tool calls, nor of how
    no text is written beside them."""
    seen = {key: body.get(key) for key in ("tools", "response_format")}
    messages = [{**message, "content": message.get("content") or ""} for message in body.get("messages") or []]
    text = json.dumps(seen | {"messages": messages}, sort_keys=True)
    for place, given in enumerate(_call_ids(body.get("messages") or [])):
        text = text.replace(json.dumps(given), f'"call {place}"')
    return hashlib.sha256(text.encode()).hexdigest()


def _call_ids(messages: list[dict[str, Any]]) -> Iterator[str]:
    for message in messages:
        yield from (call["id"] for call in message.get("tool_calls") or [] if call.get("id"))
