"""Repairs by a model, over real HTTP: patches of planted faults. All replies are written by hand for these tests."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.prompted.coder import PromptedCoder
from envolve.agents.prompted.coder.concerned import concerned, most_severe
from envolve.agents.prompted.coder.drafts import PatchDraft
from envolve.agents.prompted.coder.patch_check import PatchCheck
from envolve.agents.prompted.coder.patching import patched
from envolve.agents.tester import run_gates, run_probe
from envolve.environments.models import Actor, Expectation, Finding, Probe, ProbeCall, ToolsFile
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel
from .kayaks import Player

PACKAGE = Path(__file__).parents[2] / "data" / "table-booking"
REPAIR = "coder/repair"
ADA = Actor(roles=("diner",), id=204)
LATE = {
    "require": "SELECT minutes_between(:now, :booking_starts_at) >= 120",
    "roles": ["diner"],
    "error": {
        "code": "forbidden",
        "message": "The booking starts at {booking_starts_at}; only a host can cancel it.",
    },
}


@pytest.fixture(scope="module")
def faulty() -> Environment:
    """Table booking in which diners cancel at any time."""
    sound = Environment.load(PACKAGE)
    tools = []
    for tool in sound.tools_file.tools:
        steps = tuple(step for index, step in enumerate(tool.steps) if (tool.name, index) != ("cancel_booking", 2))
        tools.append(tool.model_copy(update={"steps": steps}))
    file = ToolsFile(tools=tuple(tools), shared=sound.tools_file.shared)
    return Environment.build(spec=sound.spec, schema_sql=sound.schema_sql, seed_sql=sound.seed_sql, tools=file)


FINDING = Finding(
    kind="guard_dropped",
    severity="major",
    where="tools.cancel_booking.steps",
    message="Diners can cancel within two hours of the start, which rule 2 leaves to hosts.",
    source="critic:model",
    evidence={"rule": 2},
    probe=Probe(
        actor=Actor(roles=("diner",), id=209),
        calls=(ProbeCall(call="cancel_booking", args={"booking_id": 1833}),),
        expect=(Expectation(fails=("forbidden", "conflict")),),
    ),
    confirmed=True,
)


def repaired(
    server: ScriptedModel, environment: Environment, *replies: object, findings: tuple[Finding, ...] = (FINDING,)
) -> tuple[Environment | None, Player]:
    """What the coder gave back; None also where nothing that it was told could be used."""
    playing = Player({REPAIR: list(replies)})
    server.answer(playing.answer)
    coder = PromptedCoder(chat_with(server.name, ModelSettings(patience=1)))
    try:
        return asyncio.run(coder.repair(environment, findings, seed=5)), playing
    except Unusable:
        return None, playing


def edit(place: str, value: Any, *, tool: str = "cancel_booking", insert: bool = False) -> dict[str, Any]:
    return {"edits": [{"tool": tool, "place": place, "value": value, "insert": insert}]}


def problems_of(environment: Environment, reply: object) -> str:
    return " ".join(PatchCheck(environment, (), seed=0)(PatchDraft.model_validate(reply)))


def test_the_finding_is_there(faulty: Environment) -> None:
    assert run_probe(faulty, FINDING).reproduced


def test_a_patch_mends_a_finding(model_server: ScriptedModel, faulty: Environment) -> None:
    after, playing = repaired(model_server, faulty, edit("steps.3", LATE, insert=True))
    assert after is not None
    assert not run_probe(after, FINDING).reproduced
    assert len(playing.asked[REPAIR]) == 1
    assert after.tools.keys() == faulty.tools.keys()
    assert after.spec.provenance.agents["coder"] == model_server.name
    assert {"coder/repair", "coder/format"} <= set(after.spec.provenance.prompts)


def test_only_what_findings_concern_is_shown(model_server: ScriptedModel, faulty: Environment) -> None:
    _, playing = repaired(model_server, faulty, {"give_up": "It is as wanted."})
    asked = str(playing.asked[REPAIR][0][1]["content"])
    assert "Diners can cancel within two hours of the start" in asked
    assert '"booking_id":1833' in asked
    assert '"name":"cancel_booking"' in asked
    assert "CREATE TABLE bookings" in asked
    assert "CREATE TABLE waitlist" not in asked
    assert '"name":"count_expected_guests"' not in asked
    assert "- count_expected_guests: " in asked
    assert '"name":"move_booking"' in asked, "it writes the same"


def test_patches_that_do_not_build_or_mend_go_back(model_server: ScriptedModel, faulty: Environment) -> None:
    nowhere = edit("steps.9", LATE)
    unbuilt = edit("steps.3", {**LATE, "require": "SELECT :booking_begins_at > :now"}, insert=True)
    nothing: dict[str, Any] = {}
    beside = edit("description", "Cancel a confirmed booking.")
    right = edit("steps.3", LATE, insert=True)
    after, playing = repaired(model_server, faulty, nowhere, unbuilt, beside, right)
    told = [str(asked[-1]["content"]) for asked in playing.asked[REPAIR][1:]]
    assert "cancel_booking.steps.9: there is no 9" in told[0]
    assert "binds :booking_begins_at, which is not known here" in told[1]
    assert "finding 1 (tools.cancel_booking.steps) still shows with this patch" in told[2]
    assert after is not None
    _, playing = repaired(model_server, faulty, nothing)
    assert "the patch changes nothing" in playing.told(REPAIR)


def test_a_patch_that_mends_some_is_kept(model_server: ScriptedModel, faulty: Environment) -> None:
    beside = edit("description", "Cancel a confirmed booking.")
    after, playing = repaired(model_server, faulty, beside)
    assert len(playing.asked[REPAIR]) == 2, "what still shows is told once"
    assert after is not None
    assert after.tools["cancel_booking"].description == "Cancel a confirmed booking."


def test_giving_up_is_none_and_never_building_unusable(model_server: ScriptedModel, faulty: Environment) -> None:
    assert repaired(model_server, faulty, {"give_up": "Real services do so too."})[0] is None
    model_server.answer(Player({REPAIR: [edit("steps.9", LATE)]}).answer)
    coder = PromptedCoder(chat_with(model_server.name, ModelSettings(patience=1)))
    with pytest.raises(Unusable, match="coder/repair"):
        asyncio.run(coder.repair(faulty, (FINDING,), seed=5))
    assert repaired(model_server, faulty, findings=())[0] is None


def test_a_patch_may_not_break_what_held(model_server: ScriptedModel, faulty: Environment) -> None:
    undeclared = edit("steps.3", {"do": "UPDATE bookings SET party_size = 1 WHERE id = :booking_id"}, insert=True)
    broken = {
        "rows": [
            {
                "table": "bookings",
                "key": {"id": 1815},
                "set": {"table_id": 529, "starts_at": "2026-03-06 20:30:00", "ends_at": "2026-03-06 22:30:00"},
            }
        ]
    }
    _, playing = repaired(model_server, faulty, undeclared, broken)
    told = [str(asked[-1]["content"]) for asked in playing.asked[REPAIR][1:]]
    assert "cancel_booking updates bookings.party_size, which its contract does not say" in told[0]
    assert "'no double booking' is broken by 1 rows" in told[1]


def test_rows_tables_invariants_and_rules_can_be_patched(model_server: ScriptedModel, faulty: Environment) -> None:
    waitlist = next(sql for kind, name, sql in faulty.kit.built.objects if name == "waitlist")
    patch = {
        "rows": [
            {"table": "waitlist", "key": {"id": 71}, "set": {"party_size": 3}},
            {"table": "booking_events", "key": {"id": 9043}, "delete": True},
            {
                "table": "restaurants",
                "key": {"id": 52},
                "set": {
                    "name": "L'Orto",
                    "neighborhood": "Harbour",
                    "cuisine": "Italian",
                    "price_level": 2,
                    "rating": 4.2,
                },
            },
        ],
        "tables": [{"name": "waitlist", "sql": waitlist.replace("party_size > 0", "party_size BETWEEN 1 AND 20")}],
        "invariants": [
            {"name": "bookings last two hours", "sql": None},
            {"name": "ratings are given", "sql": "SELECT id FROM restaurants WHERE rating IS NULL"},
        ],
        "policy": [{"number": 4, "text": "A table can be booked at most 60 days ahead."}],
    }
    finding = FINDING.model_copy(update={"probe": None, "where": "schema.waitlist"})
    after, _ = repaired(model_server, faulty, patch, findings=(finding,))
    assert after is not None
    assert "BETWEEN 1 AND 20" in after.schema_sql
    assert after.schema_sql.count("CREATE TABLE") == faulty.schema_sql.count("CREATE TABLE")
    assert "(52, 'L''Orto', 'Harbour', 'Italian', 2, 4.2)" in after.seed_sql
    assert "9043" not in after.seed_sql
    names = [rule.name for rule in after.spec.invariants]
    assert "bookings last two hours" not in names
    assert names[-1] == "ratings are given"
    assert "4. A table can be booked at most 60 days ahead." in after.spec.policy
    assert run_gates(after, gates=()).passed


def test_what_cannot_be_patched_is_told(model_server: ScriptedModel, faulty: Environment) -> None:
    replies = (
        {"rows": [{"table": "waitlist", "key": {"id": 71}, "set": {"guests": 2}}]},
        {"rows": [{"table": "guests", "key": {"id": 1}}]},
        {"rows": [{"table": "waitlist", "key": {"person_id": 204}}]},
        {"tables": [{"name": "waitlist", "sql": "DROP TABLE waitlist"}]},
    )
    _, playing = repaired(model_server, faulty, *replies)
    told = [str(asked[-1]["content"]) for asked in playing.asked[REPAIR][1:]]
    assert "table waitlist has no column named guests" in told[0]
    assert "there is no table 'guests'" in told[1]
    assert "the key of waitlist is id" in told[2]
    assert "tables.waitlist: give CREATE TABLE waitlist" in problems_of(faulty, replies[3])


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("steps.0", {"run": "rm"}, "a step is one of let, require, do, use"),
        ("steps", None, "there is no steps without a number"),
        ("description.0", "x", "there is no 0"),
        ("name", "drop_booking", "cannot take another name"),
        ("params.booking_id.ref", "bookings.number", "bookings has no column 'number'"),
        ("roles", ["king"], "'king' is no role"),
    ],
)
def test_places_and_values_of_edits_are_checked(faulty: Environment, place: str, value: Any, problem: str) -> None:
    assert problem in problems_of(faulty, edit(place, value))


def test_what_an_invariant_reads_is_shown(faulty: Environment) -> None:
    finding = FINDING.model_copy(update={"where": "environment.invariants.3", "message": "Not so.", "probe": None})
    shown = concerned(faulty, [finding])
    assert any(sql.startswith("CREATE TABLE waitlist") for sql in shown.schema)
    assert not any(sql.startswith("CREATE TABLE bookings") for sql in shown.schema)


def test_tools_that_take_a_shared_step_are_shown(faulty: Environment) -> None:
    finding = FINDING.model_copy(update={"where": "shared.steps.check_time.0.require", "message": "-", "probe": None})
    names = [tool.partition('"name":"')[2].partition('"')[0] for tool in concerned(faulty, [finding]).tools]
    assert names[:2] == ["book_table", "move_booking"]


def test_the_most_severe_come_first() -> None:
    minor = FINDING.model_copy(update={"severity": "minor"})
    doubt = FINDING.model_copy(update={"confirmed": None})
    blocker = FINDING.model_copy(update={"severity": "blocker"})
    assert most_severe([minor, doubt, FINDING, blocker]) == [blocker, FINDING, doubt, minor]


def test_a_tool_can_be_written_anew(model_server: ScriptedModel, faulty: Environment) -> None:
    tool = faulty.tools["leave_waitlist"].model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude={"places"}
    )
    tool["description"] = "Take the diner off a waitlist."
    after, _ = repaired(
        model_server, faulty, {"tools": [tool]}, findings=(FINDING.model_copy(update={"probe": None}),)
    )
    assert after is not None
    assert after.tools["leave_waitlist"].steps == faulty.tools["leave_waitlist"].steps
    assert after.tools["leave_waitlist"].description == "Take the diner off a waitlist."


def test_words_of_a_long_text_are_replaced(faulty: Environment) -> None:
    def reworded(find: str, by: str, place: str = "returns.one") -> dict[str, Any]:
        return {"edits": [{"tool": "cancel_booking", "place": place, "replace": [{"find": find, "by": by}]}]}

    draft = PatchDraft.model_validate(reworded("SELECT id, status", "SELECT id, party_size, status"))
    returns = patched(faulty, draft).tools["cancel_booking"].returns
    assert returns is not None
    assert returns.one == "SELECT id, party_size, status, cancelled_at, note FROM bookings WHERE id = :booking_id"
    assert "'booking' stands there 2 times" in problems_of(faulty, reworded("booking", "x"))
    assert "'waiter' stands there 0 times" in problems_of(faulty, reworded("waiter", "x"))
    assert "replace is for texts" in problems_of(faulty, reworded("a", "b", "returns"))
    assert "there is no many" in problems_of(faulty, reworded("a", "b", "returns.many"))


def test_false_alarms_are_left_alone(model_server: ScriptedModel, faulty: Environment) -> None:
    alarm = {"no_defect": [{"finding": 1, "reason": "Rule 2 allows it."}]}
    after, playing = repaired(model_server, faulty, alarm)
    assert after is None
    assert len(playing.asked[REPAIR]) == 1
    beside = {**edit("description", "Cancel a confirmed booking."), **alarm}
    after, playing = repaired(model_server, faulty, beside)
    assert after is not None
    assert len(playing.asked[REPAIR]) == 1, "that the finding still shows is not told"
    _, playing = repaired(model_server, faulty, {"no_defect": [{"finding": 2, "reason": "?"}]})
    assert "no_defect: there is no finding 2; there are 1." in playing.told(REPAIR)


def test_tools_that_are_asked_for_are_shown_once(model_server: ScriptedModel, faulty: Environment) -> None:
    asking = {"show": ["count_expected_guests", "no_such_tool"]}
    after, playing = repaired(model_server, faulty, asking, asking, edit("steps.3", LATE, insert=True))
    told = [str(asked[-1]["content"]) for asked in playing.asked[REPAIR][1:]]
    assert '"name":"count_expected_guests"' in told[0]
    assert "there is no tool no_such_tool" in told[0]
    assert "tools were shown once" in told[1]
    assert after is not None
