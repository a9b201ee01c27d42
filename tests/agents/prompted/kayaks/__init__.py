"""A small scenario with replies of architect and coder, written by hand for the tests as a capable model would write
them: hiring kayaks, six tables, ten tools, two parts, two groups."""

from __future__ import annotations

import copy
from typing import Any

from envolve.agents.base import Brief, Scenario

from .contracts import CONTRACTS, SETTLEMENT
from .plan import REQUIREMENTS, SCHEMAS
from .player import Player
from .seed import SEEDS
from .tools import WRITTEN

BRIEF = Brief(
    scenario=Scenario(
        id="kayak-hire",
        name="Kayak hire",
        category="sports",
        text="A boathouse on a lake hires out kayaks by the hour. Staff hand boats out, take them back and mend them.",
    ),
    seed=7,
    size={"tables": 6, "tools": 9},
)


def player() -> Player:
    """Right replies to everything that architect and coder ask about kayaks. The world starts on Friday, 2026-02-06,
    at nine."""
    replies: dict[str, list[Any]] = {"architect/requirements": [REQUIREMENTS], "architect/settle": [SETTLEMENT]}
    replies |= {f"architect/schema {name}": [reply] for name, reply in SCHEMAS.items()}
    replies |= {f"architect/tools {name}": [reply] for name, reply in CONTRACTS.items()}
    replies |= {f"coder/tools {reply['tools'][0]['name']}": [reply] for reply in WRITTEN.values()}
    replies |= {f"coder/seed {name}": [reply] for name, reply in SEEDS.items()}
    return Player(copy.deepcopy(replies))


__all__ = ["BRIEF", "Player", "player"]
