"""What a request asks for beyond messages and tools: not every server takes it, and most do as well without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .base import ChatRequest
from .failures import Trouble

_REFUSES: Final = frozenset({400, 415, 422, 501})
"""Statuses of servers that do not know such a thing, or not this form of it."""
_EASIER: Final = {"required": "auto", "auto": ""}
"""The choice of tools that comes nearest to one that is refused; for a tool's name it is "required"."""


class Extra(NamedTuple):
    """`what` is asked for, and the request without it. Servers that refuse it say one of `words`, or give one of
    `statuses`."""

    what: str
    words: tuple[str, ...]
    statuses: frozenset[int]
    without: ChatRequest

    def may_be_why(self, trouble: Trouble) -> bool:
        """Also where only a call without it can tell. A provider's package that will not send it gives no status."""
        if trouble.reason == "context" or trouble.reason == "content":
            return False
        unsendable = trouble.status is None and not trouble.passing
        return self.is_why(trouble) or trouble.status in self.statuses or unsendable

    def is_why(self, trouble: Trouble) -> bool:
        """The server says so: it need never be asked again. llama.cpp's Python server answers 500 where others refuse."""
        refused = not trouble.passing or (trouble.status is not None and trouble.status >= 500)
        return refused and any(word in trouble.words for word in self.words)


def extras_of(request: ChatRequest) -> Iterator[Extra]:
    if request.tool_choice:
        easier = request.model_copy(update={"tool_choice": _EASIER.get(request.tool_choice, "required")})
        kind = request.tool_choice if request.tool_choice in _EASIER else "by name"
        # llama.cpp's Python server breaks without a word over a choice that it does not know.
        yield Extra(f"tool_choice {kind}", ("tool_choice", "tool choice"), _REFUSES | {500}, easier)
    if request.json_schema is not None:
        plain = request.model_copy(update={"json_schema": None})
        yield Extra("response_format", ("response_format", "json_schema"), _REFUSES, plain)


def likely_cause(request: ChatRequest, trouble: Trouble) -> Extra | None:
    """What the server named, before what it may have meant."""
    possible = [extra for extra in extras_of(request) if extra.may_be_why(trouble)]
    return max(possible, key=lambda extra: extra.is_why(trouble), default=None)
