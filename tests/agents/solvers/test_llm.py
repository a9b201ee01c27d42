"""A model as a solver, over real HTTP: the conversations are written by hand, as a model would hold them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.llm.scope import Scope, within
from envolve.agents.solvers import solver_named
from envolve.agents.solvers.llm import LlmSolver, SolverSettings
from envolve.environments.limits import Limits
from envolve.environments.models import Rollout, Task, ToolFailure
from envolve.environments.package import Environment
from envolve.eval.rollouts import roll_out

from ...scripted_model import ScriptedModel

MOVE = "move-the-anniversary-dinner"
COUNT = "count-fridays-guests"
PATIENT = ModelSettings(temperature=1.0, patience=0.0, timeout=20.0)


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load("tests/data/table-booking")


def calls(*made: tuple[str, Any], content: str | None = None) -> dict[str, Any]:
    """A reply that makes calls."""
    return {"content": content, "tool_calls": [{"name": name, "arguments": args} for name, args in made]}


MOVED = (
    calls(
        ("list_restaurant_bookings", {"on_date": "2026-03-06", "guest_name": "Lindqvist"}),
        content="First the booking.",
    ),
    calls(("list_tables", {"restaurant_id": 31, "min_seats": 6, "free_at": "2026-03-06 19:30:00"})),
    calls(("move_booking", {"booking_id": 1806, "table_id": 529, "party_size": 6})),
    calls(("submit", {"status": "done"})),
)


def rolled(
    environment: Environment, server: ScriptedModel, task: str | Task = MOVE, *, index: int = 0, **settings: Any
) -> Rollout:
    given = environment.task(task)
    assert given is not None
    solver = LlmSolver(chat_with(server.name, PATIENT), SolverSettings(**settings))
    return asyncio.run(roll_out(environment, given, solver, index=index, purpose="free", seed=5))


def told(server: ScriptedModel, request: int) -> list[dict[str, Any]]:
    """The results of tools that a request shows."""
    messages = server.requests[request].body["messages"]
    return [json.loads(message["content"]) for message in messages if message["role"] == "tool"]


def test_a_conversation_that_passes(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say(*MOVED)
    rollout = rolled(environment, model_server)
    assert rollout.verdict.passed
    assert rollout.calls == 3
    assert rollout.tokens > 0
    kinds = [(event.kind, event.tool or event.text) for event in rollout.trace.events]
    assert kinds == [
        ("message", "First the booking."),
        ("call", "list_restaurant_bookings"),
        ("call", "list_tables"),
        ("call", "move_booking"),
        ("submit", "submit"),
    ]


def test_it_is_shown_what_every_solver_is_shown(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say(*MOVED)
    rolled(environment, model_server)
    first = model_server.requests[0].body
    with environment.open(MOVE) as episode:
        assert first["messages"][-1]["content"] == episode.prompt().strip()
        offered = [tool["function"]["name"] for tool in first["tools"]]
        assert offered == [tool["name"] for tool in episode.tools]
        assert first["tools"][0]["function"]["parameters"] == episode.tools[0]["inputSchema"]
    assert "verifier" not in model_server.requests[-1].text
    assert [table["id"] for table in told(model_server, 2)[1]["items"]] == [529, 538]


def test_a_conversation_that_fails(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say(
        calls(("move_booking", {"booking_id": 1806, "table_id": 538, "party_size": 6})),
        calls(("submit", {"status": "done"})),
    )
    verdict = rolled(environment, model_server).verdict
    assert (verdict.outcome, verdict.reward) == ("incomplete", 0.0)


def test_a_solver_by_name_asks_as_its_options_say(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say(*MOVED)
    solver = solver_named(f"{model_server.name}?temperature=0.3&output=900")
    task = environment.tasks[MOVE]
    rollout = asyncio.run(roll_out(environment, task, solver, index=0, purpose="free", seed=5))
    assert rollout.verdict.passed
    assert rollout.solver == solver.profile.name
    body = model_server.requests[0].body
    assert body["temperature"] == 0.3
    assert 900 in (body.get("max_tokens"), body.get("max_completion_tokens"))


def test_a_solver_of_a_weak_model_wants_a_call_in_every_reply(
    environment: Environment, model_server: ScriptedModel
) -> None:
    model_server.say(*MOVED)
    solver = solver_named(f"{model_server.name}?tools=required")
    rollout = asyncio.run(roll_out(environment, environment.tasks[MOVE], solver, index=0, purpose="free", seed=5))
    assert rollout.verdict.passed
    assert [request.body["tool_choice"] for request in model_server.requests] == ["required"] * 4
    assert solver.profile.settings["tools"] == "required"
    assert solver.profile.hash != solver_named(model_server.name).profile.hash


def test_where_a_call_cannot_be_wanted_it_is_asked_for_as_ever(
    environment: Environment, model_server: ScriptedModel
) -> None:
    model_server.refuses = {"tool_choice"}
    model_server.say(*MOVED)
    solver = solver_named(f"{model_server.name}?tools=required")
    rollout = asyncio.run(roll_out(environment, environment.tasks[MOVE], solver, index=0, purpose="free", seed=5))
    assert rollout.verdict.passed
    assert len(model_server.requests) == 2 + len(MOVED)


def test_calls_at_once_are_made_in_order(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say(
        calls(
            ("get_my_profile", {}),
            ("count_expected_guests", {"restaurant_id": 31, "on_date": "2026-03-06"}),
            ("list_restaurant_bookings", {"on_date": "2026-03-06", "status": "confirmed"}),
        ),
        calls(
            ("submit", {"status": "done", "answer": {"guests": 24, "largest_party": "Ben Okafor"}}),
            ("get_my_profile", {}),
        ),
    )
    rollout = rolled(environment, model_server, COUNT)
    assert rollout.verdict.passed
    assert rollout.calls == 3
    results = told(model_server, 1)
    assert results[0]["restaurant_id"] == 31
    assert results[1] == {"value": 24}
    messages = model_server.requests[1].body["messages"]
    asked = [call["id"] for call in messages[-4]["tool_calls"]]
    assert [message["tool_call_id"] for message in messages[-3:]] == asked


def test_broken_arguments_and_unknown_tools_are_the_models_fault(
    environment: Environment, model_server: ScriptedModel
) -> None:
    model_server.say(
        calls(
            ("move_booking", '{"booking_id": 1806, "table'),
            ("list_tables", "[31]"),
            ("book a flight", {"to": "Rome"}),
        ),
        calls(("submit", {"status": "finished"})),
        *MOVED,
    )
    rollout = rolled(environment, model_server)
    assert rollout.verdict.passed
    assert [error["error"]["code"] for error in told(model_server, 1)] == [
        "invalid_argument",
        "invalid_argument",
        "not_found",
    ]
    assert "no JSON object" in told(model_server, 1)[0]["error"]["message"]
    assert told(model_server, 2)[3]["error"]["code"] == "invalid_argument"
    assert rollout.calls == 6
    assert rollout.trace.events[0].args == {"unreadable": '{"booking_id": 1806, "table'}
    # What goes back over the wire is something that any provider takes.
    echoed = model_server.requests[1].body["messages"][2]["tool_calls"]
    assert all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in echoed)
    assert echoed[2]["function"]["name"] == "book_a_flight"


def test_arguments_that_cannot_be_sent_again(environment: Environment, model_server: ScriptedModel) -> None:
    odd = (
        '{"name": "\\ud83d half"}',
        '{"max_price_level": NaN}',
        '{"name": ' + "[" * 200 + "]" * 200 + "}",
        '{"name": "Café"}',
    )
    model_server.say(calls(*(("find_restaurants", arguments) for arguments in odd)), *MOVED)
    assert rolled(environment, model_server).verdict.passed
    first, second, third, fourth = told(model_server, 1)
    assert all(result["error"]["code"] == "invalid_argument" for result in (first, second, third))
    assert "no JSON object" in second["error"]["message"]
    assert fourth["total"] == 0
    echoed = model_server.requests[1].body["messages"][2]["tool_calls"]
    assert echoed[1]["function"]["arguments"] == "{}"
    assert json.loads(echoed[3]["function"]["arguments"]) == {"name": "Café"}


def test_unreadable_calls_count(environment: Environment, model_server: ScriptedModel) -> None:
    with environment.open(MOVE, limits=Limits(calls=2)) as episode:
        model_server.say(calls(*[("get_my_profile", "{")] * 4))
        asyncio.run(LlmSolver(chat_with(model_server.name, PATIENT)).solve(episode))
        codes = [event.result.error.code for event in episode.trace.events if event.result and event.result.error]
        assert codes == ["invalid_argument", "invalid_argument", "limit_exceeded"]
        assert episode.verify().outcome == "protocol"
        assert episode.unreadable("get_my_profile", "{").error == ToolFailure(
            code="conflict", message="The episode has ended; tools are closed."
        )


def test_talk_is_answered_once(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.say("I will move it now.", *MOVED)
    rollout = rolled(environment, model_server)
    assert rollout.verdict.passed
    assert [event.role for event in rollout.trace.events[:2]] == ["assistant", "user"]


def test_endless_talk_gives_up(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: "Let me think about it a little more.")
    rollout = rolled(environment, model_server)
    assert (rollout.verdict.outcome, rollout.verdict.code) == ("protocol", "gave_up")
    assert len(model_server.requests) == 2


@pytest.mark.parametrize("kind", ["empty", "refusal", "length"])
def test_replies_that_say_nothing_are_talk(kind: str, environment: Environment, model_server: ScriptedModel) -> None:
    model_server.fail(kind)
    model_server.say(*MOVED)
    assert rolled(environment, model_server).verdict.passed
    model_server.fail(kind, times=2)
    assert rolled(environment, model_server, index=1).verdict.code == "gave_up"


def test_turns_are_limited(environment: Environment, model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: calls(("get_my_profile", {})))
    rollout = rolled(environment, model_server, turns=4)
    assert (rollout.verdict.outcome, rollout.verdict.code) == ("protocol", "limit")
    assert rollout.trace.limit == "turns"
    assert len(model_server.requests) == 4


def test_a_person_answers_what_is_said(environment: Environment, model_server: ScriptedModel) -> None:
    task = environment.tasks[MOVE].model_copy(update={"user": {"facts": {"guests": "We will be six."}}})
    model_server.say("How many guests will there be?", *MOVED)
    rollout = rolled(environment, model_server, task)
    assert rollout.verdict.passed
    assert model_server.requests[1].body["messages"][-1] == {"role": "user", "content": "We will be six."}


def test_a_provider_that_fails_is_no_fault_of_the_model(
    environment: Environment, model_server: ScriptedModel
) -> None:
    model_server.say(MOVED[0])
    model_server.fail(500, times=20)
    rollout = rolled(environment, model_server)
    assert (rollout.verdict.outcome, rollout.verdict.reward) == ("infra_error", None)


@pytest.mark.parametrize(
    ("status", "code", "limit"),
    [(400, "context_length_exceeded", "context"), (413, "", "context"), (400, "content_filter", "refused")],
)
def test_a_conversation_that_the_provider_will_not_take_is_a_limit(
    environment: Environment, model_server: ScriptedModel, status: int, code: str, limit: str
) -> None:
    model_server.say(MOVED[0])
    model_server.fail(status, code=code)
    rollout = rolled(environment, model_server)
    assert (rollout.verdict.outcome, rollout.verdict.code, rollout.trace.limit) == ("protocol", "limit", limit)


class Kept:
    """Replies in a dictionary."""

    def __init__(self) -> None:
        self.payloads: dict[str, Any] = {}

    def get(self, place: str) -> Any | None:
        return self.payloads.get(place)

    def put(self, place: str, payload: Any, *, tokens: int, cost_usd: float) -> None:
        self.payloads[place] = payload


def test_a_rollout_that_was_cut_short_goes_on(environment: Environment, model_server: ScriptedModel) -> None:
    kept = Kept()
    with within(Scope(replies=kept)):
        model_server.say(*MOVED[:2])
        model_server.fail(503, times=3)
        assert rolled(environment, model_server).verdict.outcome == "infra_error"
        asked = len(model_server.requests)
        model_server.say(*MOVED[2:])
        assert rolled(environment, model_server).verdict.passed
        assert len(model_server.requests) == asked + 2
        # Another rollout never shares a reply.
        model_server.say(*MOVED)
        assert rolled(environment, model_server, index=1).verdict.passed
        assert model_server.script.left == 0


def test_a_task_that_does_not_fit_is_a_limit(environment: Environment, model_server: ScriptedModel) -> None:
    rollout = rolled(environment, model_server, context=2_000)
    assert (rollout.verdict.outcome, rollout.trace.limit) == ("protocol", "context")
    assert model_server.requests == []
