"""Words that ask for an order."""

from __future__ import annotations

import re

_SUPERLATIVE = r"(?:\w{2,}est|best|worst|(?:most|least) \w+)"
_ORDER = re.compile(
    rf"\b{_SUPERLATIVE} first\b"
    rf"|\bfrom (?:the )?{_SUPERLATIVE} to (?:the )?{_SUPERLATIVE}\b"
    r"|\b(?:sorted|ranked) (?:by|from|in)\b"
    r"|\bin (?:an? )?(?:alphabetical|chronological|ascending|descending|numerical|that|this) order\b"
    r"|\bin (?:the )?order (?:of|in which)\b"
    r"|\balphabetically\b",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")


def order_said(text: str) -> str:
    """The words of `text` that ask for an order, empty without any. "Ordered by" is none: people order goods."""
    found = _ORDER.search(_SPACE.sub(" ", text))
    return found[0] if found else ""
