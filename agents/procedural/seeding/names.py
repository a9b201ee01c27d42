"""Names of people: from Faker's lists for what lives in a country, with shared surnames and first names on purpose."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from random import Random

_UNWANTED = frozenset({"Doe", "Killer", "Test", "Savage"})

_RARE = 0.0008
"""Names below this share of a country's people read as odd and are left out."""


class Names:
    """Draws full names, each once. About a quarter share a surname with somebody drawn before."""

    def __init__(self, random: Random, locales: Mapping[str, int]) -> None:
        """`locales`: Faker locale → weight."""
        self._random = random
        self._locales = locales
        self._taken: set[tuple[str, str]] = set()
        self._firsts: list[str] = []
        self._lasts: list[str] = []
        """Parts of the names that are taken, each once, in order."""

    def draw(self) -> str:
        while True:
            first, last = self._pair()
            if (first, last) not in self._taken and first != last:
                self._taken.add((first, last))
                _keep(self._firsts, first)
                _keep(self._lasts, last)
                return f"{first} {last}"

    def _pair(self) -> tuple[str, str]:
        locale = self._random.choices(list(self._locales), list(self._locales.values()))[0]
        first_names, last_names = _lists(locale)
        first, last = self._random.choice(first_names), self._random.choice(last_names)
        chance = self._random.random()
        if self._taken and chance < 0.22:
            last = self._random.choice(self._lasts)
        elif self._taken and chance < 0.34:
            first = self._random.choice(self._firsts)
        return first, last


def _keep(ordered: list[str], name: str) -> None:
    place = bisect_left(ordered, name)
    if ordered[place : place + 1] != [name]:
        ordered.insert(place, name)


@cache
def _lists(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    provider = import_module(f"faker.providers.person.{locale}").Provider
    female = getattr(provider, "first_names_female", ()) or provider.first_names
    male = getattr(provider, "first_names_male", ()) or provider.first_names
    return _usable((*_known(female), *_known(male))), _usable(_known(provider.last_names))


def _known(names: Iterable[str] | dict[str, float]) -> Iterable[str]:
    if not isinstance(names, dict) or max(names.values()) >= 1:
        return names
    return [name for name, share in names.items() if share >= _RARE]


def _usable(names: Iterable[str]) -> tuple[str, ...]:
    kept = {name for name in names if name.isalpha() and name.istitle() and 2 < len(name) < 12}
    return tuple(sorted(kept - _UNWANTED))
