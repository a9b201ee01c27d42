"""The word lists that fill the seed of one design: where their words go, what they hold, how long they must be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...procedural.contexts import Contexts
from ...procedural.design import Design
from ...procedural.library import Lexicon, Library, Trade
from ...procedural.shorthand import parse
from ...procedural.templates import render_tree
from ...procedural.wordlists import GENERAL, GROUPED, word_lists

_LISTED = re.compile(r"\{list:([a-z_]+)\}")
_LONGEST = 60
"""Characters of a word whose column allows more."""


class WordList(NamedTuple):
    """`places`: what its words are used as (`product name`); `words`: those that the library has; `heads`: word → what
    it belongs to, of a list with headings; `least`: how many words it needs; `longest`: characters of one."""

    name: str
    places: tuple[str, ...]
    words: tuple[str, ...]
    heads: Mapping[str, str]
    grouped: bool
    least: int
    longest: int


def lists_of(design: Design, source: Library) -> list[WordList]:
    """The lists that a design draws from and that differ from trade to trade."""
    made = word_lists(source, design)
    uses = _uses(Contexts(source, design))
    found = []
    for name in _trade_lists(source):
        drawn = GROUPED.get(name, (name,))
        used = [use for part in drawn for use in uses.get(part, ())]
        if used:
            found.append(
                WordList(
                    name=name,
                    places=tuple(dict.fromkeys(place for place, _ in used)),
                    words=tuple(made.lists[drawn[0]]),
                    heads=made.heads.get(drawn[0], {}),
                    grouped=name in GROUPED,
                    least=_least(source, name),
                    longest=min(longest for _, longest in used),
                )
            )
    return found


@lru_cache(maxsize=4)
def _trade_lists(source: Library) -> tuple[str, ...]:
    """Names of lists that some category or trade has of its own, without those that headings of others make up."""
    made = {headings for _, headings in GROUPED.values()}
    own = {name for key, one in _sources(source) if key != GENERAL for name in one.words}
    return tuple(sorted(own - made))


@lru_cache(maxsize=64)
def _least(source: Library, name: str) -> int:
    """As many words as the shortest list of that name has."""
    return min(sum(map(_members, one.words[name])) for _, one in _sources(source) if name in one.words)


def _sources(source: Library) -> Iterator[tuple[str, Lexicon | Trade]]:
    """Category → its words, and those of each of its trades."""
    for key, lexicon in source.lexicons.items():
        yield key, lexicon
        yield from ((key, trade) for trade in lexicon.trades.values())


def _members(entry: str) -> int:
    _, colon, members = entry.partition(": ")
    return len(members.split(";")) if colon else 1


def _uses(contexts: Contexts) -> dict[str, list[tuple[str, int]]]:
    """List → the columns that its words go into, in plain words, and how long they may be there."""
    found: dict[str, list[tuple[str, int]]] = {}
    for part in (*contexts.design.archetypes, *contexts.design.links):
        tree = contexts.rendered(part, "seed")
        for slot, entity in contexts.entities(part).items():
            forms = render_tree(entity.columns, contexts.of(part))
            for column, spec in tree.get(slot, {}).get("columns", {}).items():
                place = f"{contexts.names[f'{part}.{slot}'].noun} {column}"
                for name in _named(spec[0] if isinstance(spec, list) and spec else spec):
                    found.setdefault(name, []).append((place, _room(forms.get(column))))
    return found


def _named(spec: Any) -> Iterator[str]:
    """The lists that a generator draws from."""
    if isinstance(spec, str):
        yield from _LISTED.findall(spec)
    elif isinstance(spec, Mapping):
        if isinstance(spec.get("list"), str):
            yield spec["list"]
        yield from _all_named(spec.values())
    elif isinstance(spec, list):
        yield from _all_named(spec)


def _all_named(specs: Iterable[Any]) -> Iterator[str]:
    for spec in specs:
        yield from _named(spec)


def _room(form: Any) -> int:
    """How many characters a column's short form allows, `_LONGEST` at most."""
    parsed = parse(form) if isinstance(form, str) else None
    bound = int(parsed.args[-1]) if parsed is not None and parsed.kind == "text" and parsed.args else _LONGEST
    return min(bound, _LONGEST)
