"""When two texts are the same: case, accents, spacing and typographic variants do not count."""

from __future__ import annotations

import unicodedata

_TYPOGRAPHY = str.maketrans(
    {"‘": "'", "’": "'", "‛": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-"}
)


def plain(text: str) -> str:
    """`text` without case, accents, repeated spaces, surrounding quotes and a closing full stop."""
    straight = unicodedata.normalize("NFKD", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    letters = "".join(char for char in straight.casefold() if not unicodedata.combining(char))
    return _unquoted(" ".join(letters.split()).removesuffix("."))


def _unquoted(text: str) -> str:
    quoted = len(text) > 2 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1].strip() if quoted else text
