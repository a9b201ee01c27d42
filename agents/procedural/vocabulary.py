"""What everything is called in one world: the scenario's own words where it has them, else the category's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from .design import ROLE_KEYS, RoleKey
from .library import Lexicon, Library, Trade
from .naming import Called, called, snake
from .templates import render
from .words_in_text import occurrences, words

RESERVED = frozenset({"order", "group", "index", "value", "check", "table", "view", "column", "plan", "note", "text"})
"""Words that cannot be a table's name on their own, or that columns are called."""


class Vocabulary:
    """Chooses nouns one after the other; no two entities or roles share one."""

    def __init__(self, text: str, source: Library, category: str, trade: str, random: Random) -> None:
        self._words = words(text)
        self._random = random
        lexicon = source.lexicons.get(category) or source.lexicons["general"]
        self._sources: list[Lexicon | Trade] = [lexicon]
        if trade:
            self._sources.insert(0, lexicon.trades[trade])
        self._general = source.lexicons["general"]
        self._taken: set[str] = {"submit", "say"}

    def roles(self) -> dict[RoleKey, str]:
        """What customers, staff and managers are called."""
        return {key: self._role(key) for key in ROLE_KEYS}

    def nouns(self, key: str, candidates: Sequence[str], context: Mapping[str, Called]) -> str:
        """A noun for the entity `key`, from templates over what is named already."""
        own = [noun for source in self._sources for noun in source.nouns.get(key, ())]
        rendered = [render(noun, context) for noun in (*own, *candidates)]
        return self._take(rendered, preferred=len(own))

    def _role(self, key: RoleKey) -> str:
        own = [noun for source in self._sources for noun in source.roles.get(key, ())]
        return self._take([*own, *self._general.roles[key]], preferred=len(own))

    def _take(self, candidates: Sequence[str], *, preferred: int) -> str:
        """The candidate that the text names most; else one of the preferred, else of the first few."""
        free = [noun for noun in dict.fromkeys(candidates) if self._is_free(noun)]
        if not free:
            free = [f"{candidates[0]} {suffix}" for suffix in ("record", "entry", "item")]
        found = {noun: occurrences(noun, self._words) for noun in free}
        named = [noun for noun in free if found[noun][0]]
        own = [noun for noun in free if noun in candidates[:preferred]]
        most = min(named, key=lambda noun: (-found[noun][0], found[noun][1]), default="")
        noun = most or self._random.choice(own[:3] or free[:3])
        self._taken |= set(_names(noun))
        return noun

    def _is_free(self, noun: str) -> bool:
        return not self._taken.intersection(_names(noun))


def _names(noun: str) -> Iterable[str]:
    one = called("", noun)
    return (one.table, one.one)


def usable_stem(name: str) -> str:
    """An environment id's stem from a name."""
    return snake(name).replace("_", "-")[:40].strip("-") or "world"
