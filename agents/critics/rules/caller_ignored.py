"""A tool that speaks of its caller and does not look at who calls.

Stands for results that leak: "List the bookings of the person who is signed in" that lists everybody's. Told from the
description and from names like `list_my_bookings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.models import Finding
from ....environments.resolution import ResolvedTool
from ...tester.ownership import mentions_actor
from ..reading.base import Context, again, finding

KIND = "caller_ignored"
_PLAIN = r"signed[ -]in|logged[ -]in|current (?:user|actor|person)|your own|their own|who calls"
_CALLER = rf"{_PLAIN}|caller'?s?"


def check(context: Context) -> Iterator[Finding]:
    named = [role.replace("_", " ") for role in context.anatomy.spec.roles]
    roles = "|".join(map(re.escape, named))
    # Where people who call are customers, "callers" are they.
    callers = _PLAIN if "caller" in named else _CALLER
    speaks = re.compile(rf"\b(?:{callers}|the (?:{roles})'s|current (?:{roles}))\b", re.IGNORECASE)
    for name, tool in context.anatomy.tools.items():
        if _own(name, tool, speaks) and not any(mentions_actor(query) for query in context.anatomy.queries[name]):
            message = f"{name} speaks of its caller ({tool.description!r}) and never asks who that is."
            yield finding(KIND, "major", f"tools.{name}", message, probe=again(KIND))


def _own(name: str, tool: ResolvedTool, speaks: re.Pattern[str]) -> bool:
    return "my" in name.split("_") or speaks.search(tool.description.split(".")[0]) is not None
