"""How much two composed worlds share once both are told in the same neutral words: what labels of pairs rest on.

Text is held against text; no signature and no embedding takes part.
"""

from __future__ import annotations

import json
from typing import Any

from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.design import Design

_ROLES = {"customer": "customer", "staff": "staff person", "manager": "manager"}
_SAID = ("description", "message")
"""What is only said, not done."""


def told_tools(design: Design) -> frozenset[str]:
    """Each tool as it would stand in any world of this structure: its parameters, steps and results, in neutral
    words."""
    neutral = design.model_copy(
        update={
            "nouns": {key: key.replace(".", " ").replace("_", " ") for key in design.nouns},
            "roles": _ROLES,
            "scenario": "neutral",
            "name": "neutral",
            "words": {},
        }
    )
    tools = Composition(neutral).tools
    return frozenset(json.dumps(_done(tool.model_dump(mode="json", by_alias=True)), sort_keys=True) for tool in tools)


def share_told(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the tools of the smaller one that the other has too."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _done(tree: Any) -> Any:
    """Without what is only said."""
    if isinstance(tree, dict):
        return {key: _done(value) for key, value in tree.items() if key not in _SAID}
    return [_done(item) for item in tree] if isinstance(tree, list) else tree
