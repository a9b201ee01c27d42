"""The coder as a model, over real HTTP. All replies are written by hand for these tests (see `kayaks`)."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

from envolve.agents.base import Blueprint, Dossier
from envolve.agents.critics.rules_critic import RulesCritic
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.prompted.architect import PromptedArchitect
from envolve.agents.prompted.coder import PromptedCoder
from envolve.agents.tester import Effort, run_gates
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel
from .kayaks import BRIEF, Player, player

HIRING, YARD = "coder/tools find_boats", "coder/tools hand_out_boat"
"""Groups, by their first tools."""
PEOPLE, HIRES = "coder/seed people", "coder/seed hires"


def designed(server: ScriptedModel, playing: Player) -> Blueprint:
    server.answer(playing.answer)
    return asyncio.run(PromptedArchitect(chat_with(server.name, ModelSettings(patience=1))).design(BRIEF))


def written(server: ScriptedModel, blueprint: Blueprint) -> Environment:
    coder = PromptedCoder(chat_with(server.name, ModelSettings(patience=1)))
    return asyncio.run(coder.write(BRIEF, blueprint))


def coded(server: ScriptedModel, playing: Player) -> Environment:
    return written(server, designed(server, playing))


def changed(reply: object) -> Any:
    """A copy to be spoilt."""
    return copy.deepcopy(reply)


def test_a_blueprint_becomes_an_environment_that_the_gates_pass(model_server: ScriptedModel) -> None:
    playing = player()
    environment = coded(model_server, playing)
    report = run_gates(environment, seed=3)
    assert report.findings == ()
    assert asyncio.run(RulesCritic().review(Dossier(environment, {}))) == []
    assert len(environment.tools) == 10
    assert report.coverage.never_succeeded == ()
    assert all(len(asked) == 1 for asked in playing.asked.values()), "a right reply needs no repair"


def test_provenance_names_both_models_and_all_prompts(model_server: ScriptedModel) -> None:
    provenance = coded(model_server, player()).spec.provenance
    assert provenance.agents == {"architect": model_server.name, "coder": model_server.name}
    coder = {name for name in provenance.prompts if name.startswith("coder/")}
    assert coder == {"coder/tools", "coder/seed", "coder/format", "coder/example"}
    assert provenance.design == {"kind": "prompted"}


def test_tools_that_do_not_fit_the_schema_go_back(model_server: ScriptedModel) -> None:
    playing = player()
    wrong = changed(playing.replies[HIRING][0])
    find, _, book, cancel, _ = wrong["tools"]
    find["returns"]["many"] = find["returns"]["many"].replace("b.color, k.hourly", "b.paint, k.hourly")
    book["steps"][3]["require"] = "SELECT count(*) < 2 FROM hires WHERE person_id = :person"
    cancel["steps"][1]["error"]["message"] = "Hire {hire_id} is {state}."
    playing.before(HIRING, wrong)
    coded(model_server, playing)
    told = playing.told(HIRING)
    assert "tools.find_boats.returns.many: does not prepare: no such column: b.paint" in told
    assert "tools.book_boat.steps.3.require: binds :person, which is not known here" in told
    assert "{state} is not always bound" in told


def test_tools_that_break_their_contract_go_back(model_server: ScriptedModel) -> None:
    playing = player()
    wrong = changed(playing.replies[YARD][0])
    hand_out, take_back, report, _, damages = wrong["tools"]
    hand_out["steps"][-2]["do"] = "UPDATE hires SET status = 'out', starts_at = :now WHERE id = :hire_id"
    take_back["steps"].pop()
    damages["returns"]["many"] = damages["returns"]["many"].replace("(:status IS NULL OR d.status = :status)", "TRUE")
    damages["returns"]["many"] = damages["returns"]["many"].replace("b.label AS boat_label, ", "")
    playing.before(YARD, {"tools": [*wrong["tools"], changed(report)]}, wrong)
    coded(model_server, playing)
    twice, told = (str(asked[-1]["content"]) for asked in playing.asked[YARD][1:])
    assert "tools.report_damage: stands there twice" in twice
    assert "hand_out_boat updates hires.starts_at, which its contract does not say" in told
    assert "take_back_boat never inserts hire_events" in told
    assert "list_damages takes status and does nothing with it" in told
    assert "the contract promises boat_label" in told


def test_rows_that_violate_keys_go_back_all_at_once(model_server: ScriptedModel) -> None:
    playing = player()
    people, hires = (changed(playing.replies[place][0]) for place in (PEOPLE, HIRES))
    people["tables"][0]["rows"][1][2] = "ada.okafor@example.com"
    people["tables"][2]["rows"][0][4] = "sunk"
    hires["tables"][0]["rows"][0][1] = 999
    hires["tables"][0]["rows"][1][3] = "2026-02-07 17:00:00"
    hires["tables"][1]["rows"][0] = [9043, 1806, "booked"]
    playing.before(PEOPLE, people)
    playing.before(HIRES, hires, {"tables": [{**table, "rows": []} for table in hires["tables"]]})
    coded(model_server, playing)
    told = playing.told(PEOPLE)
    assert "people row 2: UNIQUE constraint failed: people.email" in told
    assert "boats row 1: CHECK constraint failed" in told
    shapes, empty = (str(asked[-1]["content"]) for asked in playing.asked[HIRES][1:])
    assert "hire_events row 1: 3 values for 4 columns" in shapes
    assert "hires: has no rows" in empty
    assert "0 rows in hires, damages are too few" in empty
    assert "hire_events: has no rows" not in empty, "logs may be empty"


def test_rows_that_point_nowhere_or_break_invariants_go_back(model_server: ScriptedModel) -> None:
    playing = player()
    nowhere, broken = (changed(playing.replies[HIRES][0]) for _ in range(2))
    nowhere["tables"][0]["rows"][0][1] = 999
    nowhere["tables"][0]["rows"][1][3] = "2026-02-07 17:00:00"
    broken["tables"][2]["rows"].pop(2)
    broken["tables"][0]["rows"][4][4] = "2026-02-07T13:00"
    playing.before(HIRES, nowhere, broken)
    coded(model_server, playing)
    first, second = (str(asked[-1]["content"]) for asked in playing.asked[HIRES][1:])
    assert "hires 1806: boat_id = 999, but no row of boats has that id (it has 711; 716;" in first
    assert "hires row 2: CHECK constraint failed: starts_at < ends_at" in first
    assert "'boats are in repair exactly while they have an open damage' is broken by 1 rows" in second
    assert "'2026-02-07T13:00', which is no date-time" in second


def test_rows_of_earlier_tables_can_be_given_again(model_server: ScriptedModel) -> None:
    playing = player()
    reply = changed(playing.replies[HIRES][0])
    reply["tables"][2]["rows"].pop(2)
    reply["tables"].append({"table": "boats", "columns": ["id", "status"], "rows": [[753, "available"]]})
    playing.always(HIRES, reply)
    environment = coded(model_server, playing)
    assert len(playing.asked[HIRES]) == 1
    assert "(753, 'K9', 31, 'green', 'available')" in environment.seed_sql


def test_a_group_that_comes_to_nothing_leaves_the_rest(model_server: ScriptedModel) -> None:
    playing = player()
    blueprint = designed(model_server, playing)
    moved = changed(blueprint.design)
    hiring, yard = moved["groups"]
    hiring["tools"] += yard["tools"][:2]
    hiring["requirements"] += ["r3"]
    yard |= {"tools": yard["tools"][2:], "requirements": ["r5"]}
    tools = changed(playing.replies[YARD][0])["tools"]
    playing.replies[HIRING][0]["tools"] += tools[:2]
    playing.always("coder/tools report_damage", {"tools": tools[:2]})
    environment = written(model_server, blueprint.model_copy(update={"design": moved}))
    assert len(playing.asked["coder/tools report_damage"]) == 4
    assert len(environment.tools) == 7
    assert not any("oldest open damage" in text for text in environment.spec.requirements)
    assert len(environment.spec.requirements) == 4
    report = run_gates(environment, effort=Effort(calls_per_tool=5, least=30, most=40))
    assert report.passed


def test_too_few_tools_are_unusable(model_server: ScriptedModel) -> None:
    playing = player()
    playing.always(YARD, {"tools": []})
    with pytest.raises(Unusable, match="5 of 10 tools; nothing came of yard"):
        coded(model_server, playing)


def test_no_seed_is_unusable(model_server: ScriptedModel) -> None:
    playing = player()
    playing.always(HIRES, {"tables": [{"table": "boats", "columns": ["name"], "rows": []}]})
    with pytest.raises(Unusable, match="there is no column name"):
        coded(model_server, playing)


def test_what_the_gates_find_is_mended(model_server: ScriptedModel) -> None:
    playing = player()
    forgetful = changed(playing.replies[HIRING][0])
    guard = forgetful["tools"][2]["steps"].pop(4)
    playing.always(HIRING, forgetful)
    effort = Effort(least=120, most=120)
    environment = coded(model_server, playing)
    found = run_gates(environment, seed=3, effort=effort)
    assert {finding.where.split(".")[1] for finding in found.blocking} == {"book_boat"}
    edit = {"tool": "book_boat", "place": "steps.4", "insert": True, "value": guard}
    playing.always("coder/repair", {"edits": [edit]})
    coder = PromptedCoder(chat_with(model_server.name, ModelSettings(patience=1)))
    after = asyncio.run(coder.repair(environment, found.blocking, seed=1))
    assert after is not None
    assert len(playing.asked["coder/repair"]) == 1
    assert run_gates(after, seed=3, effort=effort).passed
