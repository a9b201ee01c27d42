"""Plays replies by what is asked, so that calls which run at once may come in any order."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

_ASKED = {
    "You are the architect": ("architect/requirements", None),
    "You write part of a SQLite schema": ("architect/schema", r'Write the part "([\w-]+)"'),
    "You write the contracts": ("architect/tools", r'this group "([\w-]+)"'),
    "Several groups wrote contracts": ("architect/settle", None),
    "You write the tools": ("coder/tools", r'"name":"(\w+)"'),
    "You fill tables": ("coder/seed", r"Give the rows of (\w+)"),
    "You mend defects": ("coder/repair", None),
}
"""How a system text begins → what is asked, and what in the user's text says for which part or group: its name, its
first tool, its first table."""


class Player:
    """`replies`: what is asked → replies in order; the last one stays. Hand `answer` to the model server."""

    def __init__(self, replies: dict[str, list[Any]]) -> None:
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
    role, pattern = next(asked for words, asked in _ASKED.items() if system.startswith(words))
    found = re.search(pattern, user) if pattern else None
    return f"{role} {found[1]}" if found else role
