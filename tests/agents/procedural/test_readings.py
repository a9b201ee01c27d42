"""What is understood of scenarios as people type them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from envolve.agents.base import Brief
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.drawing import draw
from envolve.agents.procedural.inflection import plural, singular
from envolve.agents.procedural.library import library
from envolve.agents.procedural.objects import BOOKING, ITEM, RESOURCE, TICKET, objects_of
from envolve.agents.procedural.reading import read
from envolve.agents.scenarios import scenario_of
from envolve.environments.package import Environment


def drawn(text: str, *, seed: int) -> set[str]:
    """The archetypes of a world of the usual size."""
    size = {"tables": 18, "tools": 35}
    return {*draw(Brief(scenario=scenario_of(text), seed=seed, size=size)).archetypes}


TYPED = {
    "A bike shop that rents and repairs bikes": "bicycles",
    "Bees": "beekeeping",
    "Zahnarztpraxis mit Notdienst": "dentist",
    "一家小餐馆": "restaurant",
    "dentist": "dentist",
    "A small pizzeria with delivery and table reservations": "restaurant",
    "A tool library where neighbours borrow drills and ladders": "tool library",
    "hair salon with 4 stylists": "salon",
    "Car wash": "car wash",
    "An escape room venue with three rooms": "escape rooms",
    "a dog walking business": "pet care",
    "Kayak rental on a lake, with guided tours": "outdoor hire",
    "A podcast studio renting recording booths by the hour": "studio",
    "A landlord with 12 flats; tenants report leaks and pay rent": "lettings",
    "A laundromat": "laundry",
    "Flower delivery": "florist",
    "Wedding photographer": "photography",
    "A taxi company": "cabs",
    "un taller mecánico que repara coches y motos": "garage",
    "A chess club with a ladder and coaching": "clubs",
    "Bank": "credit union",
    "A cinema that sells tickets and popcorn": "cinema",
    "Accounting firm handling tax returns for small businesses": "accounting",
    "Moving company with trucks": "removals",
    "A library": "library",
    "🚲 shop": "bicycles",
    "A vet clinic with vaccinations and surgery": "farm vets",
    "An animal hospital for cats and dogs": "farm vets",
    "A second-hand bookshop that sells books": "books",
}


@pytest.mark.parametrize("text", TYPED)
def test_the_trade_is_recognised(text: str) -> None:
    reading = read(text, "", library())
    assert (reading.trade, reading.note) == (TYPED[text], "")


@pytest.mark.parametrize(
    "text", ["", "🧿", "x", "Qwerty and the asdf", "A ghost hunting agency", 'a "quoted" shop; DROP']
)
def test_a_text_of_no_known_trade_says_so(text: str, compose: Callable[..., Environment]) -> None:
    design = compose(text).spec.provenance.design
    assert design["category"] == "general"
    assert "general one" in design["note"]


def test_the_words_of_a_text_are_used_where_no_trade_is_known(compose: Callable[..., Environment]) -> None:
    environment = compose("A drone rental company for farmers who want to survey fields")
    assert {"drones", "rentals"} <= environment.tables().keys()
    assert "farmer" in environment.spec.roles
    assert "drone" in environment.spec.provenance.design["note"]


def test_what_is_sold_has_a_name_of_its_kind(compose: Callable[..., Environment]) -> None:
    environment = compose("An online store for vintage cameras")
    assert "cameras" in environment.tables()
    assert "Compact Camera" in environment.seed_sql
    assert "Oak Tray" not in environment.seed_sql


@pytest.mark.parametrize(
    ("text", "key", "nouns"),
    [
        ("A place that rents and repairs canoes", RESOURCE, ("canoe",)),
        ("A place that rents and repairs canoes", TICKET, ("repair",)),
        ("They lend hives and extractors to members", RESOURCE, ("hive", "extractor")),
        ("They lend hives and extractors to members", BOOKING, ("loan",)),
        ("Drone rental", RESOURCE, ("drone",)),
        ("We sell lamps, and deliver them", ITEM, ("lamp",)),
        ("We sell honey and services", ITEM, None),
        ("Staff repair it", RESOURCE, None),
        ("A depot that rents hand tools and ladders", RESOURCE, ("hand tool", "ladder")),
        ("A club that rents courts to members and visitors", RESOURCE, ("court",)),
        ("An office that gives loans, takes bookings and handles repairs", RESOURCE, None),
    ],
)
def test_what_is_lent_sold_or_mended_is_named(text: str, key: str, nouns: tuple[str, ...] | None) -> None:
    assert objects_of(text).nouns.get(key) == nouns


def test_a_given_category_is_taken(compose: Callable[..., Environment]) -> None:
    assert read("A bike shop", "health", library()).category == "health"


def test_archetypes_that_a_text_asks_for_are_there(compose: Callable[..., Environment]) -> None:
    for seed in range(4):
        environment = compose("A bike shop that rents and repairs bikes", seed=seed)
        design = Composition.from_environment(environment).design
        assert {"bookings", "resources"} <= design.archetypes.keys()
        assert {"tickets", "maintenance"} & design.archetypes.keys(), (
            "what is broken is mended as the one or the other"
        )


@pytest.mark.parametrize(
    ("text", "homonyms"),
    [
        (
            "A pawnbroker takes pledges, gives loans on them and sells what is not redeemed",
            {"pledges", "loans", "leases"},
        ),
        ("A bank where clients apply for loans and officers approve them", {"loans"}),
        ("Bin collection: crews empty bins on weekly rounds", {"collections"}),
    ],
)
def test_a_word_means_what_it_means_in_the_trade(text: str, homonyms: set[str]) -> None:
    assert read(text, "", library()).trade
    for seed in range(6):
        assert not homonyms & drawn(text, seed=seed)


@pytest.mark.parametrize(
    "idiom", ["of course", "in order to keep well", "into account", "in any case", "in case of fire"]
)
def test_an_idiom_names_nothing(idiom: str) -> None:
    assert read(f"A hospital; {idiom} all are treated", "", library()).named == (
        read("A hospital; all are treated", "", library()).named
    )


@pytest.mark.parametrize(
    ("text", "trade"),
    [
        ("River bank restoration: volunteers plant willows and borrow tools", "credit union"),
        ("A bank holiday childcare club", "credit union"),
        ("A car pool to the office", "pool"),
        ("A pool table hall with leagues", "pool"),
        ("The disciplinary complaints of a bar association", "restaurant"),
        ("A VW Golf owners' club", "golf"),
        ("A nursery selling plants and seedlings", "nursery"),
        ("A film school that lends cameras and books editing suites", "books"),
    ],
)
def test_a_name_with_another_meaning_is_not_taken_for_the_trade(text: str, trade: str) -> None:
    assert read(text, "", library()).trade != trade


def test_what_would_be_odd_in_a_trade_is_there_when_it_is_asked_for_by_name() -> None:
    plain = sum("loyalty" in drawn("A bank", seed=seed) for seed in range(8))
    named = sum("loyalty" in drawn("A bank with a loyalty programme for savers", seed=seed) for seed in range(8))
    assert plain == 0
    assert named >= 6


def test_what_a_trade_must_do_without_is_there_when_the_text_does_it() -> None:
    worlds = [drawn("A bank where clients apply for mortgages and officers approve them", seed=n) for n in range(6)]
    assert sum("approvals" in world for world in worlds) >= 4


@pytest.mark.parametrize("word", ["bike", "class", "box", "city", "ski", "knife", "bus", "watch"])
def test_singulars_undo_plurals(word: str) -> None:
    assert singular(plural(word)) == word


def test_names_do_not_end_in_the_middle() -> None:
    assert scenario_of("Accounting firm handling tax returns for small businesses").name == (
        "Accounting firm handling tax returns"
    )


def test_the_seed_speaks_of_its_own_trade(compose: Callable[..., Environment]) -> None:
    """Notes of a category that belong to another of its trades stay out."""
    for seed in range(4):
        garage = compose("A garage that repairs cars", seed=seed)
        assert garage.spec.provenance.design["trade"] == "garage"
        assert "heirloom piece" not in garage.seed_sql
        museum = compose("A museum that lends objects from its collection", seed=seed)
        assert "drums finish by ten" not in museum.seed_sql
