"""Architect and coder at full size: some eighteen tables and forty tools, in replies that a model can write."""

from __future__ import annotations

import asyncio

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
from .large_replies import large_player, longest

BRIEF = Brief(
    scenario=Scenario(
        id="city-library",
        name="City library",
        category="media",
        text="A library lends books; members reserve rooms and pay fees.",
    ),
    seed=3,
    size={"tables": 18, "tools": 35},
)
_TOKENS, _CHARACTERS = 6_000, 3.0
"""The most that a reply may have, and characters of a token in SQL and JSON, at the least."""


@pytest.fixture(scope="module")
def composed() -> Environment:
    async def compose() -> Environment:
        blueprint = await ProceduralArchitect().design(BRIEF)
        return await ProceduralCoder().write(BRIEF, blueprint)

    return asyncio.run(compose())


def test_a_large_world_is_built_from_short_replies(model_server: ScriptedModel, composed: Environment) -> None:
    playing = large_player(composed)
    model_server.answer(playing.answer)
    chat = chat_with(model_server.name, ModelSettings(patience=1))

    async def build() -> Environment:
        blueprint = await PromptedArchitect(chat).design(BRIEF)
        # The composed rows were made for another day.
        spec = blueprint.spec.model_copy(update={"clock": composed.spec.clock})
        return await PromptedCoder(chat).write(BRIEF, blueprint.model_copy(update={"spec": spec}))

    environment = asyncio.run(build())
    assert longest(playing) < _TOKENS * _CHARACTERS
    for place, asked in playing.asked.items():
        assert len(asked) == 1, (place, asked[-1][-1]["content"])
    assert len(environment.tables()) == len(composed.tables()) >= 18
    assert environment.tools.keys() == composed.tools.keys()
    assert environment.kit.parts.seed == composed.kit.parts.seed


def test_a_procedural_blueprint_can_be_coded_by_a_model(model_server: ScriptedModel, composed: Environment) -> None:
    blueprint = asyncio.run(ProceduralArchitect().design(BRIEF))
    playing = large_player(composed, parts=False)
    model_server.answer(playing.answer)
    coder = PromptedCoder(chat_with(model_server.name, ModelSettings(patience=1)))
    environment = asyncio.run(coder.write(BRIEF, blueprint))
    assert environment.tools.keys() == composed.tools.keys()
    assert environment.spec.provenance.agents == {"architect": "procedural", "coder": model_server.name}
    with pytest.raises(InputError, match="not composed"):
        Composition.from_environment(environment)


def test_what_a_model_designed_is_no_work_for_the_procedural_coder(composed: Environment) -> None:
    blueprint = Blueprint(
        spec=composed.spec,
        schema_sql=composed.schema_sql,
        contracts=(),
        design=PromptedDesign().model_dump(mode="json"),
    )
    with pytest.raises(InputError, match="procedural architect composed"):
        asyncio.run(ProceduralCoder().write(BRIEF, blueprint))
