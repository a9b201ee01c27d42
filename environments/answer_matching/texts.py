"""When two texts are the same: case, accents, spacing, typographic variants and a leading "the" do not count.

Wording does: plurals, abbreviations and synonyms are other texts.
"""

from __future__ import annotations

import unicodedata

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‛‚", "'") | dict.fromkeys("“”„«»", '"') | dict.fromkeys("–—−‐\u2011", "-")
)
_INVISIBLE = "Cf"
"""The Unicode category of soft hyphens, zero-width spaces and marks of direction."""


def plain(text: str) -> str:
    """`text` without case, accents, repeated spaces, surrounding quotes, a closing full stop and a leading "the"."""
    straight = unicodedata.normalize("NFKD", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    seen = (char for char in straight.casefold() if unicodedata.category(char) != _INVISIBLE)
    letters = "".join(char for char in seen if not unicodedata.combining(char))
    bare = _unended(_unquoted(_unended(" ".join(letters.split()))))
    return bare.removeprefix("the ")


def _unended(text: str) -> str:
    return text.removesuffix(".").rstrip()


def _unquoted(text: str) -> str:
    quoted = len(text) > 2 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1].strip() if quoted else text
