"""Does a model work as the roles need it? A few tiny calls, and what to do about each thing that is wrong."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import BaseModel

from ...environments.errors import EnvolveError, InputError
from .base import Chat, ChatReply, ChatRequest, ModelSettings
from .connecting import chat_with
from .errors import ModelRefused, ModelUnavailable, RequestRefused, Unusable
from .prompts import Prompt
from .structured import structured

_TOKENS = 2_000
"""Enough for models that think before they answer."""

_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Adds two whole numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        },
    },
}


class ModelProblem(NamedTuple):
    """Something that is wrong with a model, and what to do about it."""

    message: str
    remedy: str


class _Sum(BaseModel):
    sum: int


async def probe(name: str, settings: ModelSettings | None = None) -> list[ModelProblem]:
    """What is wrong with the model that `name` names; empty if nothing. Costs some hundred tokens.

    Waits no longer than about a minute for a provider that is down.
    """
    wanted = settings or ModelSettings()
    small = wanted.model_copy(
        update={
            "patience": min(wanted.patience, 15.0),
            "timeout": min(wanted.timeout, 60.0),
            "max_output_tokens": min(wanted.max_output_tokens, _TOKENS),
        }
    )
    try:
        chat = chat_with(name, small)
        return [*await _json_problems(chat), *await _tool_problems(chat)]
    except (InputError, ModelRefused, ModelUnavailable, RequestRefused) as error:
        return [_problem(error)]


async def _json_problems(chat: Chat) -> list[ModelProblem]:
    prompt = Prompt("probe", "", "You answer with JSON.", 'What is 2 + 3? Fill the field "sum".')
    try:
        await structured(chat, prompt, _Sum, repairs=1)
    except RequestRefused:
        raise
    except Unusable as error:
        return [
            ModelProblem(
                f"{chat.name} gives no usable JSON: {error.problems[0]}",
                "Only solving may work with it: name another model for the roles that write.",
            )
        ]
    return []


async def _tool_problems(chat: Chat) -> list[ModelProblem]:
    question = {"role": "user", "content": "Add 2 and 3 with the tool `add`. Call the tool; do not answer in words."}
    request = ChatRequest(messages=(question,), tools=(_TOOL,))
    try:
        reply = await chat.ask(request)
    except (ModelRefused, RequestRefused) as error:
        # It did answer without tools.
        return [ModelProblem(f"{chat.name} takes no tools: {error.message}", _no_tools(chat))]
    told = _of_calls(reply)
    if not told:
        return []
    required = await chat.ask(request.model_copy(update={"tool_choice": "required"}))
    remedy = _no_tools(chat) if _of_calls(required) else f"As a solver, name it {chat.name}?tools=required."
    return [ModelProblem(f"{chat.name} {told}.", remedy)]


def _of_calls(reply: ChatReply) -> str:
    """What is wrong with the calls; empty if nothing."""
    if not reply.tool_calls:
        return "answers in words where a tool is to be called"
    call = reply.tool_calls[0]
    if call.name != "add":
        return f"calls tools that there are not ({call.name[:40]!r})"
    if call.arguments is None or not {"a", "b"} <= set(call.arguments):
        return f"calls tools with wrong arguments ({json.dumps(call.raw[:80])})"
    return ""


def _no_tools(chat: Chat) -> str:
    remedy = "It cannot solve tasks: name a model that calls tools"
    if "@http" not in chat.name:
        return f"{remedy}."
    return f"{remedy}, or switch them on in the server (vLLM: --enable-auto-tool-choice; llama.cpp: --jinja)."


def _problem(error: EnvolveError) -> ModelProblem:
    return ModelProblem(error.message, error.remedy)
