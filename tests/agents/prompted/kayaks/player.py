"""Plays replies by what is asked, so that calls which run at once may come in any order."""

from __future__ import annotations

import json
import threading
from typing import Any

_ASKED = {
    "You are the architect": "architect/requirements",
    "You write part of a SQLite schema": "architect/schema",
    "You write the contracts": "architect/tools",
    "Several groups wrote contracts": "architect/settle",
    "You write the tools": "coder/tools",
    "You fill tables": "coder/seed",
    "You mend defects": "coder/repair",
}
_PLACES = {
    "architect/schema people-and-boats": 'Write the part "people-and-boats"',
    "architect/schema hires": 'Write the part "hires"',
    "architect/tools hiring": 'this group "hiring"',
    "architect/tools yard": 'this group "yard"',
    "coder/tools hiring": '"name": "book_boat"',
    "coder/tools yard": '"name": "report_damage"',
    "coder/seed people": "Give the rows of people",
    "coder/seed hires": "Give the rows of ",
}


class Player:
    """`replies`: what is asked → replies in order; the last one stays. Hand `answer` to the model server."""

    def __init__(self, replies: dict[str, list[object]]) -> None:
        self.replies = replies
        self.asked: dict[str, list[list[dict[str, Any]]]] = {}
        """What was asked → the conversations that arrived, in order."""
        self._lock = threading.Lock()

    def before(self, place: str, *replies: object) -> None:
        """Answer the first questions of a kind with these instead."""
        self.replies[place] = [*replies, *self.replies.get(place, [])]

    def always(self, place: str, reply: object) -> None:
        self.replies[place] = [reply]

    def answer(self, body: dict[str, Any]) -> str:
        messages = body["messages"]
        place = _place(messages)
        with self._lock:
            asked = self.asked.setdefault(place, [])
            asked.append(messages)
            given = self.replies[place]
            reply = given[min(len(asked), len(given)) - 1]
        return reply if isinstance(reply, str) else json.dumps(reply)

    def told(self, place: str) -> str:
        """What the model was told last about its reply."""
        return str(self.asked[place][-1][-1]["content"])


def _place(messages: list[dict[str, Any]]) -> str:
    system, user = (str(message["content"]) for message in messages[:2])
    role = next(role for words, role in _ASKED.items() if system.startswith(words))
    return next((place for place, words in _PLACES.items() if place.startswith(f"{role} ") and words in user), role)
