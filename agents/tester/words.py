"""Words of tools, columns and sentences, made comparable."""

from __future__ import annotations

import re
from collections.abc import Iterator

_IRREGULAR = {
    form: verb
    for verb, forms in {
        "make": "made making",
        "take": "took taken taking",
        "give": "gave given giving",
        "sell": "sold",
        "pay": "paid",
        "send": "sent",
        "lend": "lent",
        "write": "wrote written writing",
        "withdraw": "withdrew withdrawn",
        "hold": "held",
        "keep": "kept",
        "find": "found",
        "lose": "lost",
        "win": "won",
        "buy": "bought",
        "choose": "chose chosen",
        "hide": "hid hidden",
        "begin": "began begun",
    }.items()
    for form in forms.split()
}


def stem(word: str) -> str:
    """A word without its common endings: cancel, cancels, cancelled, cancellation have one stem, and so have make and
    made."""
    word = _IRREGULAR.get(word.lower(), word.lower())
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "d", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def stems_in(text: str) -> Iterator[str]:
    """The stems of a text's words; underscores part words, too."""
    return (stem(word) for word in re.findall(r"[a-z]+", text.lower()))
