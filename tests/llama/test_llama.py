"""Envolve against llama-cpp-python's server. The model is far too small to pass anything: what is tested is that a
real server and a real model's replies never come out as a failure of the protocol."""

from __future__ import annotations

import asyncio
import json

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.llm import ChatRequest, ModelSettings, chat_with, probe
from envolve.agents.procedural.architect import ProceduralArchitect
from envolve.agents.procedural.coder import ProceduralCoder
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.solvers import solver_named
from envolve.agents.solvers.llm.wire import assistant_message, result_message, wire_tools
from envolve.environments.gold import run_gold
from envolve.environments.models import Rollout
from envolve.environments.package import Environment
from envolve.eval.bands import Band
from envolve.eval.rollouts import roll_out
from envolve.solving import measure_environment

MOVE = "move-the-anniversary-dinner"
SHORT = ModelSettings(temperature=0.0, max_output_tokens=200, timeout=120.0, patience=0.0)
"""A failure is one at once: nothing is tried again until it passes."""


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load("tests/data/table-booking")


def rollouts(environment: Environment, name: str, count: int) -> list[Rollout]:
    solver, task = solver_named(name), environment.tasks[MOVE]

    async def one_by_one() -> list[Rollout]:
        return [
            await roll_out(environment, task, solver, index=index, purpose="free", seed=1) for index in range(count)
        ]

    return asyncio.run(one_by_one())


def test_doctor_says_what_the_model_cannot_do(model_name: str) -> None:
    for problem in asyncio.run(probe(model_name, SHORT)):
        assert problem.message.startswith(model_name)
        assert any(words in problem.message for words in ("gives no usable JSON", "in words", "calls tools"))
        assert problem.remedy


def test_rollouts_hold_what_the_model_said(environment: Environment, model_name: str) -> None:
    made = rollouts(environment, f"{model_name}?turns=3&output=120&context=8000", 2)
    assert not {"infra_error", "environment_error"} & {rollout.verdict.outcome for rollout in made}
    assert all(rollout.tokens for rollout in made)
    events = [event for rollout in made for event in rollout.trace.events]
    assert any(event.text for event in events if event.kind == "message" and event.role == "assistant")


def test_a_wanted_call_is_made_and_its_result_goes_back(environment: Environment, model_name: str) -> None:
    chat = chat_with(model_name, SHORT)
    with environment.open(MOVE) as episode:
        tools = wire_tools(episode.tools)
        question = {"role": "user", "content": episode.prompt()}
        wanted = ChatRequest(messages=(question,), tools=tools, tool_choice="get_booking")
        reply = asyncio.run(chat.ask(wanted))
        (call,) = reply.tool_calls
        assert (call.name, reply.finish) == ("get_booking", "tool_calls")
        assert call.arguments is not None
        result = episode.call(call.name, **call.arguments)
        said = assistant_message(reply, 0)
        assert said is not None
        answered = (question, said, result_message(result, 0, 0, pages=None))
        following = asyncio.run(chat.ask(wanted.model_copy(update={"messages": answered})))
        assert [call.name for call in following.tool_calls] == ["get_booking"]
        (event,) = episode.trace.events
        assert (event.tool, event.args) == ("get_booking", json.loads(call.raw))


def test_a_solver_that_wants_calls_makes_them(environment: Environment, model_name: str) -> None:
    """The server knows no `required`: it is asked for `auto`, without which it would not show the model its tools."""
    (rollout,) = rollouts(
        environment, f"{model_name}?temperature=0&turns=1&output=120&context=8000&tools=required", 1
    )
    assert rollout.verdict.outcome not in ("infra_error", "environment_error")
    assert rollout.calls > 0


def test_it_is_measured_on_a_procedural_environment(model_name: str) -> None:
    environment = asyncio.run(_procedural())
    solver = solver_named(f"{model_name}?turns=1&output=40&context=8000")
    (line,) = asyncio.run(measure_environment(environment, solver, Band.parse("0.5:0.9"), seed=0))
    assert line["rollouts"] >= 6
    assert not {"infra_error", "environment_error"} & set(line["outcomes"])
    assert line["decision"]


async def _procedural() -> Environment:
    """One with one task."""
    scenario = Scenario(id="kites", name="Kites", category="", text="A kite shop where customers order kites")
    brief = Brief(scenario=scenario, seed=0)
    environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
    writer = ProceduralTaskWriter()
    task = (await writer.propose(environment, 1, seed=0))[0]
    return environment.with_tasks([await writer.write_verifier(environment, task, run_gold(environment, task))])
