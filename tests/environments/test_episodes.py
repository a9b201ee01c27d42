"""An episode from its prompt to its verdict: tools, limits, submission, forks, faults, threads."""

from __future__ import annotations

import gc
import json
import threading
from typing import Any

import pytest

from envolve.environments import Environment, Episode, Limits
from envolve.environments.errors import InputError
from envolve.environments.models import Actor, CallResult, Submission, Task

MOVE, COUNT, BOOK = "move-the-anniversary-dinner", "count-fridays-guests", "book-the-terrace-for-four"
NADIA = Actor(roles=("host",), id=305)


def code(result: CallResult) -> str | None:
    return result.error.code if result.error else None


def changed(environment: Environment, name: str, **update: Any) -> Task:
    return environment.tasks[name].model_copy(update=update)


PROMPT = """\
You work in this service by calling its tools: Diners find tables and book them; hosts run the floor of their \
restaurant.

Rules you must follow:
1. Diners see and change only their own bookings.
2. A booking within two hours of its start can only be cancelled by a host.
3. A party never gets a table with fewer seats than guests.
4. A table can be booked at most sixty days ahead.

You act for Nadia Haddad (host, id 305).
The time is 2026-03-02 09:00:00 (Monday). It only moves on when something is changed.

How many guests are we expecting this Friday, and who is bringing the largest party of the evening, after six?

When it is done, call submit; only what you submit counts, and it ends the episode. If a rule forbids the request, \
submit status "refused"; if it cannot be done, submit "impossible".
"""


def test_the_prompt_is_the_same_at_any_time(table_booking: Environment) -> None:
    with table_booking.open(COUNT) as episode:
        assert episode.prompt() == PROMPT
        episode.call("move_booking", booking_id=1806, table_id=529, party_size=6)
        assert episode.prompt() == PROMPT
    assert episode.prompt() == PROMPT


def test_a_free_episode_has_no_task_and_the_first_actor(table_booking: Environment) -> None:
    with table_booking.open() as episode:
        assert episode.actor == Actor(roles=("diner",), id=204)
        assert "submit" not in episode.prompt()
        assert "submit" not in {tool["name"] for tool in episode.tools}
        assert code(episode.call("submit", status="done")) == "not_found"
        assert code(episode.submit()) == "not_found"
        assert not episode.closed
        with pytest.raises(InputError, match="no task to verify"):
            episode.verify()


def test_tools_are_mcp_definitions(table_booking: Environment) -> None:
    import jsonschema

    with table_booking.open(COUNT) as episode:
        names = [tool["name"] for tool in episode.tools]
        for tool in episode.tools:
            assert set(tool) == {"name", "description", "inputSchema"}
            jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
            assert tool["inputSchema"]["additionalProperties"] is False
        assert json.dumps(episode.tools)
    assert names[-1] == "submit"
    assert "find_people" in names
    assert "join_waitlist" not in names


def test_submit_follows_the_answer_and_the_reasons(table_booking: Environment) -> None:
    with table_booking.open(COUNT) as episode:
        schema = episode.tools[-1]["inputSchema"]
        assert set(schema["properties"]["answer"]["properties"]) == {"guests", "largest_party"}
        assert "24" not in json.dumps(episode.tools)
    task = changed(table_booking, MOVE)
    submit = task.verifier.submit.model_copy(update={"status": "refused", "reason": 3, "options": (1, 2, 3, 4)})
    refusal = task.model_copy(update={"verifier": task.verifier.model_copy(update={"submit": submit})})
    with table_booking.open(refusal) as episode:
        schema = episode.tools[-1]["inputSchema"]
        assert schema["properties"]["reason"]["enum"] == [1, 2, 3, 4, None]
        assert "answer" not in schema["properties"]
        assert code(episode.submit("refused", reason=9)) == "invalid_argument"
        assert "number of the rule" in episode.prompt()
        assert episode.submit("refused", reason=3).ok


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"status": "finished"},
        {"status": "done", "answer": 24},
        {"status": "done", "answer": {"guests": 24}},
        {"status": "done", "reason": "3"},
        {"status": "done", "note": "x"},
    ],
)
def test_what_does_not_fit_is_not_submitted(args: dict[str, Any], table_booking: Environment) -> None:
    with table_booking.open(COUNT) as episode:
        assert code(episode.call("submit", **args)) == "invalid_argument"
        assert not episode.closed
        assert episode.trace.submission is None
        assert episode.submit(answer={"guests": 24, "largest_party": "Ben Okafor"}).ok
        assert episode.trace.submission == Submission(answer={"guests": 24, "largest_party": "Ben Okafor"})
        assert episode.verify().passed


