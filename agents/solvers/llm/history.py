"""What a model is shown of the episode so far: all of it, until it no longer fits."""

from __future__ import annotations

import json
from typing import Any, Final

from ....eval.errors import LimitReached
from .wire import Message

RULE: Final = (
    "old results to 200 characters, then old turns dropped; down to three quarters; then the last results; 1"
)
"""What happens when the context is full, for the solver's profile; the number counts changes of this file."""
_SHORT = 200
_BYTES_PER_TOKEN = 3
_LAST = (4_000, 2_000, 1_000, 500, _SHORT)
"""To how many characters each result of the latest turn is cut where that turn alone is too much."""
_LEAVE = 0.75
_DROPPED: Final = "(Earlier turns are no longer shown.)"


class History:
    """The task, and the turns since. The task is always shown whole, and the latest turn wherever it fits.

    `most` is in tokens, estimated from bytes, generously; `tools` count against it. When it is full, more is taken
    away than needed, so that what a provider has cached of the beginning stays valid for some turns.
    """

    def __init__(self, start: tuple[Message, ...], tools: tuple[dict[str, Any], ...], most: int) -> None:
        self._start = start
        self._turns: list[list[Message]] = []
        self._fixed = _tokens(list(tools)) + _tokens(list(start))
        self._most = most
        self._dropped = False

    def add(self, turn: list[Message]) -> None:
        """What was said in one turn: by the model, and the answers to it."""
        if turn:
            self._turns.append(turn)

    def messages(self) -> tuple[Message, ...]:
        """What to send. Raises LimitReached("context") if the task and what was said last alone do not fit."""
        if self._size() > self._most:
            self._shorten(int(self._most * _LEAVE))
        for longest in _LAST:
            if self._turns and self._size() > self._most:
                self._turns[-1] = [_shortened(message, longest) for message in self._turns[-1]]
        if self._size() > self._most:
            raise LimitReached("context")
        note = ({"role": "user", "content": _DROPPED},) if self._dropped else ()
        return (*self._start, *note, *(message for turn in self._turns for message in turn))

    def _size(self) -> int:
        return self._fixed + sum(map(_tokens, self._turns))

    def _shorten(self, target: int) -> None:
        size = self._size()
        for place, turn in enumerate(self._turns[:-1]):
            if size <= target:
                return
            self._turns[place] = [_shortened(message) for message in turn]
            size += _tokens(self._turns[place]) - _tokens(turn)
        while size > target and len(self._turns) > 1:
            size -= _tokens(self._turns.pop(0))
            self._dropped = True


def _shortened(message: Message, longest: int = _SHORT) -> Message:
    text = message["content"]
    if message["role"] != "tool" or len(text) <= longest + _SHORT:
        return message
    note = f"[shortened: {len(text) - longest:,} more characters; call the tool again if you need them]"
    return {**message, "content": f"{text[:longest]}\n{note}"}


def _tokens(messages: list[Any]) -> int:
    return len(json.dumps(messages, ensure_ascii=False).encode("utf-8", "replace")) // _BYTES_PER_TOKEN
