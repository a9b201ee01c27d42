"""Text as plain tokens, so that what is said can be looked for."""

from __future__ import annotations

import re
from functools import lru_cache

from ....environments.functions import fold

_HALF_DAY = re.compile(r"\b([ap])\.\s?m\b\.?")
_TOKEN = re.compile(
    r"\d{4}-\d{2}-\d{2}"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w.]*\w)"
    r"|\d+\.\d+(?!\w)"
    r"|\d+(?=(?:am|pm|h|km|kg)\b)"
    r"|[$€£¥%]"
    r"|[^\W_]+"
)


@lru_cache(maxsize=2048)
def tokens(text: str) -> tuple[str, ...]:
    """Words without case, accents, hyphens and possessive s; numbers as `2000` and `4.5`; dates, clock times and
    currency signs by themselves."""
    folded = str(fold(text)).replace("’", "'").replace("'s", " ").replace("s'", "s ").replace("_", " ")
    return tuple(map(_number, _TOKEN.findall(_HALF_DAY.sub(r"\1m", folded))))


def holds(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether `part` stands in `text`, token by token."""
    return bool(part) and any(
        text[start : start + len(part)] == part
        for start, token in enumerate(text[: len(text) - len(part) + 1])
        if token == part[0]
    )


def _number(token: str) -> str:
    """`2,000.00` as `2000`; other tokens as they are."""
    if not token[0].isdigit() or ":" in token or "-" in token:
        return token
    plain = token.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