def test_submitting_closes_the_tools(table_booking: Environment) -> None:
    with table_booking.open(MOVE) as episode:
        assert episode.submit().ok
        assert episode.closed
        before = episode.final_image()
        assert code(episode.call("move_booking", booking_id=1806, party_size=2)) == "conflict"
        assert code(episode.submit("refused")) == "conflict"
        assert episode.final_image() == before
        assert episode.trace.submission == Submission()
        assert [event.kind for event in episode.trace.events] == ["submit", "call", "submit"]


def test_a_closed_episode_answers_with_errors(table_booking: Environment) -> None:
    episode = table_booking.open(MOVE)
    episode.call("get_my_profile")
    episode.close()
    episode.close()
    assert code(episode.call("get_my_profile")) == "conflict"
    assert code(episode.submit()) == "conflict"
    assert episode.say("hello") is None
    assert not episode.changes()
    assert len(episode.trace.events) == 4
    for use in (episode.final_image, episode.fork, episode.verify):
        with pytest.raises(InputError, match="closed"):
            use()


def test_stopping_without_submit_counts_as_done(table_booking: Environment) -> None:
    with table_booking.open(MOVE) as episode:
        episode.call("move_booking", booking_id=1806, table_id=529, party_size=6)
        verdict = episode.verify()
    assert verdict.passed
    assert episode.trace.submission is None
    assert episode.verify() is verdict, "once"


def test_a_limit_is_no_submission(table_booking: Environment) -> None:
    with table_booking.open(MOVE, limits=Limits(calls=2)) as episode:
        assert episode.call("move_booking", booking_id=1806, table_id=529, party_size=6).ok
        assert code(episode.call("no_such_tool")) == "not_found", "counts too"
        assert not episode.closed
        assert code(episode.call("get_my_profile")) == "limit_exceeded"
        assert episode.closed
        assert (episode.calls, episode.trace.limit) == (2, "calls")
        assert code(episode.submit()) == "conflict"
        verdict = episode.verify()
    assert (verdict.outcome, verdict.code) == ("protocol", "limit")


def test_submitting_after_the_last_call_is_in_time(table_booking: Environment) -> None:
    with table_booking.open(MOVE, limits=Limits(calls=1)) as episode:
        episode.call("move_booking", booking_id=1806, table_id=529, party_size=6)
        assert episode.submit().ok
        assert episode.verify().passed


def test_an_internal_error_is_the_worlds(table_booking: Environment) -> None:
    spoiled = table_booking.tools_file.model_dump(by_alias=True)
    for tool in spoiled["tools"]:
        if tool["name"] == "get_my_profile":
            tool["returns"]["one"] = "SELECT json('{') AS profile"
    environment = Environment.build(
        spec=table_booking.spec,
        schema_sql=table_booking.schema_sql,
        seed_sql=table_booking.seed_sql,
        tools=type(table_booking.tools_file).model_validate(spoiled),
        tasks=table_booking.tasks.values(),
    )
    with environment.open(MOVE) as episode:
        result = episode.call("get_my_profile")
        assert code(result) == "internal"
        assert "malformed JSON" in result.detail
        assert "malformed" not in json.dumps(result.payload())
        verdict = episode.verify()
    assert (verdict.outcome, verdict.reward) == ("environment_error", None)


