"""Architect and coder at full size: some eighteen tables and forty tools, in replies that a model can write."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest

from envolve.agents.base import Blueprint, Brief, Scenario
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.procedural.composition import Composition
from envolve.agents.prompted.architect import PromptedArchitect
from envolve.agents.prompted.architect.blueprints import PromptedDesign
from envolve.agents.prompted.coder import PromptedCoder
from envolve.environments.errors import InputError
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel
from .large_replies import has_rows_enough, large_player, longest

BRIEFS = [
    Brief(
        scenario=Scenario(
            id="city-library",
            name="City library",
            category="media",
            text="A library lends books; members reserve rooms and pay fees.",
        ),
        seed=seed,
        size={"tables": 18, "tools": 35},
    )
    for seed in range(3, 13)
]
_TOKENS, _CHARACTERS = 6_000, 3.0
"""The most that a reply may have, and characters of a token in SQL and JSON, at the least."""


class Composed(NamedTuple):
    brief: Brief
    environment: Environment


@pytest.fixture(scope="module")
def made() -> Composed:
    """The first world whose rows are as many as a model would be asked for."""

    async def compose(brief: Brief) -> Composed:
        blueprint = await ProceduralArchitect().design(brief)
        return Composed(brief, await ProceduralCoder().write(brief, blueprint))

    worlds = (asyncio.run(compose(brief)) for brief in BRIEFS)
    return next(world for world in worlds if has_rows_enough(world.environment))


def test_a_large_world_is_built_from_short_replies(model_server: ScriptedModel, made: Composed) -> None:
    composed = made.environment
    brief = made.brief.model_copy(update={"size": {"tables": 18, "tools": len(composed.tools)}})
    playing = large_player(composed)
    model_server.answer(playing.answer)
    chat = chat_with(model_server.name, ModelSettings(patience=1))

    async def build() -> Environment:
        blueprint = await PromptedArchitect(chat).design(brief)
        # The composed rows were made for another day.
        spec = blueprint.spec.model_copy(update={"clock": composed.spec.clock})
        return await PromptedCoder(chat).write(brief, blueprint.model_copy(update={"spec": spec}))

    environment = asyncio.run(build())
    assert longest(playing) < _TOKENS * _CHARACTERS
    for place, asked in playing.asked.items():
        assert len(asked) == 1, (place, asked[-1][-1]["content"])
    assert len(environment.tables()) == len(composed.tables()) >= 18
    assert environment.tools.keys() == composed.tools.keys()
    assert environment.kit.parts.seed == composed.kit.parts.seed


def test_a_procedural_blueprint_can_be_coded_by_a_model(model_server: ScriptedModel, made: Composed) -> None:
    brief, composed = made
    blueprint = asyncio.run(ProceduralArchitect().design(brief))
    playing = large_player(composed, parts=False)
    model_server.answer(playing.answer)
    coder = PromptedCoder(chat_with(model_server.name, ModelSettings(patience=1)))
    environment = asyncio.run(coder.write(brief, blueprint))
    assert environment.tools.keys() == composed.tools.keys()
    assert environment.spec.provenance.agents == {"architect": "procedural", "coder": model_server.name}
    with pytest.raises(InputError, match="not composed"):
        Composition.from_environment(environment)


def test_what_a_model_designed_is_no_work_for_the_procedural_coder(made: Composed) -> None:
    brief, composed = made
    blueprint = Blueprint(
        spec=composed.spec,
        schema_sql=composed.schema_sql,
        contracts=(),
        design=PromptedDesign().model_dump(mode="json"),
    )
    with pytest.raises(InputError, match="procedural architect composed"):
        asyncio.run(ProceduralCoder().write(brief, blueprint))
