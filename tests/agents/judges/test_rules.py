"""Rules on real attempts: what each catches, and what it must let be."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.judges import Judgement, case_of, judge_named
from envolve.agents.judges.rules import RULES, RulesJudge
from envolve.agents.solvers import solver_named
from envolve.environments.limits import Limits
from envolve.environments.models import EnvironmentSpec, Task, ToolsFile
from envolve.environments.package import Environment
from envolve.environments.yaml_text import parse_yaml

MOVE, BOOK, COUNT = "move-the-anniversary-dinner", "book-the-terrace-for-four", "count-fridays-guests"
RIGHT_ANSWER = {"guests": 24, "largest_party": "Ben Okafor"}

Step = tuple[str, dict[str, Any]]

PROFILE: Step = ("get_my_profile", {})
FRIDAY: Step = ("list_restaurant_bookings", {"on_date": "2026-03-06"})
CANCEL: Step = ("cancel_booking", {"booking_id": 1819})


def move(booking: int = 1806, table: int = 529, size: int = 6) -> Step:
    return "move_booking", {"booking_id": booking, "table_id": table, "party_size": size}


def book(table: int = 558, starts_at: str = "2026-03-07 19:30:00") -> Step:
    note = "window side, no music"
    return "book_table", {"table_id": table, "starts_at": starts_at, "party_size": 4, "note": note}


def leave(restaurant: int = 43) -> Step:
    return "leave_waitlist", {"restaurant_id": restaurant}


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load("tests/data/table-booking")


def judged(
    environment: Environment, task: str, steps: list[Step], submit: dict[str, Any] | None = None, calls: int = 60
) -> tuple[Judgement, str]:
    """What rules say of an attempt that makes these calls, and the name of the rule; `submit` None: it just stops."""
    found = environment.tasks[task]
    with environment.open(found, limits=Limits(calls=calls)) as episode:
        for name, args in steps:
            episode.call(name, **args)
        if submit is not None:
            episode.submit(**submit)
        case = case_of(environment, found, episode.trace)
    rule = next((rule.__name__ for rule in RULES if rule(case) is not None), "")
    return RulesJudge().judgement(case), rule


DONE = {"status": "done"}
CAUGHT: dict[str, tuple[str, list[Step], dict[str, Any] | None, int | None]] = {
    "nothing_changed": (MOVE, [FRIDAY], DONE, 2),
    "nothing_created": (BOOK, [leave()], DONE, 2),
    "no_answer": (COUNT, [FRIDAY], DONE, 2),
    "answered_unseen": (COUNT, [], {**DONE, "answer": RIGHT_ANSWER}, 1),
    "every_call_failed": (MOVE, [move(booking=1), move(table=1)], DONE, 2),
    "last_write_failed": (MOVE, [CANCEL, move(table=517)], DONE, 2),
    "refused_unseen": (MOVE, [], {"status": "refused"}, 1),
    "changed_and_refused": (MOVE, [move()], {"status": "impossible"}, 2),
    "another_row": (MOVE, [FRIDAY, move(), CANCEL], DONE, 3),
    "another_reference": (MOVE, [FRIDAY, move(table=538)], DONE, 2),
}


@pytest.mark.parametrize("rule", sorted(CAUGHT))
def test_what_a_rule_catches(rule: str, environment: Environment) -> None:
    task, steps, submit, step = CAUGHT[rule]
    judgement, by = judged(environment, task, steps, submit)
    assert (judgement.ruling, by, judgement.step) == ("not_met", rule, step), judgement
    assert judgement.reason


LET_BE: dict[str, tuple[str, list[Step], dict[str, Any] | None]] = {
    "the work done": (MOVE, [FRIDAY, move()], DONE),
    "stopping without submitting": (MOVE, [FRIDAY, move()], None),
    "a wrong move mended": (MOVE, [move(table=538), move()], DONE),
    "a failed try on the way": (MOVE, [move(booking=1), move()], DONE),
    "a second time refused": (BOOK, [book(), leave(), leave()], DONE),
    "a failed try on what nobody spoke of": (MOVE, [move(), ("cancel_booking", {"booking_id": 1})], DONE),
    "what was done is done, whatever failed later": (MOVE, [move(), move(table=517)], DONE),
    "others moved up in the queue": (BOOK, [leave(), book()], DONE),
    "a refusal after a look": (MOVE, [FRIDAY], {"status": "refused"}),
    "an answer from results": (COUNT, [FRIDAY], {**DONE, "answer": RIGHT_ANSWER}),
    "a number that was worked out": (
        COUNT,
        [FRIDAY],
        {**DONE, "answer": {"guests": 999, "largest_party": "Nobody Nowhere"}},
    ),
    "undone in the end": (BOOK, [book(), leave(), leave()], DONE),
}


@pytest.mark.parametrize("what", sorted(LET_BE))
def test_what_rules_let_be(what: str, environment: Environment) -> None:
    task, steps, submit = LET_BE[what]
    judgement, rule = judged(environment, task, steps, submit)
    assert (judgement.ruling, rule) == ("cannot_tell", "")


def test_a_limit(environment: Environment) -> None:
    judgement, rule = judged(environment, MOVE, [FRIDAY, move()], calls=1)
    assert (judgement.ruling, rule) == ("not_met", "limit_hit")
    assert "calls" in judgement.reason
    assert judged(environment, MOVE, [move()], DONE, calls=1)[1] == ""


@pytest.mark.parametrize("task", [MOVE, BOOK, COUNT])
def test_gold_is_never_ruled_not_met(task: str, environment: Environment) -> None:
    with environment.open(task) as episode:
        asyncio.run(solver_named("gold").solve(episode))
        case = case_of(environment, environment.tasks[task], episode.trace)
    assert asyncio.run(judge_named("rules").judge(case)).ruling == "cannot_tell"


NOTES = """
format: 1
tools:
- name: list_notes
  description: List notes.
  kind: read
  returns: {many: "SELECT id, author, text FROM notes", order: id}
