"""Plurals and articles: those of the `inflect` library, kept in a table for the words that the library of archetypes
ships (importing `inflect` takes several times as long as composing a world).

`python -m envolve.agents.procedural.inflection` writes the table anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

TABLE = "lexicon/inflections.json"
_ODD = {"knives": "knife", "shelves": "shelf", "bees": "bee", "skis": "ski", "people": "person", "children": "child"}


def plural(noun: str) -> str:
    """The plural of a singular noun; of a compound, that of its last word."""
    head, space, last = noun.rpartition(" ")
    known = _table().get(last)
    return f"{head}{space}{known[0] if known else _plural(last)}"


def singular(word: str) -> str:
    """The singular of an English plural; any other word as it is. Knows endings, not meanings."""
    if word in _ODD:
        return _ODD[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes", "buses")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def article(noun: str) -> str:
    """`a` or `an`."""
    first = noun.split(" ")[0]
    known = _table().get(first)
    return known[1] if known else _article(first)


def inflected(words: Iterable[str]) -> dict[str, list[str]]:
    """Word → its plural and its article, as `inflect` has them."""
    return {word: [_plural(word), _article(word)] for word in sorted(set(words))}


def _plural(word: str) -> str:
    return str(_engine().plural_noun(word) or word)


def _article(word: str) -> str:
    return str(_engine().a(word)).split()[0]


@lru_cache(maxsize=1)
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(files(__package__).joinpath(TABLE).read_text(encoding="utf-8"))
    return table


@lru_cache(maxsize=1)
def _engine() -> Any:
    import inflect

    return inflect.engine()


def main() -> None:
    """Writes the table for every word of every noun of the library."""
    from .library import library, shipped_nouns

    words = {word for noun in shipped_nouns(library()) for word in noun.split()}
    lines = ",\n".join(f"{json.dumps(word)}: {json.dumps(forms)}" for word, forms in inflected(words).items())
    Path(__file__).with_name("lexicon").joinpath("inflections.json").write_text(
        f"{{\n{lines}\n}}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