ACTORS = {
    "no such row": (Actor(roles=("host",), id=1), "No row of people with id 1"),
    "no possible row": (Actor(roles=("host",), id=2**63), "No row of people with id"),
    "nor that": (Actor(roles=("host",), id=-(2**63) - 1), "No row of people with id"),
    "another role": (Actor(roles=("host",), id=204), "can act as host"),
    "one role of two": (Actor(roles=("diner", "host"), id=204), "can act as host"),
    "no such role": (Actor(roles=("chef",), id=204), "no role 'chef'"),
}


@pytest.mark.parametrize("name", ACTORS)
def test_who_cannot_act(name: str, table_booking: Environment) -> None:
    actor, message = ACTORS[name]
    with pytest.raises(InputError, match=message):
        table_booking.open(actor=actor)


def test_another_actor_in_a_task(table_booking: Environment) -> None:
    with table_booking.open(MOVE, actor=Actor(roles=("diner",), id=209)) as episode:
        assert episode.call("get_my_profile").value["name"] == "Ben Okafor"


def test_the_actor_may_come_with_the_setup(table_booking: Environment) -> None:
    setup = ("INSERT INTO people VALUES (400, 'New Guest', 'new@example.com', 'diner', NULL)",)
    task = changed(table_booking, BOOK, setup=setup, actor=Actor(roles=("diner",), id=400))
    with table_booking.open(task) as episode:
        assert "New Guest" in episode.prompt()
    with pytest.raises(InputError):
        table_booking.open(actor=Actor(roles=("diner",), id=400))


def test_codes_follow_the_seed(table_booking: Environment) -> None:
    def codes(seed: int, failures: int) -> list[str]:
        found = []
        with table_booking.open(BOOK, seed=seed) as episode:
            for number in range(3):
                for _ in range(failures):
                    assert not episode.call(
                        "book_table", table_id=562, starts_at="2026-01-01 10:00:00", party_size=2
                    ).ok
                made = episode.call("book_table", table_id=562, starts_at=f"2026-03-1{number} 10:00:00", party_size=2)
                found.append(made.value["confirmation_code"])
        return found

    assert codes(1, 0) == codes(1, 2), "failed calls use none up"
    assert codes(1, 0) != codes(2, 0)
    assert len(set(codes(1, 0))) == 3


def test_forks_go_separate_ways(table_booking: Environment) -> None:
    with table_booking.open(MOVE, seed=3) as episode:
        episode.call("move_booking", booking_id=1806, table_id=529, party_size=6)
        with episode.fork() as fork:
            assert fork.trace == episode.trace
            assert fork.changes() == episode.changes()
            assert fork.final_image() == episode.final_image()
            fork.call("cancel_booking", booking_id=1806)
            assert fork.calls == 2
            assert len(fork.changes().rows) == 3
            assert len(episode.changes().rows) == 2
            assert not fork.verify().passed
        assert episode.calls == 1
        assert len(episode.trace.events) == 1
        assert episode.verify().passed


def test_the_trace_shows_each_call_with_its_changes(table_booking: Environment) -> None:
    with table_booking.open(MOVE) as episode:
        episode.say("Let me see.")
        episode.call("list_tables", restaurant_id=31)
        episode.call("move_booking", booking_id=1806, table_id=529)
        episode.call("move_booking", booking_id=1806, table_id=1)
        trace = episode.trace
        message, read, write, failed = trace.events
        assert (message.role, message.text) == ("assistant", "Let me see.")
        assert (read.tool, read.args, read.changes) == ("list_tables", {"restaurant_id": 31}, ())
        assert [change.table for change in write.changes] == ["booking_events", "bookings"]
        assert failed.changes == ()
        assert trace.model_validate_json(trace.model_dump_json()) == trace
        episode.call("get_my_profile")
        assert episode.trace.events[:4] == trace.events