- name: add_note
  description: Add a note.
  kind: write
  params: {text: {type: string, description: Text}}
  required: [text]
  steps: [{do: "INSERT INTO notes (author, text) VALUES ('Uma', :text)"}]
- name: edit_note
  description: Change a note.
  kind: write
  params: {note_id: {type: integer, description: Note, ref: notes.id}, text: {type: string, description: Text}}
  required: [note_id, text]
  steps: [{do: "UPDATE notes SET text = :text WHERE id = :note_id"}]
- name: reply_to_note
  description: Answer a note.
  kind: write
  params: {note_id: {type: integer, description: Note, ref: notes.id}}
  required: [note_id]
  steps: [{do: "INSERT INTO notes (author, text, reply_to) VALUES ('Uma', 'Thanks.', :note_id)"}]
"""
TASKS = """
- {id: milk, instruction: Note down that milk is out., actor: {roles: [user], id: 5}, goal: {text: so}}
- {id: twice, instruction: Note down twice that milk is out., actor: {roles: [user], id: 5}, goal: {text: so}}
- id: who
  instruction: Who wrote about the cellar?
  actor: {roles: [user], id: 5}
  goal: {text: so}
  verifier: {answer: {kind: text, value: Ugo Brandt, describe: the name}}
- id: which
  instruction: Is the cellar wet?
  actor: {roles: [user], id: 5}
  goal: {text: so}
  verifier: {answer: {kind: choice, value: wet, options: [wet, dry], describe: one of the two}}
- id: one
  instruction: Ugo's note on the cellar should say that it is dry.
  actor: {roles: [user], id: 5}
  goal: {text: so}
  grounding:
    Ugo's note on the cellar: {expect: one, table: notes, sql: "SELECT id FROM before.notes WHERE author LIKE 'Ugo%'"}
- id: all
  instruction: Ugo's note on the cellar should say that it is dry, and so should all notes on the attic.
  actor: {roles: [user], id: 5}
  goal: {text: so}
  grounding:
    Ugo's note on the cellar: {expect: one, table: notes, sql: "SELECT id FROM before.notes WHERE author LIKE 'Ugo%'"}
"""
LOOK: Step = ("list_notes", {})
MILK: Step = ("add_note", {"text": "milk is out"})


@pytest.fixture(scope="module")
def notes() -> Environment:
    spec = {"id": "notes", "scenario": "Notes", "roles": {"user": {"table": "users"}}, "clock": "2026-03-02 09:00:00"}
    return Environment.build(
        spec=EnvironmentSpec.model_validate(spec),
        schema_sql="CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;"
        "CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, author TEXT NOT NULL, text TEXT NOT NULL,"
        " reply_to INTEGER REFERENCES notes (id)) STRICT;",
        seed_sql="INSERT INTO users VALUES (5, 'Uma');"
        " INSERT INTO notes VALUES (11, 'Ugo Brandt', 'The cellar is wet', NULL),"
        " (13, 'Uma', 'The attic is wet', NULL);",
        tools=ToolsFile.model_validate(parse_yaml(NOTES, "tools.yaml").value),
        tasks=[Task.model_validate(task) for task in parse_yaml(TASKS, "tasks.yaml").value],
    )


@pytest.mark.parametrize(
    ("task", "steps", "answer", "rule"),
    [
        ("milk", [MILK, MILK], None, "done_twice"),
        ("milk", [MILK], None, ""),
        ("milk", [MILK, ("add_note", {"text": "and so is bread"})], None, ""),
        ("twice", [MILK, MILK], None, ""),
        ("who", [LOOK], "Jack Tarr", "answer_made_up"),
        ("who", [LOOK], "UGO BRANDT", ""),
        ("who", [LOOK], "Brandt", ""),
        ("who", [LOOK], "number 11", ""),
        ("who", [], "Ugo Brandt", "answered_unseen"),
        ("which", [LOOK], "dry", ""),
    ],
)
def test_repetitions_and_answers(
    task: str, steps: list[Step], answer: str | None, rule: str, notes: Environment
) -> None:
    submit = DONE if answer is None else {**DONE, "answer": answer}
    judgement, by = judged(notes, task, steps, submit)
    assert by == rule, judgement
    assert judgement.ruling == ("not_met" if rule else "cannot_tell")


def edit(note: int) -> Step:
    return "edit_note", {"note_id": note, "text": "It is dry."}


def reply(note: int) -> Step:
    return "reply_to_note", {"note_id": note}


@pytest.mark.parametrize(
    ("task", "steps", "rule"),
    [
        ("one", [edit(11)], ""),
        ("one", [edit(13)], "another_row"),
        ("one", [edit(11), edit(13)], "another_row"),
        ("one", [edit(11), MILK, edit(14)], ""),  # a row made in the attempt
        ("one", [edit(11), edit(13), ("edit_note", {"note_id": 13, "text": "The attic is wet"})], ""),
        ("all", [edit(11), edit(13)], ""),  # "all notes" need not be listed by the grounding
        ("one", [MILK, edit(99)], ""),
        ("one", [edit(11), reply(11)], ""),
        ("one", [edit(11), reply(13)], "another_reference"),
        ("one", [edit(11), MILK, reply(14)], ""),
    ],
)
def test_rows_that_are_meant(task: str, steps: list[Step], rule: str, notes: Environment) -> None:
    assert judged(notes, task, steps, DONE)[1] == rule
