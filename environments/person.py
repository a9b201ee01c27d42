"""The simulated person of a task: knows facts, tells each when asked about it."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

from .functions import has_word
from .models import Frozen, Task

SAY_TOOL: dict[str, Any] = {
    "name": "say",
    "description": "Say something to the person you are helping, and hear their reply.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 1, "description": "What to say"}},
        "required": ["text"],
        "additionalProperties": False,
    },
}
_NOTHING = "I have nothing to add to that."


class Person(Frozen):
    """`facts`: name → the sentence that tells it. `reveal_when`: name → words, one of which must be asked for
    (absent: the words of the name)."""

    facts: dict[str, str] = {}
    reveal_when: dict[str, tuple[str, ...]] = {}

    def reply(self, text: str) -> str:
        """Every fact that the text asks about, in order."""
        told = [fact for name, fact in self.facts.items() if self._asked(name, text)]
        return " ".join(told) or _NOTHING

    def _asked(self, name: str, text: str) -> bool:
        words = self.reveal_when.get(name) or tuple(name.replace("_", " ").split())
        return any(has_word(text, word) for word in words)


def heard(task: Task) -> str:
    """What a solver is told, or may ask for: the instruction, and the facts that a simulated person knows."""
    facts = (task.user or {}).get("facts", {})
    return "\n".join([task.instruction, *map(str, facts.values())])


@cache
def say_validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(SAY_TOOL["inputSchema"])
