"""What everything is called in one world: the scenario's own words where it has them, else the category's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from random import Random
from types import MappingProxyType

from .design import ROLE_KEYS, RoleKey
from .library import Lexicon, Library, Trade
from .naming import Called, called, snake
from .reading import Reading
from .templates import render
from .words_in_text import occurrences, words


class Vocabulary:
    """Chooses nouns one after the other; no two entities or roles share one. `settled`: `archetype.entity` or role
    key → the noun that it has already."""

    def __init__(
        self,
        text: str,
        source: Library,
        said: Reading,
        random: Random,
        settled: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._words = words(text)
        self._random = random
        lexicon = source.lexicons[said.category]
        self._sources: list[Lexicon | Trade | Reading] = [said, lexicon]
        self._trade = said.trade
        self.category = said.category
        if said.trade:
            self._sources.insert(1, lexicon.trades[said.trade])
        self._general = source.lexicons["general"]
        self._settled = settled
        self._taken: set[str] = {"submit", "say", *(name for noun in settled.values() for name in _names(noun))}

    def roles(self, fixed: Set[str]) -> dict[RoleKey, str]:
        """What customers, staff and managers are called. `fixed`: columns beside those that point to a customer, which
        those are not to be called like."""
        return {key: self._role(key, fixed if key == "customer" else frozenset()) for key in ROLE_KEYS}

    def nouns(
        self,
        key: str,
        candidates: Sequence[str],
        context: Mapping[str, Called],
        *,
        usual: Sequence[str] = (),
        fixed: Set[str] = frozenset(),
    ) -> str:
        """A noun for the entity `key`, from templates over what is named already. `usual`: what it is called in the
        category, for which the category's own file may have other words; `fixed`: columns that those which point to it
        are not to be called like."""
        if key in self._settled:
            return self._settled[key]
        own = [source.nouns.get(key, ()) for source in self._sources]
        ranks = [[render(noun, context) for noun in nouns] for nouns in (*own, usual, candidates)]
        return self._take([_not_like(fixed, nouns) for nouns in ranks])

    def _role(self, key: RoleKey, fixed: Set[str]) -> str:
        if key in self._settled:
            return self._settled[key]
        listed = (*(source.roles.get(key, ()) for source in self._sources), self._general.roles[key])
        return self._take([_not_like(fixed, nouns) for nouns in listed])

    def _take(self, ranks: Sequence[Sequence[str]]) -> str:
        """From lists, the narrowest first: of the narrowest that has any, the noun that the text names most, else one
        that the text names in a wider list (unless the narrowest is the trade's own), else one of its first."""
        lists = [free for rank in ranks if (free := [noun for noun in dict.fromkeys(rank) if self._is_free(noun)])]
        if not lists:
            last = next((rank[0] for rank in reversed(ranks) if rank), "kept")
            lists = [[f"{last} {suffix}" for suffix in ("record", "entry", "item")]]
        wider = [] if self._trade and lists[0] is not lists[-1] else [noun for rank in lists[1:] for noun in rank]
        noun = self._named(lists[0]) or self._named(wider) or self._random.choice(lists[0][:3])
        self._taken |= set(_names(noun))
        return noun

    def _named(self, nouns: Sequence[str]) -> str:
        """The noun that the text names most often, the earlier one of two; empty if it names none."""
        found = {noun: occurrences(noun, self._words) for noun in nouns}
        named = [noun for noun in found if found[noun][0]]
        return min(named, key=lambda noun: (-found[noun][0], found[noun][1]), default="")

    def _is_free(self, noun: str) -> bool:
        return not self._taken.intersection(_names(noun))


def _not_like(fixed: Set[str], nouns: Iterable[str]) -> list[str]:
    """Nouns after which no column is called like one of the fixed."""
    return [noun for noun in nouns if called("", noun).fk not in fixed]


def _names(noun: str) -> Iterable[str]:
    one = called("", noun)
    return (one.table, one.one)


def usable_stem(name: str) -> str:
    """An environment id's stem from a name."""
    return snake(name).replace("_", "-")[:40].strip("-") or "world"
