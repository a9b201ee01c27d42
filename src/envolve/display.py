"""Texts that came from models or data, made harmless for terminals and pages."""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""Invisible, but parts of words and of emoji."""


def printable(value: object) -> str:
    """The value as text in which escape sequences, control characters and direction marks are replaced."""
    text = "" if value is None else str(value)
    if text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def one_line(value: object) -> str:
    """The value as printable text without line breaks."""
    return " ".join(printable(value).split())


def shortened(value: object, most: int) -> str:
    """At most `most` characters of the value on one line."""
    text = one_line(str(value)[: 4 * most])
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(number: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _shown(char: str) -> str:
    return char if char.isprintable() or char in "\n\t" or char in _JOINERS else "\N{REPLACEMENT CHARACTER}"
