"""SQL functions that worlds and verifiers have besides SQLite's deterministic ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import Any

import apsw

from .canonical import sha256

_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_WORD = re.compile(r"\w+")


def fold(text: object) -> object:
    """Text without case and accents; anything but text comes back as it is."""
    if not isinstance(text, str):
        return text
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def same_text(left: object, right: object) -> int | None:
    """1 if two texts are equal but for case, accents and spacing; NULL if either is NULL."""
    if left is None or right is None:
        return None
    return int(str(fold(left)).split() == str(fold(right)).split())


def has_word(text: object, word: object) -> int | None:
    """1 if the words of `word` stand in `text` next to each other, whole, but for case and accents."""
    if text is None or word is None:
        return None
    words, wanted = (" ".join(_words(value)) for value in (text, word))
    return int(bool(wanted) and f" {wanted} " in f" {words} ")


def has_words(text: object, words: object) -> int | None:
    """1 if every word of `words` stands in `text`, whole, in any order and at any distance, but for case and accents;
    0 for no words; NULL if either is NULL."""
    if text is None or words is None:
        return None
    wanted = set(_words(words))
    return int(bool(wanted) and wanted.issubset(_words(text)))


def _words(value: object) -> list[str]:
    """Runs of letters, digits and underscores; signs only part them."""
    return _WORD.findall(str(fold(value)))


def minutes_between(start: object, end: object) -> int | None:
    """Whole minutes from one date or datetime to another (negative if it is earlier); NULL for anything else."""
    first, second = _moment(start), _moment(end)
    if first is None or second is None:
        return None
    return int((second - first).total_seconds() // 60)


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        return None


class CodeMaker:
    """`code(prefix)`: `TB-7K2M9Q`, the same sequence for the same seed."""

    __slots__ = ("made", "seed")

    def __init__(self, seed: int, made: int = 0) -> None:
        self.seed = seed
        self.made = made

    def __call__(self, *arguments: Any) -> str:
        self.made += 1
        number = int(sha256(["code", self.seed, self.made])[:15], 16)
        letters = []
        for _ in range(6):
            number, index = divmod(number, len(_ALPHABET))
            letters.append(_ALPHABET[index])
        code, prefix = "".join(letters), arguments[0]
        return f"{prefix}-{code}" if prefix else code


PURE: dict[str, tuple[Callable[..., Any], int]] = {
    "fold": (fold, 1),
    "same_text": (same_text, 2),
    "has_word": (has_word, 2),
    "has_words": (has_words, 2),
    "minutes_between": (minutes_between, 2),
}
"""Name → (function, number of arguments)."""


def add_functions(connection: apsw.Connection, code: CodeMaker | None = None) -> None:
    """Give a connection the functions; `code` only where rows are written."""
    for name, (function, arguments) in PURE.items():
        connection.create_scalar_function(name, function, arguments, deterministic=True)
    if code is not None:
        connection.create_scalar_function("code", code, 1)
