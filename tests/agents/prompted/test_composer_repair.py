"""What goes back to a composing model, and that it is mended. All replies are written by hand (see `composed`)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.base import Blueprint
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.procedural.library import library
from envolve.agents.prompted.composer import PromptedComposer

from ...scripted_model import ScriptedModel
from .composed import BAKERY, BIKES, DESIGN, WORDS, Composed, Player


def mended(server: ScriptedModel, playing: Player, composed: Composed) -> Blueprint:
    """What is designed after one wrong reply."""
    server.answer(playing.answer)
    composer = PromptedComposer(chat_with(server.name, ModelSettings(patience=1)))
    blueprint = asyncio.run(composer.design(composed.brief))
    assert {place: len(asked) for place, asked in playing.asked.items()} in (
        {DESIGN: 2, WORDS: 1},
        {DESIGN: 1, WORDS: 2},
    )
    return blueprint


def test_names_that_the_library_lacks(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    wrong["archetypes"]["ovens"] = {}
    wrong["archetypes"]["orders"]["delivery"] = "drone"
    wrong["archetypes"]["billing"]["colour"] = "red"
    wrong["links"]["order_baked"] = {}
    wrong["trade"] = "patisserie"
    playing.before(DESIGN, wrong)
    blueprint = mended(model_server, playing, BAKERY)
    told = playing.told(DESIGN)
    has = ", ".join(sorted(library().archetypes)[:2])
    assert f"archetypes.ovens: the library has none of that name; it has {has}," in told
    assert "archetypes.orders.delivery: there is no 'drone'; choose pickup or shipping." in told
    first = min(library().archetypes["billing"].variants)
    assert f"archetypes.billing.colour: there is no such variant; billing has {first}," in told
    assert "links.order_baked: the library has none of that name" in told
    assert "trade: retail has no 'patisserie'; it has books," in told
    assert "ovens" not in blueprint.design["archetypes"]


def test_a_need_that_nothing_fills(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    del wrong["archetypes"]["catalogue"]
    playing.before(DESIGN, wrong)
    blueprint = mended(model_server, playing, BAKERY)
    told = playing.told(DESIGN)
    assert "archetypes.orders: needs catalogue (as its item); add it or leave orders out." in told
    assert blueprint.design["fills"] == {"orders.item": "catalogue.item"}


def test_archetypes_that_exclude_each_other(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    wrong["archetypes"]["channels"] = {}
    wrong["nouns"]["channels.thread"] = "notice board"
    playing.before(DESIGN, wrong)
    mended(model_server, playing, BAKERY)
    assert "archetypes.threads: does not go together with channels; keep one of the two." in playing.told(DESIGN)


def test_choices_that_others_do_not_allow(model_server: ScriptedModel) -> None:
    playing = Player(BIKES)
    wrong = playing.right(DESIGN)
    wrong["archetypes"]["resources"]["rates"] = "none"
    playing.before(DESIGN, wrong)
    blueprint = mended(model_server, playing, BIKES)
    assert "bookings.cancellation: 'fee_late' is possible only if resources.rates == 'hourly'." in playing.told(
        DESIGN
    )
    assert blueprint.design["archetypes"]["bookings"]["cancellation"] == "fee_late"


def test_links_that_do_not_fit(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    wrong["archetypes"]["billing"]["refunds"] = "none"
    wrong["links"] |= {"refund_for_ticket": {}, "booking_invoiced": {}, "order_from_account": {}}
    wrong["archetypes"] |= {"tickets": {}, "accounts": {}}
    wrong["nouns"] |= {"tickets.ticket": "grumble", "accounts.account": "tab"}
    playing.before(DESIGN, wrong)
    mended(model_server, playing, BAKERY)
    told = playing.told(DESIGN)
    assert "links.refund_for_ticket: needs billing.refunds to be small_by_staff or managers_only." in told
    assert "links.booking_invoiced: joins bookings, resources, which you did not choose" in told
    assert "links.order_invoiced: does not go together with order_from_account; keep one of the two." in told


def test_a_link_decides_what_the_model_leaves_open(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    right = playing.right(DESIGN)
    del right["archetypes"]["billing"]["refunds"]
    del right["archetypes"]["threads"], right["links"]["thread_about_order"]
    right["archetypes"]["tickets"] = {}
    right["links"]["refund_for_ticket"] = {}
    right["nouns"] = {key: noun for key, noun in right["nouns"].items() if not key.startswith("threads")}
    right["nouns"]["tickets.ticket"] = "grumble"
    playing.always(DESIGN, right)
    playing.always(WORDS, {})
    model_server.answer(playing.answer)
    composer = PromptedComposer(chat_with(model_server.name, ModelSettings(patience=1)))
    blueprint = asyncio.run(composer.design(BAKERY.brief))
    assert blueprint.design["archetypes"]["billing"]["refunds"] in ("small_by_staff", "managers_only")
    assert len(playing.asked[DESIGN]) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"catalogue.item": "cake order"}, "'cake order' is used for nouns.orders.order already"),
        ({"catalogue.item": "baker"}, "nouns.catalogue.item: 'baker' is used for roles.staff already"),
        ({"catalogue.item": None}, "nouns.catalogue.item: is missing; say what it is called here."),
        ({"catalogue.item": "bakes"}, "nouns.catalogue.item: 'bakes' looks like a plural; give the singular."),
        ({"catalogue.item": "bread equipment"}, "'bread equipment' has no plural of its own"),
        ({"catalogue.item": "Bake!"}, "'Bake!' must be one to three words in small letters"),
        ({"catalogue.item": "submit"}, "'submit' is what a tool of the runtime is called"),
        ({"catalogue.item": "value"}, "Choose another noun for catalogue.item ('value')."),
        ({"threads.label": "group"}, "Choose another noun for threads.label ('group')."),
        ({"orders.cake": "cake"}, "nouns.orders.cake: there is no such entity; this design has people.person,"),
    ],
)
def test_nouns_that_cannot_be_used(model_server: ScriptedModel, changes: dict[str, str | None], told: str) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    for key, noun in changes.items():
        if noun is None:
            del wrong["nouns"][key]
        else:
            wrong["nouns"][key] = noun
    playing.before(DESIGN, wrong)
    blueprint = mended(model_server, playing, BAKERY)
    assert told in playing.told(DESIGN)
    assert blueprint.design["nouns"]["catalogue.item"] == "bake"


def test_a_size_that_is_not_wanted_says_what_would_change_it(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    wrong = playing.right(DESIGN)
    wrong["archetypes"] = {"catalogue": {"stock": "counted", "places": "none"}, "people": {"contact": "plain"}}
    wrong["links"] = {}
    playing.before(DESIGN, wrong)
    mended(model_server, playing, BAKERY)
    told = playing.told(DESIGN)
    assert "11 to 17 tables and 24 to 38 tools are wanted. Choose more archetypes, or other variants, such as" in told
    assert "people.contact=addresses (+1 tables, +4 tools)" in told


def test_a_size_that_stays_unwanted_is_let_pass(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    small = playing.right(DESIGN)
    small["archetypes"] = {"orders": {}, "catalogue": {"pricing": "plain"}, "people": {"file": "none"}}
    small["links"] = {}
    playing.always(DESIGN, small)
    brief = BAKERY.brief.model_copy(update={"size": {"tables": 30, "tools": 60}})
    playing.always(WORDS, {})
    model_server.answer(playing.answer)
    composer = PromptedComposer(chat_with(model_server.name, ModelSettings(patience=1)))
    blueprint = asyncio.run(composer.design(brief))
    assert len(playing.asked[DESIGN]) == 3
    assert set(blueprint.design["archetypes"]) == {"people", "orders", "catalogue"}


def test_everything_at_once_is_never_let_pass(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    large = playing.right(DESIGN)
    large["archetypes"] |= {"resources": {}, "bookings": {}, "tickets": {}, "approvals": {}, "memberships": {}}
    large["nouns"] |= {
        "resources.resource": "oven",
        "bookings.booking": "baking class",
        "tickets.ticket": "grumble",
        "approvals.request": "special wish",
        "memberships.membership": "bread pass",
    }
    playing.always(DESIGN, large)
    model_server.answer(playing.answer)
    composer = PromptedComposer(chat_with(model_server.name, ModelSettings(patience=1)))
    with pytest.raises(Unusable, match="Choose fewer archetypes"):
        asyncio.run(composer.design(BAKERY.brief))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"lists": {"recipes": ["a", "b"]}}, "recipes: there is no such list here; there are charge_subjects,"),
        ({"lists": {"order_notes": ["no nuts"]}}, "order_notes: 1 words; give 5 to 60."),
        ({"lists": {"stock": ["Rye"] * 9}}, "lists.stock: has headings; give it under grouped."),
        (
            {"grouped": {"order_notes": [{"heading": "a", "words": ["b"]}]}},
            "grouped.order_notes: has no headings; give it under lists.",
        ),
        ({"grouped": {"stock": [{"heading": "Bread", "words": ["Rye"]}]}}, "stock: give at least 2 headings."),
        ({"lists": {"order_notes": ["a: b", "c", "d", "e", "f"]}}, "'a: b' must be plain words, without any of : ;"),
        ({"lists": {"order_notes": ["x" * 61, "c", "d", "e", "f"]}}, "has 61 characters; 60 at most."),
        (
            {"lists": {"order_notes": ["No nuts", "really no nuts", "d", "e", "f"]}},
            "'really no nuts' and 'no nuts' cannot be told apart",
        ),
    ],
)
def test_words_that_cannot_be_used(model_server: ScriptedModel, words: dict[str, Any], told: str) -> None:
    playing = Player(BAKERY)
    playing.before(WORDS, words)
    blueprint = mended(model_server, playing, BAKERY)
    assert told in playing.told(WORDS)
    assert set(blueprint.design["words"]) == {"order_notes", "charge_subjects", "stock"}
