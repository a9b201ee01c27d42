"""Plurals and articles: the `inflect` library's, kept in a table for the words that the library of archetypes
ships (importing `inflect` takes longer than composing a world)."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


def plural(noun: str) -> str:
    """The plural of a singular noun; of a compound, that of its last word."""
    known = _table().get(noun)
    return known[0] if known else str(_engine().plural_noun(noun) or noun)


def article(noun: str) -> str:
    """`a` or `an`."""
    known = _table().get(noun)
    return known[1] if known else str(_engine().a(noun)).split()[0]


@lru_cache(maxsize=1)
def _table() -> dict[str, list[str]]:
    text = files(__package__).joinpath("lexicon/inflections.json").read_text(encoding="utf-8")
    table: dict[str, list[str]] = json.loads(text)
    return table


@lru_cache(maxsize=1)
def _engine() -> Any:
    import inflect

    return inflect.engine()
