"""What follows from a brief without asking anyone: how large the world is to be, when it starts, its id."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from ....environments.canonical import seed_from
from ...base import Brief

_TABLES, _TOOLS = (12, 18), (25, 38)
_STEM = 60
_FIRST = datetime(2026, 1, 5, 8)


class Wanted(NamedTuple):
    """Least and most, of each."""

    tables: tuple[int, int]
    tools: tuple[int, int]
    requirements: tuple[int, int]
    rules: tuple[int, int]


def wanted(brief: Brief) -> Wanted:
    """The bounds that a brief's `size` asks for: `tables` and `tools`, each at least so many."""
    tables, tools = brief.size.get("tables"), brief.size.get("tools")
    bounds = (tools, tools + 10) if tools else _TOOLS
    least = max(3, min(10, bounds[0] // 2))
    return Wanted((tables, tables + 5) if tables else _TABLES, bounds, (least, 14), (min(5, least), 9))


def clock_of(brief: Brief) -> str:
    """The world's first moment: a full hour of a morning within 2026, drawn by the brief's seed."""
    drawn = seed_from("clock", brief.seed)
    moment = _FIRST + timedelta(days=drawn % 330, hours=drawn // 330 % 3)
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def moment_text(moment: str) -> str:
    """A moment with its day of the week, which people speak of."""
    return f"{moment} ({datetime.fromisoformat(moment):%A})"


def stem_of(name: str, otherwise: str) -> str:
    """An id for an environment of this name."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join(words)[:_STEM].strip("-") or otherwise
