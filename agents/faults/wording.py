"""What a package's texts speak of: words brought to their stems, and what they say of bounds, owners and orders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...environments.models import EnvironmentSpec
from ...environments.resolution import ResolvedTool

_WORD = re.compile(r"[a-z]{3,}")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """the and for not are has have its one that this with from been was were can may only they their them who whose
    which into than then there will must does did some any all also yet""",
    )
)
_BOUND = re.compile(
    r"\b(at least|at most|no more|no less|not more|no fewer|more than|fewer than|less than|up to|before|after|"
    r"until|earlier|later|longer|over|under|above|below|exceeds?|past|future|lies|minimum|maximum|fits?|"
    r"takes? in|enough|from|between|largest|smallest|highest|lowest|fewest|least|most)\b",
    re.IGNORECASE,
)
"""Words that say where a bound lies. "Within two hours" is left out: it does not say whether two hours are."""
_COUNT = re.compile(r"\b(how many|how much|number of|count|total|sum)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(your|yours|own|caller|you|my|asking|themselves)\b", re.IGNORECASE)
_ORDER = re.compile(
    r"\b(order(ed)?|sort(ed)?|first|last|latest|newest|oldest|earliest|soonest|cheapest|dearest|alphabetical(ly)?|"
    r"next|recent|longest|shortest|by (name|date|time|price|number|title))\b",
    re.IGNORECASE,
)


def stems(text: str) -> set[str]:
    """The words of a text that mean something, without their endings. `{names}` of messages are left out."""
    plain = re.sub(r"\{[^{}]*\}", " ", text).lower().replace("_", " ")
    return {_stem(word) for word in _WORD.findall(plain) if word not in _COMMON}


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "led", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def says_bound(text: str) -> bool:
    return _BOUND.search(text) is not None


def says_count(text: str) -> bool:
    return _COUNT.search(text) is not None


def says_own(text: str) -> bool:
    return _OWN.search(text) is not None


def says_order(text: str) -> bool:
    return _ORDER.search(text) is not None


def texts_of(tool: ResolvedTool) -> Iterator[str]:
    """What the tool itself says: sentences of its description and its parameters' descriptions."""
    yield from re.split(r"(?<=[.;!])\s+", tool.description)
    yield from (f"{name}: {param.description}" for name, param in tool.params.items())


def rules_of(spec: EnvironmentSpec) -> Iterator[str]:
    """The policy's rules, one by one."""
    yield from (line for line in spec.policy.splitlines() if line.strip())
