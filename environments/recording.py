"""The events of an episode, kept cheaply and made into a trace when someone asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .models import CallResult, RowChange, ShownCall, TraceEvent

_DEEPEST = 32


@dataclass(slots=True)
class Event:
    """A message, call or submission as it happened; `changeset` is what it changed, still packed."""

    kind: Literal["message", "call", "submit"]
    role: Literal["user", "assistant"] | None = None
    text: str | None = None
    tool: str | None = None
    args: Mapping[str, Any] | None = None
    result: CallResult | None = None
    changeset: bytes = b""
    seconds: float = 0.0
    shown: ShownCall | None = None

    def unpacked(self, rows: Callable[[bytes], tuple[RowChange, ...]]) -> TraceEvent:
        return TraceEvent(
            kind=self.kind,
            role=self.role,
            text=None if self.text is None else clean_text(self.text),
            tool=self.tool,
            args=None if self.args is None else self._clean_args(self.args),
            result=self.result,
            shown=self.shown and self.shown.model_copy(update={"args": self._clean_args(self.shown.args)}),
            changes=rows(self.changeset),
            seconds=self.seconds,
        )

    def _clean_args(self, given: Mapping[str, Any]) -> dict[str, Any]:
        args = dict(given)
        refused = self.result is not None and not self.result.ok
        return {clean_text(name): _clean(value, 0) for name, value in args.items()} if refused else args


class Recording:
    """Events in order. Traces are unpacked once, as far as they have got."""

    __slots__ = ("_events", "_unpacked")

    def __init__(self, events: list[Event] | None = None, unpacked: list[TraceEvent] | None = None) -> None:
        self._events = events or []
        self._unpacked = unpacked or []

    def add(self, event: Event) -> None:
        self._events.append(event)

    def events(self, rows: Callable[[bytes], tuple[RowChange, ...]]) -> tuple[TraceEvent, ...]:
        """All events; `rows` unpacks a changeset."""
        self._unpacked += [event.unpacked(rows) for event in self._events[len(self._unpacked) :]]
        return tuple(self._unpacked)

    def changesets(self) -> list[bytes]:
        """What each call changed, still packed."""
        return [event.changeset for event in self._events if event.kind == "call"]

    def fork(self) -> Recording:
        return Recording(self._events.copy(), self._unpacked.copy())


def clean_text(text: str) -> str:
    """The text with halves of surrogate pairs replaced: they cannot be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _clean(value: Any, depth: int) -> Any:
    """Something that JSON can hold, as near to what an in-process caller gave as can be."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return clean_text(value)
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, list | tuple):
        return [_clean(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {clean_text(str(key)): _clean(item, depth + 1) for key, item in value.items()}
    return clean_text(repr(value))
