"""A reply of a wanted shape: what is accepted, what goes back to the model, and where it ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel, Field

from envolve.agents.llm import ModelSettings, chat_with, structured
from envolve.agents.llm.errors import Unusable
from envolve.agents.llm.prompts import Prompt

from ...scripted_model import ScriptedModel

PROMPT = Prompt("test/pets", "0", "You list pets.", "List two pets.")


class Pet(BaseModel):
    name: str
    age: int = Field(ge=0, description="Whole years.")


class Pets(BaseModel):
    title: str = ""
    pets: list[Pet]


GOOD = {"pets": [{"name": "Momo", "age": 3}]}
TEXT = json.dumps(GOOD)


def ask(server: ScriptedModel, **options: Any) -> Pets:
    settings = ModelSettings(max_output_tokens=500)
    return asyncio.run(structured(chat_with(server.name, settings), PROMPT, Pets, **options))


def said(server: ScriptedModel) -> str:
    """What the model was told last."""
    text: str = server.requests[-1].body["messages"][-1]["content"]
    return text


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"Here are {{two}} pets, as asked:\n\n{TEXT}\n\nShall I go on {{or not}}?",
        f"Sure:\n```\n{TEXT}\n```\nDone.",
        f"<think>Is {{}} enough? No.</think>\n{TEXT}",
        '{"pets": [{"name": "Momo", "age": 3,},],}',
        "{'pets': [{name: 'Momo', age: 3}]} // as asked",
        json.dumps(GOOD, indent=2).replace("\n", "\r\n"),
        '{"pets": [{"name": "Mo\nmo", "age": 3}]}'.replace("\n", ""),
    ],
)
def test_an_object_is_found_in_what_models_write(model_server: ScriptedModel, reply: str) -> None:
    model_server.say(reply)
    assert ask(model_server).model_dump(exclude_defaults=True) == GOOD
    assert len(model_server.requests) == 1


def test_the_shape_is_part_of_the_request(model_server: ScriptedModel) -> None:
    model_server.say(GOOD)
    ask(model_server)
    request = model_server.requests[0]
    schema = request.body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["title"] == {"default": "", "type": "string"}
    assert request.body["response_format"]["json_schema"]["strict"] is False
    assert json.dumps(schema, sort_keys=True, separators=(",", ":")) in request.text
    assert "List two pets." in request.text
    assert request.body["messages"][0] == {"role": "system", "content": "You list pets."}


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ('{"pets": [', "no valid JSON"),
        ("I like cats.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ({"pets": "Momo"}, "pets: Input should be a valid array"),
        (
            {"pets": [{"name": "Momo", "age": -1}]},
            "pets[0].age: Input should be greater than or equal to 0 (it is -1)",
        ),
        ({"pets": [{"name": "Momo"}]}, "pets[0].age: is missing"),
        ({"pets": [{"name": "Momo", "age": 3, "colour": "red"}]}, "pets[0].colour: there is no such field"),
        ({"pets": [{"name": 5, "age": 3}]}, "pets[0].name: Input should be a valid string (it is 5)"),
        ('{"pets": [{"name": "Momo", "age": 1e999}]}', "no finite number"),
        ('{"pets": [{"name": "\\ud800", "age": 1}]}', "no valid JSON"),
        ("{" * 5000, "no valid JSON"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "no valid JSON"),
    ],
)
def test_what_is_wrong_goes_back(model_server: ScriptedModel, bad: Any, told: str) -> None:
    model_server.say(bad, GOOD)
    assert ask(model_server).pets[0].name == "Momo"
    assert told in said(model_server)
    sent = bad if isinstance(bad, str) else json.dumps(bad)
    assert model_server.requests[-1].body["messages"][-2] == {"role": "assistant", "content": sent}


def test_problems_that_only_the_caller_sees_go_back(model_server: ScriptedModel) -> None:
    model_server.say({"pets": []}, GOOD)
    ask(model_server, check=lambda made: [] if made.pets else ["pets: at least one is needed"])
    assert "- pets: at least one is needed" in said(model_server)


@pytest.mark.parametrize(
    ("kind", "told"), [("empty", "empty"), ("refusal", "declined"), ("unknown tool", "no_such_tool")]
)
def test_replies_without_an_object(model_server: ScriptedModel, kind: str, told: str) -> None:
    model_server.fail(kind)
    model_server.say(GOOD)
    assert ask(model_server).pets
    assert told in said(model_server)


def test_a_cut_answer_is_asked_for_shorter(model_server: ScriptedModel) -> None:
    model_server.fail("length")
    model_server.say(GOOD)
    assert ask(model_server).pets
    assert "500 tokens" in said(model_server)
    assert "shorter" in said(model_server)
    assert model_server.requests[-1].body["max_tokens"] == 500


def test_an_answer_lost_to_thinking_gets_more_room(model_server: ScriptedModel) -> None:
    model_server.say({"content": "", "finish_reason": "length"}, GOOD)
    assert ask(model_server).pets
    assert model_server.requests[-1].body["max_tokens"] == 1000


def test_more_room_that_is_refused_is_done_without(model_server: ScriptedModel) -> None:
    model_server.say({"content": "", "finish_reason": "length"})
    model_server.fail(400, times=2)  # with the response format, and without
    model_server.say(GOOD)
    assert ask(model_server).pets
    assert [request.body["max_tokens"] for request in model_server.requests] == [500, 1000, 1000, 500]


def test_repairs_are_bounded(model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: {"pets": [{"name": "Momo"}]})
    with pytest.raises(Unusable, match=r"test/pets.*pets\[0\].age: is missing") as caught:
        ask(model_server, repairs=2)
    assert len(model_server.requests) == 3
    assert caught.value.problems == ("pets[0].age: is missing",)


def test_huge_replies_and_many_problems_are_shortened(model_server: ScriptedModel) -> None:
    model_server.say({"pets": [{"name": "Momo" * 20}] * 2000}, GOOD)
    ask(model_server)
    messages = model_server.requests[-1].body["messages"]
    assert len(messages[-2]["content"]) < 41_000
    assert "characters left out" in messages[-2]["content"]
    assert "1980 more of such problems" in messages[-1]["content"]


def test_the_conversation_goes_on(model_server: ScriptedModel) -> None:
    model_server.say("first try", "second try", GOOD)
    ask(model_server)
    roles = [message["role"] for message in model_server.requests[-1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "first try" in model_server.requests[-1].text
