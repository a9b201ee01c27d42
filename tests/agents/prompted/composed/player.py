"""Plays a composer's two replies, wrong ones first where a test gives some."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any, NamedTuple

from envolve.agents.base import Brief

DESIGN, WORDS = "composer/design", "composer/words"


class Composed(NamedTuple):
    """A brief and right replies to what a composer asks about it."""

    brief: Brief
    design: dict[str, Any]
    words: dict[str, Any]


class Player:
    """Hand `answer` to the model server. `asked`: what was asked → the conversations that arrived."""

    def __init__(self, composed: Composed) -> None:
        self._replies: dict[str, list[object]] = {DESIGN: [composed.design], WORDS: [composed.words]}
        self.asked: dict[str, list[list[dict[str, Any]]]] = {DESIGN: [], WORDS: []}
        self._lock = threading.Lock()

    def before(self, place: str, *replies: object) -> None:
        self._replies[place] = [*replies, *self._replies[place]]

    def always(self, place: str, reply: object) -> None:
        self._replies[place] = [reply]

    def right(self, place: str) -> Any:
        """A copy of the right reply, to be spoilt."""
        return copy.deepcopy(self._replies[place][-1])

    def answer(self, body: dict[str, Any]) -> str:
        messages = body["messages"]
        place = DESIGN if str(messages[0]["content"]).startswith("You compose") else WORDS
        with self._lock:
            asked = self.asked[place]
            asked.append(messages)
            given = self._replies[place]
            reply = given[min(len(asked), len(given)) - 1]
        return reply if isinstance(reply, str) else json.dumps(reply)

    def told(self, place: str) -> str:
        """What the model was told last about its reply."""
        return str(self.asked[place][-1][-1]["content"])
