"""The task writer as a model, over real HTTP, with replies written by hand as a capable model would write them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.llm import chat_with
from envolve.agents.llm.errors import Unusable
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.prompted.task_writer import PromptedTaskWriter
from envolve.agents.prompted.task_writer.building import draft_of, task_of
from envolve.agents.prompted.task_writer.drafts import TaskDraft, VerifierDraft
from envolve.agents.prompted.task_writer.ideas import ideas_for
from envolve.agents.prompted.task_writer.material import text_of
from envolve.agents.prompted.task_writer.repairing import one_of_a_pair
from envolve.agents.prompted.task_writer.task_checks import task_problems
from envolve.agents.prompted.task_writer.verifier_building import verifier_draft_of
from envolve.agents.prompted.task_writer.verifying import judged
from envolve.environments.gold import run_gold
from envolve.environments.models import Actor, ExpectedSubmission, Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

from ...scripted_model import ScriptedModel
from .task_scripts import LAST, NOBODY, SHRINK, Conversations, environment, proposed, reply, verified

IDEAS = "You think of things"
TASK = "The idea: "
VERIFIER = "You write the verifier"
REPAIR = "You mend a task"
PROPOSALS = {IDEAS: [reply("ideas")], **{f"{TASK}{title}": [reply(title)] for title in (SHRINK, NOBODY, LAST)}}


@pytest.fixture
def writer(model_server: ScriptedModel) -> PromptedTaskWriter:
    return PromptedTaskWriter(chat_with(model_server.name))


def _propose(writer: PromptedTaskWriter, count: int = 3, known: tuple[Task, ...] = ()) -> list[Task]:
    return asyncio.run(writer.propose(environment(), count, seed=7, known=known))


def _write(writer: PromptedTaskWriter, task: Task) -> Task:
    return asyncio.run(writer.write_verifier(environment(), task, run_gold(environment(), task)))


def _ideas(model_server: ScriptedModel) -> list[str]:
    return [request.text for request in model_server.requests if IDEAS in request.text]


def test_proposed_tasks_get_verifiers_that_an_audit_finds_sound(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    instructions = {title: reply(title)["instruction"] for title in (SHRINK, NOBODY)}
    answers = {instructions[title]: [reply("verifiers", title)] for title in (SHRINK, NOBODY)}
    model_server.answer(Conversations({**PROPOSALS, **answers}))
    tasks = _propose(writer)
    assert [task.instruction for task in tasks] == [reply(title)["instruction"] for title in (SHRINK, NOBODY, LAST)]
    for task in tasks:
        assert run_gold(environment(), task).ok
        report = audit(environment(), _write(writer, task), seed=5)
        assert report.grade == "sound", report
    assert tasks[0].plan["written"]["task_writer/task"].startswith(model_server.name)
    assert len(model_server.requests) == 1 + 3 + 2  # a question's verifier is its answer


def test_rows_that_ideas_ask_for_are_shown_to_the_task(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    model_server.answer(Conversations(PROPOSALS))
    _propose(writer, known=(environment().tasks["count-fridays-guests"],))
    asked = next(request.text for request in model_server.requests if f"{TASK}{SHRINK}" in request.text)
    assert 'id=1819, starts_at="2026-03-06 21:30:00", party_size=6' in asked
    assert "Ben Okafor, diner, row 209 of people" in asked
    assert "How many guests are we expecting" in asked


def test_ideas_that_cannot_be_followed_go_back_and_are_then_dropped(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    ideas = reply("ideas")
    ideas["ideas"][1] |= {"actor_id": 209, "tools": ["mark_no_shows"], "queries": ["DELETE FROM bookings"]}
    ideas["ideas"][2]["tools"] = ["guess_guests"]
    model_server.answer(Conversations({**PROPOSALS, IDEAS: [ideas]}))
    assert [task.instruction for task in _propose(writer)] == [reply(SHRINK)["instruction"]]
    last = _ideas(model_server)[-1]
    assert "ideas.1: actor_id:" in last
    assert "ideas.2: tools: 'guess_guests' is no tool" in last


def test_many_ideas_are_asked_for_in_parts(model_server: ScriptedModel) -> None:
    ten = {"ideas": [{**reply("ideas", "ideas")[number % 3], "title": f"Idea {number}"} for number in range(10)]}
    model_server.answer(Conversations({"- Idea 9": [reply("ideas")], IDEAS: [ten]}))
    found = asyncio.run(ideas_for(chat_with(model_server.name), environment(), 12, seed=7, known=()))
    assert [idea.title for idea in found] == [*(f"Idea {number}" for number in range(10)), SHRINK, NOBODY]
    assert "Write 2 ideas." in _ideas(model_server)[1]


def test_no_usable_idea_is_an_error(model_server: ScriptedModel, writer: PromptedTaskWriter) -> None:
    model_server.answer(Conversations({IDEAS: [{"ideas": [reply("ideas", "ideas")[0] | {"role": "waiter"}]}]}))
    with pytest.raises(Unusable, match="waiter"):
        _propose(writer, 1)
    assert len(model_server.requests) == 4


def test_a_gold_that_fails_goes_back_with_what_its_calls_returned(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    broken = reply(SHRINK)
    broken["gold"][0]["args"] = {}
    broken["gold"][1]["sql"] = "SELECT id, restaurant_id, starts_at FROM $mine"
    model_server.answer(Conversations({**PROPOSALS, f"{TASK}{SHRINK}": [broken, reply(SHRINK)]}))
    assert len(_propose(writer)) == 3
    mended = next(request.text for request in model_server.requests if "gold fails at step 1" in request.text)
    assert "found 3 rows instead of one ($mine has 3 rows)" in mended
    assert '"id": 1833' in mended


def test_an_idea_that_stays_unusable_is_dropped(model_server: ScriptedModel, writer: PromptedTaskWriter) -> None:
    hopeless = reply(SHRINK)
    hopeless["gold"] = hopeless["gold"][:-1]
    model_server.answer(Conversations({**PROPOSALS, f"{TASK}{SHRINK}": [hopeless]}))
    assert [task.instruction for task in _propose(writer)] == [
        reply(title)["instruction"] for title in (NOBODY, LAST)
    ]


def test_values_that_the_instruction_does_not_say_are_asked_for_once(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    ideas = {"ideas": [reply("ideas", "ideas")[0]]}
    vague = reply(SHRINK)
    vague["instruction"] = vague["instruction"].replace("only be four of us", "be fewer of us")
    model_server.answer(Conversations({IDEAS: [ideas], TASK: [vague]}))
    assert [task.instruction for task in _propose(writer, 1)] == [vague["instruction"]]
    assert len(model_server.requests) == 3
    assert "party_size of move_booking is 4, which the instruction does not say" in model_server.requests[-1].text


def _draft(title: str, **changes: Any) -> list[str]:
    actor = {SHRINK: Actor(roles=("diner",), id=209), LAST: Actor(roles=("host",), id=305)}[title]
    draft = TaskDraft.model_validate(reply(title) | changes)
    return task_problems(environment(), task_of(draft, environment(), actor=actor))


def _with(title: str, path: str, index: int, **changes: Any) -> list[Any]:
    items = reply(title)[path]
    items[index] |= changes
    return list(items)


@pytest.mark.parametrize(
    ("title", "changes", "told"),
    [
        (SHRINK, {"instruction": "Move my booking 1819 there."}, "is not in the instruction"),
        (SHRINK, {"instruction": reply(SHRINK)["instruction"] + " It is 1819."}, "the instruction holds the id 1819"),
        (SHRINK, {"instruction": reply(SHRINK)["instruction"] + " Use move_booking."}, "do not say move_booking"),
        (SHRINK, {"goal_sql": "SELECT 1"}, "true already before"),
        (SHRINK, {"goal_sql": "SELECT 0"}, "not true after gold"),
        (SHRINK, {"goal_sql": "SELECT guests FROM after.bookings"}, "goal_sql: cannot run: no such column"),
        (SHRINK, {"goal_sql": None}, "goal_sql is needed"),
        (
            SHRINK,
            {"grounding": _with(SHRINK, "grounding", 0, sql="SELECT id FROM before.bookings")},
            "rows instead of",
        ),
        (SHRINK, {"grounding": []}, "no phrase says which row is meant by restaurant_id of list_tables"),
        (LAST, {"grounding": []}, "no phrase means it"),
        (
            SHRINK,
            {"gold": _with(SHRINK, "gold", 4, args={"booking_id": 1819, "table_id": "$table.id"})},
            "written out",
        ),
        (LAST, {"answer": reply(LAST)["answer"] | {"sql": "SELECT 'Ada' AS guest, 2 AS people"}}, "but gold submits"),
        (LAST, {"answer": None}, "nothing is changed and nothing is asked"),
        (LAST, {"instruction": reply(LAST)["instruction"] + " Is it Ben Okafor with his 6?"}, "holds the answer"),
    ],
)
def test_what_is_wrong_with_a_task_is_told(title: str, changes: dict[str, Any], told: str) -> None:
    assert told in "\n".join(_draft(title, **changes))


def test_a_task_whose_calls_take_no_key_needs_no_phrase_that_means_a_row() -> None:
    sql = """
        SELECT DISTINCT p.name FROM before.bookings b JOIN before.people p ON p.id = b.person_id
        JOIN before.dining_tables t ON t.id = b.table_id JOIN before.people h ON h.restaurant_id = t.restaurant_id
        WHERE h.id = :actor_id AND b.status = 'confirmed' AND date(b.starts_at) = '2026-03-06'
    """
    guests = {"pick": "guests", "sql": "SELECT DISTINCT guest_name FROM $day", "many": True}
    everybody: dict[str, Any] = {
        "instruction": "Who has a confirmed booking with us this Friday?",
        "gold": [reply(LAST)["gold"][0], guests],
        "answer": {"kind": "set", "describe": "everybody's name", "sql": sql, "gold": "$guests"},
    }
    assert _draft(LAST, grounding=[], **everybody) == []


def test_a_question_that_a_guess_answers_is_refused() -> None:
    answer = {
        "kind": "number",
        "describe": "how many people come with the booking",
        "sql": "SELECT 6",
        "gold": "$last.party_size",
    }
    assert any(problem.startswith("null: a guess passes") for problem in _draft(LAST, answer=answer))


def test_a_verifier_that_lets_everything_pass_goes_back(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    anything = {"require": [{"name": "whatever", "sql": "SELECT 1"}]}
    model_server.answer(Conversations({VERIFIER: [anything, reply("verifiers", SHRINK)]}))
    task = _write(writer, proposed(SHRINK))
    assert audit(environment(), task, seed=5).grade == "sound"
    assert len(model_server.requests) == 2
    assert "null: passes with nothing done" in model_server.requests[-1].text


def test_a_verifier_that_fails_gold_or_does_not_compile_is_no_verifier(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    strict = {"require": [{"name": "for five", "sql": "SELECT party_size = 5 FROM after.bookings WHERE id = 1819"}]}
    broken = {"require": [{"name": "for four", "sql": "SELECT guests = 4 FROM after.bookings WHERE id = 1819"}]}
    model_server.answer(Conversations({VERIFIER: [strict, broken]}))
    with pytest.raises(Unusable, match="guests"):
        _write(writer, proposed(SHRINK))
    assert "gold is judged incomplete" in model_server.requests[1].text


def test_what_an_audit_would_reject_goes_back_twice_and_is_then_let_pass(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    weak = {"require": reply("verifiers", SHRINK)["require"][:1]}
    model_server.answer(Conversations({VERIFIER: [weak]}))
    task = _write(writer, proposed(SHRINK))
    assert len(task.verifier.require) == 1
    assert len(model_server.requests) == 3
    assert "end_state_mutants" in model_server.requests[-1].text


def test_what_a_task_wants_to_be_handed_in_stays(model_server: ScriptedModel, writer: PromptedTaskWriter) -> None:
    task = proposed(SHRINK)
    submit = ExpectedSubmission(options=(1, 2, 3, 4))
    asked = task.model_copy(update={"verifier": task.verifier.model_copy(update={"submit": submit})})
    model_server.answer(Conversations({VERIFIER: [reply("verifiers", SHRINK)]}))
    assert _write(writer, asked).verifier.submit == submit


def test_a_new_row_that_the_instruction_names_must_be_bound() -> None:
    draft = reply("deepened verifier")
    whole = TaskDraft.model_validate(reply("deepened", "task"))
    task = task_of(whole, environment(), actor=Actor(roles=("diner",), id=209))
    run = run_gold(environment(), task)
    assert judged(environment(), task, run, VerifierDraft.model_validate(draft)) == ((), ())
    draft["bind"] = {"waits": draft["bind"]["entry"]}
    assert "bind has no 'entry'" in judged(environment(), task, run, VerifierDraft.model_validate(draft)).hard[0]


def test_a_repair_of_the_verifier_needs_no_further_call(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    weak = verified(SHRINK, without="for four")
    report = audit(environment(), weak)
    assert report.grade != "sound"
    mended = {"reason": "the party size was not checked", "verifier": reply("verifiers", SHRINK)}
    model_server.answer(Conversations({REPAIR: [{"reason": "none"}, mended]}))
    repaired = asyncio.run(writer.repair(environment(), weak, report, seed=1))
    assert repaired is not None
    assert "party_size" in model_server.requests[0].text.partition("The audit:")[2]
    assert "nothing is changed" in model_server.requests[1].text
    assert not repaired.verifier.require
    done = _write(writer, repaired)
    assert audit(environment(), done, seed=5).grade == "sound"
    assert list(done.plan) == ["written"]
    assert len(model_server.requests) == 2


def test_a_repair_of_the_instruction_tells_the_next_verifier_what_was_rejected(
    model_server: ScriptedModel, writer: PromptedTaskWriter
) -> None:
    task = verified(SHRINK)
    vague = task.model_copy(
        update={"instruction": task.instruction.replace("on Friday night", "soon").replace("my late", "my")}
    )
    report = audit(environment(), vague)
    assert report.grade == "ambiguous"
    change = {"reason": "the phrase was gone", "instruction": reply(SHRINK)["instruction"]}
    model_server.answer(Conversations({REPAIR: [change], VERIFIER: [reply("verifiers", SHRINK)]}))
    repaired = asyncio.run(writer.repair(environment(), vague, report, seed=1))
    assert repaired is not None
    assert repaired.id != vague.id
    assert audit(environment(), _write(writer, repaired), seed=5).grade == "sound"
    assert "the phrase was gone" in model_server.requests[-1].text


def test_a_repair_may_be_given_up(model_server: ScriptedModel, writer: PromptedTaskWriter) -> None:
    task = verified(SHRINK, without="for four")
    model_server.answer(Conversations({REPAIR: [{"reason": "no tool tells", "give_up": True}]}))
    assert asyncio.run(writer.repair(environment(), task, audit(environment(), task), seed=1)) is None


def test_the_example_of_the_prompts_is_right() -> None:
    """It is shown to every model, so it is held to what every task is held to."""
    whole = TaskDraft.model_validate(json.loads(text_of("example_task.json")))
    task = task_of(whole, environment(), actor=Actor(roles=("host",), id=305))
    assert task_problems(environment(), task) == []
    draft = VerifierDraft.model_validate(json.loads(text_of("example_verifier.json")))
    assert judged(environment(), task, run_gold(environment(), task), draft) == ((), ())


def test_nothing_is_wrong_with_tasks_that_an_audit_found_sound() -> None:
    """Tasks composed without any model are taken apart into drafts and made again."""
    scenario = Scenario(id="gym", name="Gym", category="", text="A gym with memberships and classes that are booked")
    composed, tasks = asyncio.run(_composed(Brief(scenario=scenario, seed=4)))
    assert tasks
    for task in tasks:
        again = task_of(draft_of(task), composed, actor=task.actor, setup=task.setup)
        assert task_problems(composed, again) == []
        verifier = verifier_draft_of(task.verifier)
        if verifier is not None:
            run = run_gold(composed, again)
            assert judged(composed, again, run, verifier.model_copy(update={"allow": None})) == ((), ())


async def _composed(brief: Brief) -> tuple[Environment, list[Task]]:
    made = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
    writer = ProceduralTaskWriter()
    tasks = [task for task in await writer.propose(made, 3, seed=3) if not one_of_a_pair(task)]
    return made, [await writer.write_verifier(made, task, run_gold(made, task)) for task in tasks]


DEEP = f"SELECT {'(' * 300}1{')' * 300}"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (DEEP, "nested more than"),
        (ENDLESS, "ran past its step budget"),
        ("DELETE FROM before.bookings", "cannot run"),
        ("ATTACH 'stolen.db' AS stolen", "cannot run"),
        ("SELECT randomblob(1000000000)", "randomblob"),
        ("SELECT '\x1b[2J'", "control characters"),
    ],
)
def test_hostile_sql_is_told_and_not_run(
    model_server: ScriptedModel, writer: PromptedTaskWriter, sql: str, told: str
) -> None:
    ideas = {"ideas": [reply("ideas", "ideas")[0]]}
    model_server.answer(Conversations({IDEAS: [ideas], TASK: [reply(SHRINK) | {"goal_sql": sql}, reply(SHRINK)]}))
    assert len(_propose(writer, 1)) == 1
    assert told in model_server.requests[-1].text


def test_prompts_stay_small(model_server: ScriptedModel, writer: PromptedTaskWriter) -> None:
    model_server.answer(Conversations(PROPOSALS))
    _propose(writer)
    assert max(len(request.text) for request in model_server.requests) < 60_000
