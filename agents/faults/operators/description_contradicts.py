"""A description that says another thing than the tool does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ..base import Change
from ..slots import with_param

_OPPOSITES = (
    ("newest", "oldest"),
    ("latest", "earliest"),
    ("cheapest", "most expensive"),
    ("at least", "at most"),
    ("fewest", "most"),
    ("lowest", "highest"),
    ("smallest", "largest"),
    ("before", "after"),
    ("cents", "dollars"),
    ("minutes", "hours"),
    ("active", "inactive"),
)


class DescriptionContradicts:
    kind = "description_contradicts"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for text, note in _opposite(tool.description):
                yield Change(f"tools.{tool.name}.description", note, tool.model_copy(update={"description": text}))
            yield from _params(tool)


def _params(tool: ResolvedTool) -> Iterator[Change]:
    for name, param in tool.params.items():
        for text, note in _opposite(param.description):
            changed = param.model_copy(update={"description": text})
            yield Change(f"tools.{tool.name}.params.{name}", note, with_param(tool, name, changed))


def _opposite(text: str) -> Iterator[tuple[str, str]]:
    for pair in _OPPOSITES:
        for word, other in (pair, pair[::-1]):
            found = re.search(rf"\b{word}\b", text, re.IGNORECASE)
            if found is not None:
                said = other.capitalize() if found[0][0].isupper() else other
                changed = text[: found.start()] + said + text[found.end() :]
                yield changed, f"{found[0]!r} became {said!r}"
