"""Models are asked without the keys, price lists and settings of whoever runs the tests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.llm import ChatReply, ChatRequest, ModelSettings, chat_with

from ...scripted_model import ScriptedModel

HELLO = ChatRequest(messages=({"role": "user", "content": "Hello"},))
QUICK = ModelSettings(patience=60, backoff=0.01, timeout=20)
"""Retries at once, so that tests need not wait."""

Ask = Callable[..., ChatReply]


@pytest.fixture(autouse=True)
def own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in os.environ:
        if variable.endswith("_API_KEY") or variable.startswith(("ENVOLVE_", "OPENAI_")):
            monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ask(model_server: ScriptedModel) -> Ask:
    """One call of the scripted model in a loop of its own."""

    def once(request: ChatRequest = HELLO, name: str = "", **settings: Any) -> ChatReply:
        chat = chat_with(name or model_server.name, QUICK.model_copy(update=settings))
        return asyncio.run(chat.ask(request))

    return once
