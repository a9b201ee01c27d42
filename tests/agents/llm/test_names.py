"""Names of models, and which key goes with them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envolve.agents.llm import ModelName, ModelSettings, chat_with, is_model_name
from envolve.agents.llm.connection import Connection
from envolve.agents.llm.failures import Trouble
from envolve.agents.llm.keys import find_key, key_variables
from envolve.agents.llm.refusals import error_for
from envolve.environments.errors import InputError


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("openai:gpt-5", ("openai", "gpt-5", None)),
        ("openai:ft:gpt-4o:org::id", ("openai", "ft:gpt-4o:org::id", None)),
        ("openai:qwen3@http://127.0.0.1:8000/v1", ("openai", "qwen3", "http://127.0.0.1:8000/v1")),
        ("openai:qwen3:8b@http://[::1]:11434/v1/", ("openai", "qwen3:8b", "http://[::1]:11434/v1")),
        ("openai:@cf/meta/llama@https://host.example/v1", ("openai", "@cf/meta/llama", "https://host.example/v1")),
        ("openai:gpt-5@https://api.openai.com/v1", ("openai", "gpt-5", None)),
        (" anthropic:claude-opus-4-5 ", ("anthropic", "claude-opus-4-5", None)),
    ],
)
def test_names_are_read(text: str, parts: tuple[str, str, str | None]) -> None:
    assert ModelName.parse(text) == parts
    assert is_model_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpt-5",
        "openai:",
        "openai:@http://127.0.0.1/v1",
        "openai:gpt 5",
        "nobody:gpt-5",
        "openai:m@http://",
        "openai:m@http://host:port/v1",
        "openai:m@http://[::1/v1",
        "anthropic:claude@https://host.example/v1",
    ],
)
def test_wrong_names_are_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InputError) as caught:
        ModelName.parse(text)
    assert "openai:" in caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "openai:m@https://me:hunter2@host.example/v1",
        "openai:m@https://host.example/v1?key=hunter2",
        "openai:m@https://host.example/v1#hunter2",
        "https://me:hunter2@host.example/v1",
        "openai:m@ftp://me:hunter2@host.example/v1 x",
    ],
)
def test_passwords_in_names_are_refused_and_not_shown(text: str) -> None:
    with pytest.raises(InputError) as caught:
        ModelName.parse(text)
    assert "hunter2" not in f"{caught.value}{caught.value!r}"


@pytest.mark.parametrize("text", ["mine:solver", "package.module:attr", "slip:0.5", "gold", "openai"])
def test_other_names_are_told_apart(text: str) -> None:
    assert not is_model_name(text)


def test_a_missing_package_is_named() -> None:
    with pytest.raises(InputError, match="pip install langchain-fireworks langchain"):
        chat_with("fireworks:some-model")


def test_keys_come_from_the_environment_first(monkeypatch: pytest.MonkeyPatch) -> None:
    name = ModelName.parse("openai:gpt-5")
    assert find_key(name) is None
    Path(".env").write_text('OPENAI_API_KEY="from-file"\n', encoding="utf-8")
    assert _value(name) == "from-file"
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    assert _value(name) == "from-environment"


def test_an_endpoints_own_key_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    name = ModelName.parse("openai:m@http://127.0.0.1:8000/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    assert _value(name) == "general"
    monkeypatch.setenv("ENVOLVE_KEY_127_0_0_1_8000", "own")
    assert _value(name) == "own"


STRANGERS = (
    "http://far.example",
    "https://far.example",
    "https://127.0.0.1.far.example",
    "https://api.openai.com.far.example",
    "https://notapi.openai.com",
    "https://10.0.0.7",
    "http://eu.api.openai.com",
)


@pytest.mark.parametrize("host", STRANGERS)
def test_openais_key_is_sent_to_no_stranger(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    assert find_key(ModelName.parse(f"openai:m@{host}/v1")) is None


@pytest.mark.parametrize(
    "host", ["https://api.openai.com", "https://eu.api.openai.com", "http://localhost:1", "http://[::1]:1"]
)
def test_openais_key_is_sent_to_openai_and_to_this_machine(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    assert _value(ModelName.parse(f"openai:m@{host}/v1")) == "general"


def test_a_server_elsewhere_is_told_the_variable_of_its_key() -> None:
    connection = Connection(ModelName.parse("openai:m@https://far.example/v1"), ModelSettings())
    refused = asyncio.run(error_for(connection, Trouble("HTTP 401", passing=False, status=401)))
    assert refused.remedy == "No key is set: put it into ENVOLVE_KEY_FAR_EXAMPLE, in the environment or in .env."


def test_each_provider_has_its_variable() -> None:
    assert key_variables(ModelName.parse("anthropic:claude")) == ("ANTHROPIC_API_KEY",)
    assert key_variables(ModelName.parse("google_genai:gemini")) == ("GOOGLE_API_KEY",)
    assert key_variables(ModelName.parse("ollama:qwen3")) == ()


def _value(name: ModelName) -> str:
    key = find_key(name)
    assert key is not None
    return key.get_secret_value()