def test_faults_strike_the_calls_they_name(table_booking: Environment) -> None:
    faults = (
        {"tool": "move_booking", "call": 1, "kind": "error"},
        {"tool": "move_booking", "call": 2, "kind": "conflict"},
        {"tool": "list_restaurant_bookings", "call": 2, "kind": "stale"},
    )
    with table_booking.open(changed(table_booking, MOVE, faults=faults)) as episode:
        args = {"booking_id": 1806, "table_id": 529, "party_size": 6}

        def seen() -> int:
            found = episode.call("list_restaurant_bookings", on_date="2026-03-06", guest_name="lindqvist")
            size: int = found.value["items"][0]["party_size"]
            return size

        assert code(episode.call("move_booking", **args)) == "limit_exceeded"
        with episode.fork() as fork:
            assert code(fork.call("move_booking", **args)) == "conflict"
        assert code(episode.call("move_booking", **args)) == "conflict"
        assert not episode.changes()
        assert seen() == 4
        assert episode.call("move_booking", **args).ok
        assert seen() == 4, "stale"
        assert seen() == 6
        assert episode.verify().passed


def test_a_fault_that_makes_no_sense_names_the_task(table_booking: Environment) -> None:
    from envolve.environments.errors import PackageError

    with pytest.raises(PackageError, match=r"move-the-anniversary-dinner\.yaml.*faults"):
        table_booking.without_tasks().with_tasks([changed(table_booking, MOVE, faults=({"kind": "explode"},))])


def test_the_person_tells_what_is_asked(table_booking: Environment) -> None:
    user = {
        "facts": {"size": "We will be six.", "music": "No music, please."},
        "reveal_when": {"size": ["how many", "party"]},
    }
    with table_booking.open(changed(table_booking, BOOK, user=user)) as episode:
        assert [tool["name"] for tool in episode.tools][-2:] == ["say", "submit"]
        assert episode.say("How many of you will come?") == "We will be six."
        assert episode.say("Hello!") == "I have nothing to add to that."
        assert episode.call("say", text="What about the music, and your party?").value == {
            "reply": "We will be six. No music, please."
        }
        assert code(episode.call("say", txt="x")) == "invalid_argument"
        roles = [event.role for event in episode.trace.events]
        assert roles == ["assistant", "user", "assistant", "user", None, None]


def test_without_a_person_there_is_no_say(table_booking: Environment) -> None:
    with table_booking.open(BOOK) as episode:
        assert episode.say("Hello?") is None
        assert code(episode.call("say", text="Hello?")) == "not_found"


def test_many_episodes_in_many_threads(table_booking: Environment) -> None:
    results: dict[int, tuple[Any, ...]] = {}

    def work(number: int) -> None:
        with table_booking.open(MOVE, seed=number % 2) as episode:
            for _ in range(10):
                episode.call("list_restaurant_bookings", on_date="2026-03-06")
                episode.call("move_booking", booking_id=1806, table_id=529 if number % 2 else 538, party_size=6)
            signature = (episode.changes(), episode.final_image())
            results[number] = (*signature, episode.verify().passed)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    for number in range(2, 8):
        assert results[number] == results[number % 2]
    assert [results[number][2] for number in range(2)] == [False, True]


def test_moving_an_episode_between_threads(table_booking: Environment) -> None:
    episode = table_booking.open(MOVE)
    answers = []
    for _ in range(3):
        thread = threading.Thread(target=lambda: answers.append(episode.call("get_my_profile")))
        thread.start()
        thread.join()
    episode.close()
    assert [answer.ok for answer in answers] == [True] * 3


def test_forgotten_episodes_leave_nothing_open(table_booking: Environment) -> None:
    import apsw

    gc.collect()
    before = len(apsw.connections())
    episodes: list[Episode] = [table_booking.open(MOVE) for _ in range(5)]
    for episode in episodes:
        episode.call("move_booking", booking_id=1806, table_id=529)
    assert len(apsw.connections()) == before + 5
    del episode
    episodes.clear()
    gc.collect()
    assert len(apsw.connections()) == before
