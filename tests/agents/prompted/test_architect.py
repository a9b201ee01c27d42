"""The architect as a model, over real HTTP. All replies are written by hand for these tests (see `kayaks`)."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

from envolve.agents.base import Blueprint, Brief, Neighbour, PastDefect
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import ModelRefused, Unusable
from envolve.agents.procedural.composition import Composition
from envolve.agents.prompted.architect import PromptedArchitect
from envolve.environments.errors import InputError
from envolve.environments.models import Returns, ToolsFile
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel
from ...scripted_model.script import Failure
from .kayaks import BRIEF, Player, player

REQUIREMENTS = "architect/requirements"
SETTLE = "architect/settle"
HIRES, HIRING, YARD = "architect/schema hires", "architect/tools hiring", "architect/tools yard"


def designed(server: ScriptedModel, playing: Player, brief: Brief = BRIEF) -> Blueprint:
    server.answer(playing.answer)
    architect = PromptedArchitect(chat_with(server.name, ModelSettings(patience=1)))
    return asyncio.run(architect.design(brief))


def changed(reply: object) -> Any:
    """A copy to be spoilt."""
    return copy.deepcopy(reply)


def test_a_scenario_becomes_a_blueprint(model_server: ScriptedModel) -> None:
    playing = player()
    blueprint = designed(model_server, playing)
    assert blueprint.schema_sql.count("CREATE TABLE") == 6
    assert len(blueprint.contracts) == 10
    assert all(not tool.steps and tool.returns is None for tool in blueprint.contracts)
    assert set(blueprint.spec.roles) == {"customer", "staff"}
    assert len(blueprint.spec.invariants) == 3
    assert blueprint.spec.columns.log == ("hire_events",)
    refused = "A customer cancels a hire that starts in less than an hour. (refused: rule 2)"
    assert refused in blueprint.spec.requirements
    assert [group["name"] for group in blueprint.design["groups"]] == ["hiring", "yard"]
    assert all(len(asked) == 1 for asked in playing.asked.values()), "a right reply needs no repair"


def test_what_nothing_reads_is_settled_between_the_groups(model_server: ScriptedModel) -> None:
    playing = player()
    blueprint = designed(model_server, playing)
    assert "the table hire_events is read by no tool" in playing.asked[SETTLE][0][1]["content"]
    assert "get_hire" in {tool.name for tool in blueprint.contracts}


def test_provenance_names_model_and_prompts_and_claims_no_composition(model_server: ScriptedModel) -> None:
    blueprint = designed(model_server, player())
    provenance = blueprint.spec.provenance
    assert provenance.agents == {"architect": model_server.name}
    assert set(provenance.prompts) == {REQUIREMENTS, "architect/schema", "architect/tools", SETTLE}
    tools = (
        tool.model_copy(update={"kind": "read", "returns": Returns(value="SELECT 1")}) for tool in blueprint.contracts
    )
    environment = Environment.build(
        spec=blueprint.spec, schema_sql=blueprint.schema_sql, seed_sql="", tools=ToolsFile(tools=tuple(tools))
    )
    with pytest.raises(InputError, match="not composed"):
        Composition.from_environment(environment)


def test_requirements_that_do_not_fit_together_go_back(model_server: ScriptedModel) -> None:
    playing = player()
    wrong = changed(playing.replies[REQUIREMENTS][0])
    wrong["requirements"][0]["actor"] = "visitor"
    wrong["requirements"][1]["tables"] = ["trips"]
    wrong["groups"][1]["requirements"] = ["r3"]
    wrong["groups"][1]["tools"].append("book_boat")
    playing.before(REQUIREMENTS, wrong)
    designed(model_server, playing)
    told = playing.told(REQUIREMENTS)
    assert "requirements.r1.actor: 'visitor' is no role (customer, staff)" in told
    assert "requirements.r2.tables: trips stand in no part" in told
    assert "requirement r5 is served by no group" in told
    assert "the tool 'book_boat' is named 2 times" in told


def test_tables_that_do_not_build_go_back_all_at_once(model_server: ScriptedModel) -> None:
    playing = player()
    unknown = changed(playing.replies[HIRES][0])
    unknown["tables"][0]["sql"] = unknown["tables"][0]["sql"].replace("REFERENCES boats", "REFERENCES vessels")
    unknown["tables"][1]["sql"] = unknown["tables"][1]["sql"].removesuffix(" STRICT")
    unknown["tables"].append({"name": "boats", "sql": "CREATE TABLE boats (id INTEGER NOT NULL PRIMARY KEY) STRICT"})
    broken = changed(playing.replies[HIRES][0])
    broken["tables"][0]["sql"] = broken["tables"][0]["sql"].replace("price_cents INTEGER", "price_cents DECIMAL")
    broken["tables"][2]["sql"] = broken["tables"][2]["sql"].replace("what TEXT", "what TEXT CHECK (len(what) > 1)")
    playing.before(HIRES, unknown, broken)
    designed(model_server, playing)
    first, second = (str(asked[-1]["content"]) for asked in playing.asked[HIRES][1:])
    assert "tables.hires.sql: REFERENCES vessels, which is no table so far" in first
    assert "tables.hire_events.sql: must end in ) STRICT" in first
    assert "tables.boats: an earlier part has this table already" in first
    assert 'tables.hires: unknown datatype for hires.price_cents: "DECIMAL"' in second
    assert "tables.damages" in second
    assert "len" in second


def test_statements_come_one_by_one_and_may_end_in_comments(model_server: ScriptedModel) -> None:
    playing = player()
    commented, hidden = (changed(playing.replies[HIRES][0]) for _ in range(2))
    hidden["tables"][0]["sql"] += "; CREATE TABLE extras (id INTEGER NOT NULL PRIMARY KEY) STRICT"
    hidden["indexes"].append(
        "CREATE INDEX hires_person ON hires (person_id); CREATE TRIGGER sneaky AFTER DELETE ON hires BEGIN SELECT 1; END"
    )
    commented["tables"][0]["sql"] += " -- one row a booking"
    playing.always(HIRES, hidden)
    playing.replies[HIRES].append(commented)
    blueprint = designed(model_server, playing)
    assert "extras, sneaky: one statement in each `sql`" in playing.told(HIRES)
    assert "-- one row a booking\n;" in blueprint.schema_sql


def test_conditions_invariants_and_columns_are_held_to(model_server: ScriptedModel) -> None:
    playing = player()
    wrong = changed(playing.replies[HIRES][0])
    wrong["held"] = []
    wrong["invariants"][2]["sql"] = "SELECT count(*) FROM hires"
    wrong["tables"][0]["sql"] = wrong["tables"][0]["sql"].replace("price_cents INTEGER", "price_cents REAL")
    playing.before(HIRES, wrong)
    designed(model_server, playing)
    told = playing.told(HIRES)
    assert "condition 3 (A fixed damage has the time at which it was fixed.) is stated by no invariant" in told
    assert "invariant 'customers have at most two booked hires' is broken by 1 rows" in told
    assert "holds money as REAL" in told


def test_contracts_that_do_not_fit_go_back(model_server: ScriptedModel) -> None:
    playing = player()
    wrong = changed(playing.replies[YARD][0])
    wrong["tools"].append(changed(playing.replies[HIRING][0])["tools"][3])
    wrong["tools"][2]["params"]["boat_id"]["ref"] = "boats.number"
    wrong["tools"][0]["params"]["hire_id"].pop("ref")
    wrong["tools"][4]["contract"] = {"damages": {"update": ["status"]}}
    playing.before(YARD, wrong)
    designed(model_server, playing)
    told = playing.told(YARD)
    assert "tools.cancel_hire: another group has this tool" in told
    assert "boats has no column 'number'" in told
    assert "tools.hand_out_boat.params.hire_id: names rows, so it needs ref" in told
    assert "a read tool writes nothing, so damages cannot stand there" in told


def test_a_group_that_comes_to_nothing_leaves_the_rest(model_server: ScriptedModel) -> None:
    playing = player()
    plan, yard = changed(playing.replies[REQUIREMENTS][0]), changed(playing.replies[YARD][0])
    plan["groups"][0]["tools"] += plan["groups"][1]["tools"][:2]
    plan["groups"][0]["requirements"].append("r3")
    plan["groups"][1] = {"name": "yard", "requirements": ["r5"], "tools": plan["groups"][1]["tools"][2:]}
    hiring = {"tools": [*changed(playing.replies[HIRING][0])["tools"], *yard["tools"][:2]]}
    settlement = changed(playing.replies[SETTLE][0])
    settlement["tools"].append({**yard["tools"][4], "group": "hiring", "serves": ["r3"]})
    playing.always(REQUIREMENTS, plan)
    playing.always(HIRING, hiring)
    playing.always(SETTLE, settlement)
    playing.always(YARD, {"tools": []})
    blueprint = designed(model_server, playing)
    assert len(playing.asked[YARD]) == 4
    assert [group["name"] for group in blueprint.design["groups"]] == ["hiring"]
    assert len(blueprint.contracts) == 8
    assert len(blueprint.spec.requirements) == 4
    assert not any("oldest open damage" in text for text in blueprint.spec.requirements)


def test_too_little_left_is_unusable(model_server: ScriptedModel) -> None:
    playing = player()
    playing.always(YARD, "I would rather not.")
    with pytest.raises(Unusable, match="nothing came of yard"):
        designed(model_server, playing)


def test_conflicts_that_nobody_settles_keep_the_first_of_a_name(model_server: ScriptedModel) -> None:
    playing = player()
    playing.always(SETTLE, {"drop": ["hiring/no_such_tool"]})
    blueprint = designed(model_server, playing)
    assert "there is no hiring/no_such_tool" in playing.told(SETTLE)
    assert len(blueprint.contracts) == 9


def test_neighbours_and_defects_are_told_and_held_out_ones_are_not(model_server: ScriptedModel) -> None:
    playing = player()
    brief = BRIEF.model_copy(
        update={
            "avoid": (
                Neighbour(id="n1", view="text", distance=0.1, summary="Rowing boats hired by the day"),
                Neighbour(id="secret-item", view="text", distance=0.05),
            ),
            "defects": (
                PastDefect(kind="stale_total", where="tools.pay", message="The total stays.", fix="Add it."),
            ),
        }
    )
    designed(model_server, playing, brief)
    asked = str(playing.asked[REQUIREMENTS][0][1]["content"])
    assert "Rowing boats hired by the day" in asked
    assert "secret-item" not in asked
    yard = str(playing.asked[YARD][0][1]["content"])
    assert "stale total, at tools.pay: The total stays. Mended by this change: Add it." in yard


def test_a_provider_that_fails_is_no_group_that_comes_to_nothing(model_server: ScriptedModel) -> None:
    playing = player()

    def answer(body: dict[str, Any]) -> Any:
        refused = 'this group "yard"' in body["messages"][1]["content"]
        return Failure(401, "no such key") if refused else playing.answer(body)

    model_server.answer(answer)
    architect = PromptedArchitect(chat_with(model_server.name, ModelSettings(patience=1)))
    with pytest.raises(ModelRefused):
        asyncio.run(architect.design(BRIEF))
    assert HIRING in playing.asked, "what runs beside it ends first"
