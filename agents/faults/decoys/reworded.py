"""A description in other words that says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.package import Environment
from ..base import DecoyChange

_SYNONYMS = (
    ("List", "Give a list of"),
    ("Show", "Give the details of"),
    ("Find", "Look for"),
    ("Search", "Look through"),
    ("Add", "Put in"),
    ("Change", "Alter"),
    ("Cancel", "Call off"),
    ("Record", "Note down"),
    ("Remove", "Take away"),
    ("Move", "Shift"),
)


class Reworded:
    kind = "reworded"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for tool in environment.tools.values():
            for word, other in _SYNONYMS:
                if re.match(rf"{word}\b", tool.description):
                    said = other + tool.description[len(word) :]
                    changed = tool.model_copy(update={"description": said})
                    yield DecoyChange(f"tools.{tool.name}.description", f"{word!r} became {other!r}", tool=changed)
