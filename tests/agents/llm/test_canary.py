"""A key shows nowhere: in no error and what it was raised from, no representation, no log, no kept reply."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback
from typing import Any

import pytest

from envolve.agents.llm import ChatRequest, chat_with, probe
from envolve.agents.llm.keys import without_keys
from envolve.agents.llm.scope import Scope, within

from ...scripted_model import ScriptedModel
from .conftest import HELLO, QUICK
from .test_scope import Purse, Shelf

# No hexadecimal digits: addresses of objects have those.
KEY = "sk-canary-zq7wkvbnxt"
OTHER_KEYS = ("AIzaSyCanaryzq7wkvbnxt", "r8_canaryzq7wkvbnxt")
PARTS = ("sk-canar", "zq7w", "kvbnxt", "AIza", "r8_")
KINDS: list[int | str] = [
    *(200, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503),
    *("hang", "drop", "truncated", "malformed", "page", "empty", "length", "refusal", "unknown tool", "down"),
]


def shows_key(*values: Any) -> list[str]:
    texts = [value if isinstance(value, str) else repr(value) for value in values]
    return [text for text in texts if any(part in text for part in PARTS)]


def chained(error: BaseException | None) -> list[BaseException]:
    seen: list[BaseException] = []
    pending = [error]
    while pending:
        one = pending.pop()
        if one is not None and one not in seen:
            seen.append(one)
            pending += [one.__cause__, one.__context__]
    return seen


@pytest.mark.parametrize(
    ("kind", "with_schema", "key"),
    [
        *((kind, with_schema, KEY) for kind in KINDS for with_schema in (False, True)),
        *((kind, False, key) for key in OTHER_KEYS for kind in (400, 401, 403, 413, 500, "malformed", "page")),
    ],
)
def test_the_key_shows_nowhere(
    model_server: ScriptedModel,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    kind: int | str,
    with_schema: bool,
    key: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    caplog.set_level(logging.DEBUG)
    logging.getLogger("openai").setLevel(logging.DEBUG)
    spiteful = f"Incorrect API key provided: {key}. Authorization: Bearer {key}; {key[:8]}****kvbnxt"
    if kind == "down":
        model_server.down(60)
    elif kind == 200:
        model_server.say("fine", "fine")
    else:
        model_server.fail(kind, times=20, message=spiteful)
    shelf, purse = Shelf(), Purse()
    settings = QUICK.model_copy(update={"patience": 0.1, "timeout": 0.5 if kind == "hang" else 20})
    request = HELLO.model_copy(update={"json_schema": {"type": "object"}}) if with_schema else HELLO
    chat = chat_with(model_server.name, settings)
    caught: Exception | None = None

    async def once(request: ChatRequest) -> None:
        with within(Scope(replies=shelf, budget=purse)):
            await chat.ask(request)

    try:
        asyncio.run(once(request))
    except Exception as error:
        caught = error
    texts = [str(error) for error in chained(caught)] + [repr(error.__dict__) for error in chained(caught)]
    if caught:
        texts += [*traceback.format_exception(caught, chain=True), str(pickle.dumps(caught))]
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    output = capfd.readouterr()
    assert shows_key(*texts, *logged, output.out, output.err, chat, chat.settings, vars(chat), shelf.kept) == []
    if kind != "down":
        assert model_server.requests[0].headers["authorization"] == f"Bearer {key}"


def test_probing_shows_no_key(model_server: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model_server.key = "another"
    assert shows_key(asyncio.run(probe(model_server.name, QUICK))) == []


@pytest.mark.parametrize(
    "words",
    [
        f"bad key {KEY}",
        "use sk-proj-abcdef123456",
        "Authorization: Bearer eyJhbGciOi",
        "https://me:eyJhbGciOi@host/v1",
        "Incorrect key: sk-canar****7c9a",
        "API key not valid: AIzaSyabcdefGHIJ-klm_nop",
        "AIza****************7c9a is not valid",
        "token r8_abcdef0123456789",
        "x-api-key sk-ant-api03-abcdef_0123",
        "hf_abcdefGHIJKL",
        "xai-abcdefGHIJKL",
        "gsk_abcdefGHIJKL",
        "key=AIzaSyabcdef&alt=json",
        "a token eyJhbGciOi.eyJpc3Mi.c2ln",
    ],
)
def test_what_looks_like_a_key_is_taken_out(words: str) -> None:
    cleaned = without_keys(words, None)
    assert "***" in cleaned
    assert not any(part in cleaned for part in ("abcdef", "eyJ", "canar", "7c9a"))
