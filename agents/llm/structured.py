"""A reply of a wanted shape, with bounded repair: what is wrong goes back to the model in its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import jinja2
from pydantic import BaseModel

from ...environments.canonical import canonical_json
from .base import Chat, ChatReply, ChatRequest
from .errors import ModelRefused, RequestRefused, Unusable
from .json_text import NoObject, find_object
from .problems import bounded, compact_schema, shaped
from .prompts import Prompt

Shape = TypeVar("Shape", bound=BaseModel)
Check = Callable[[Shape], Sequence[str]]

REPAIRS = 3
"""How often a model may mend one reply."""

_LAST_SHOWN = 40_000
_EARLIER_SHOWN = 2_000
"""Characters of a model's own replies that stay in the conversation: of the last one, and of those before it."""


class _Round(NamedTuple):
    """A reply that could not be used, and what is said of it."""

    reply: str
    answer: str


async def structured(
    chat: Chat,
    prompt: Prompt,
    shape: type[Shape],
    *,
    check: Check[Shape] | None = None,
    sample: str = "",
    repairs: int = REPAIRS,
) -> Shape:
    """What `prompt` asks for, as a `shape`, for which `check` names no problem.

    Errors: Unusable when the last repair still has problems; those of `Chat.ask`.
    """
    schema = compact_schema(shape)
    task = _render("answer", task=prompt.user, schema=canonical_json(schema))
    start = ({"role": "system", "content": prompt.system}, {"role": "user", "content": task})
    rounds: list[_Round] = []
    problems: tuple[str, ...] = ()
    limit = chat.settings.max_output_tokens
    for _ in range(repairs + 1):
        request = ChatRequest(messages=(*start, *_said(rounds)), json_schema=schema, sample=sample)
        reply = await _asked(chat, request, limit)
        read = _read(reply, shape, check)
        if isinstance(read, BaseModel):
            return read
        problems = read
        cut = reply.finish == "length"
        answer = _render("repair", problems=problems, cut=cut, limit=limit)
        rounds.append(_Round(reply.text or reply.refusal, answer))
        if cut and not reply.text:
            # All of it went into thinking: a shorter answer would not help.
            limit = 2 * chat.settings.max_output_tokens
    raise Unusable(prompt.name, problems)


async def _asked(chat: Chat, request: ChatRequest, limit: int) -> ChatReply:
    if limit == chat.settings.max_output_tokens:
        return await chat.ask(request)
    try:
        return await chat.ask(request.model_copy(update={"max_output_tokens": limit}))
    except (ModelRefused, RequestRefused):
        # It does not allow that many.
        return await chat.ask(request)


def _read(reply: ChatReply, shape: type[Shape], check: Check[Shape] | None) -> Shape | tuple[str, ...]:
    """The object, or the problems."""
    if reply.finish == "length":
        return ("The answer was cut off at the limit of tokens.",)
    if reply.refusal or reply.finish == "content_filter":
        return ("You declined. Answer as far as you can; leave out the part that you will not write.",)
    if not reply.text.strip():
        called = ", ".join(call.name for call in reply.tool_calls)
        return (f"You called {called}, but there are no tools here." if called else "The answer was empty.",)
    try:
        made = shaped(find_object(reply.text), shape)
    except NoObject as error:
        return (str(error),)
    if isinstance(made, tuple) or check is None:
        return made
    found = bounded(list(check(made)))
    return found or made


def _said(rounds: Sequence[_Round]) -> tuple[dict[str, Any], ...]:
    """The conversation since the first question."""
    messages: list[dict[str, Any]] = []
    for place, one in enumerate(rounds):
        most = _LAST_SHOWN if place == len(rounds) - 1 else _EARLIER_SHOWN
        messages.append({"role": "assistant", "content": _shortened(one.reply, most) or "(nothing)"})
        messages.append({"role": "user", "content": one.answer})
    return tuple(messages)


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


def _render(name: str, **values: Any) -> str:
    folder = Path(__file__).parent / "shared"
    jinja = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return jinja.get_template(f"{name}.md.j2").render(values).strip()
