"""The architect as a model that composes, over real HTTP. All replies are written by hand for these tests (see
`composed`)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.base import Blueprint, Brief, Neighbour, PastDefect
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.procedural import ProceduralCoder
from envolve.agents.procedural.architect import blueprint_of
from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.library import library
from envolve.agents.procedural.operators import ProceduralEvolver
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.prompted.composer import PromptedComposer
from envolve.agents.prompted.composer.word_lists import lists_of
from envolve.agents.tester import run_gates
from envolve.environments.gold import run_gold
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.eval.units import units

from ...scripted_model import ScriptedModel
from .composed import BAKERY, BIKES, DESIGN, WORDS, Composed, Player

BOTH = pytest.mark.parametrize("composed", [BAKERY, BIKES], ids=["bakery", "bikes"])


def designed(server: ScriptedModel, playing: Player, brief: Brief) -> Blueprint:
    server.answer(playing.answer)
    return asyncio.run(PromptedComposer(chat_with(server.name, ModelSettings(patience=1))).design(brief))


def built(brief: Brief, blueprint: Blueprint) -> Environment:
    return asyncio.run(ProceduralCoder().write(brief, blueprint))


@BOTH
def test_a_right_reply_becomes_an_environment_without_findings(
    model_server: ScriptedModel, composed: Composed
) -> None:
    playing = Player(composed)
    environment = built(composed.brief, designed(model_server, playing, composed.brief))
    assert all(len(asked) == 1 for asked in playing.asked.values()), "a right reply needs no repair"
    assert [finding for finding in run_gates(environment, seed=3).findings if finding.confirmed] == []


@BOTH
def test_tasks_of_the_procedural_writer_are_sound(model_server: ScriptedModel, composed: Composed) -> None:
    environment = built(composed.brief, designed(model_server, Player(composed), composed.brief))
    writer = ProceduralTaskWriter()
    tasks = asyncio.run(writer.propose(environment, 6, seed=2))
    assert len(units(tasks)) == 6
    written = environment.with_tasks(
        asyncio.run(writer.write_verifier(environment, task, run_gold(environment, task))) for task in tasks
    )
    assert {audit(written, task).grade for task in written.tasks.values()} == {"sound"}


def test_the_evolver_knows_a_composed_environment(model_server: ScriptedModel) -> None:
    environment = built(BIKES.brief, designed(model_server, Player(BIKES), BIKES.brief))
    tasks = asyncio.run(ProceduralTaskWriter().propose(environment, 4, seed=4))
    evolver = ProceduralEvolver()
    asked = [(task, name) for task in tasks for names in evolver.operators.values() for name in names]
    children = (asyncio.run(evolver.evolve(environment, task, name, seed=1)) for task, name in asked)
    assert any(child is not None for child in children)


def test_nouns_and_words_are_those_of_the_scenario(model_server: ScriptedModel) -> None:
    environment = built(BAKERY.brief, designed(model_server, Player(BAKERY), BAKERY.brief))
    assert {"place_cake_order", "get_bake", "get_cake_bill", "list_cake_chats"} <= set(environment.tools)
    assert set(environment.spec.roles) == {"regular", "baker", "head_baker"}
    for table in ("cake_orders", "cake_order_lines", "binned_batches", "discount_codes"):
        assert f"CREATE TABLE {table} (" in environment.schema_sql
    groups: list[dict[str, Any]] = BAKERY.words["grouped"]["stock"]
    for written in (
        [word for group in groups for word in group["words"]],
        [group["heading"] for group in groups],
        BAKERY.words["lists"]["order_notes"],
    ):
        assert any(f"'{word}'" in environment.seed_sql for word in written), written
    assert "Regulars, bakers and head bakers work with" in environment.spec.summary


def test_the_blueprint_is_that_of_its_design_and_says_who_made_it(model_server: ScriptedModel) -> None:
    blueprint = designed(model_server, Player(BAKERY), BAKERY.brief)
    composition = Composition(Design.model_validate(blueprint.design))
    plain = blueprint_of(composition)
    assert blueprint.schema_sql == plain.schema_sql
    assert blueprint.contracts == plain.contracts
    provenance = blueprint.spec.provenance
    assert provenance.agents == {"architect": model_server.name}
    assert set(provenance.prompts) == {DESIGN, WORDS}
    same = plain.spec.model_copy(update={"provenance": provenance})
    assert blueprint.spec == same
    assert provenance.design == plain.spec.provenance.design
    environment = built(BAKERY.brief, blueprint)
    assert environment.spec.provenance.agents == {"architect": model_server.name, "coder": "procedural"}
    assert Composition.from_environment(environment).design == composition.design


def test_what_is_left_open_is_drawn_so_that_the_size_fits(model_server: ScriptedModel) -> None:
    brief = BAKERY.brief.model_copy(update={"size": {"tables": 10, "tools": 26}})
    playing = Player(BAKERY)
    design = playing.right(DESIGN)
    design["archetypes"] = {"orders": {}, "catalogue": {}, "billing": {}}
    design["links"] = {"order_invoiced": {}}
    playing.always(DESIGN, design)
    playing.always(WORDS, {})
    blueprint = designed(model_server, playing, brief)
    assert len(playing.asked[DESIGN]) == 1
    assert 10 <= blueprint.schema_sql.count("CREATE TABLE") <= 15
    assert 26 <= len(blueprint.contracts) <= 36
    assert set(blueprint.design["archetypes"]["orders"]) == {"stock", "delivery", "discounts", "returns"}


def test_the_same_brief_gives_the_same_blueprint(model_server: ScriptedModel) -> None:
    first = designed(model_server, Player(BAKERY), BAKERY.brief)
    again = designed(model_server, Player(BAKERY), BAKERY.brief)
    other = designed(model_server, Player(BAKERY), BAKERY.brief.model_copy(update={"seed": 12, "attempt": 1}))
    assert first == again
    assert first.design["clock"] != other.design["clock"]


def test_a_scenario_keeps_its_category(model_server: ScriptedModel) -> None:
    playing = Player(BIKES)
    wrong = playing.right(DESIGN)
    wrong["category"], wrong["trade"] = "sports", "outdoor hire"
    playing.before(DESIGN, wrong)
    blueprint = designed(model_server, playing, BIKES.brief)
    assert "category: there is no 'sports' to choose; there are trades" in playing.told(DESIGN)
    assert blueprint.spec.category == "trades"


def test_the_library_neighbours_and_defects_are_told(model_server: ScriptedModel) -> None:
    brief = BAKERY.brief.model_copy(
        update={
            "avoid": (
                Neighbour(id="n1", view="text", distance=0.1, summary="A tea room that takes table bookings"),
                Neighbour(id="secret-item", view="text", distance=0.05),
            ),
            "defects": (PastDefect(kind="stale_total", where="tools.pay", message="It stays.", fix="Add it."),),
        }
    )
    playing = Player(BAKERY)
    designed(model_server, playing, brief)
    asked = str(playing.asked[DESIGN][0][1]["content"])
    for name in (*library().archetypes, *library().links, *library().lexicons):
        assert f"\n{name}: " in asked
    assert "A tea room that takes table bookings" in asked
    assert "secret-item" not in asked
    assert "stale total, at tools.pay: It stays. Mended by this change: Add it." in asked


def test_a_model_that_gives_no_design_is_unusable(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    playing.always(DESIGN, {**playing.right(DESIGN), "archetypes": {"cakes": {}}})
    with pytest.raises(Unusable, match="the library has none of that name"):
        designed(model_server, playing, BAKERY.brief)
    assert len(playing.asked[DESIGN]) == 4


def test_words_that_come_to_nothing_leave_those_of_the_library(model_server: ScriptedModel) -> None:
    playing = Player(BAKERY)
    playing.always(WORDS, "I would rather not.")
    blueprint = designed(model_server, playing, BAKERY.brief)
    assert len(playing.asked[WORDS]) == 4
    assert blueprint.design["words"] == {}
    seeded = built(BAKERY.brief, blueprint).seed_sql
    lists = lists_of(Design.model_validate(blueprint.design), library())
    assert any(f"'{word}'" in seeded for one in lists if one.name == "stock" for word in one.words)
