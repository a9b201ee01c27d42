"""Where a world stands: what its people are called, its towns and streets, what postcodes and phone numbers look like."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from ...environments.canonical import seed_from
from ...environments.models import Frozen
from .data_files import packaged


class Country(Frozen):
    """`weight`: how often worlds stand there. `names`: locale of Faker → share of the people with names from there.
    In `phone` and `postcode`, `#` is a digit and `@` a capital letter."""

    weight: int
    names: dict[str, int]
    phone: str
    postcode: str
    towns: tuple[str, ...]
    streets: tuple[str, ...]


@lru_cache(maxsize=1)
def countries() -> Mapping[str, Country]:
    """All countries by name."""
    found: dict[str, object] = packaged("countries.yaml")
    return {name: Country.model_validate(country) for name, country in found.items()}


def drawn_country(seed: int) -> str:
    """The name of a country, by their weights."""
    weights = {name: country.weight for name, country in countries().items()}
    return Random(seed_from("country", seed)).choices(list(weights), list(weights.values()))[0]


def country_named(name: str) -> Country:
    """The country of that name; for worlds without one, the first."""
    known = countries()
    return known.get(name) or next(iter(known.values()))
