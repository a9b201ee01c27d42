"""Keys, from the environment or a file `.env` in the working directory. They are never kept, shown or logged."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field, SecretStr, create_model
from pydantic_settings import BaseSettings, SettingsConfigDict

from .names import ModelName

_VARIABLES = {
    "google_genai": "GOOGLE_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
    "huggingface": "HUGGINGFACEHUB_API_TOKEN",
    "ibm": "WATSONX_APIKEY",
    "perplexity": "PPLX_API_KEY",
}
_OTHERWISE = {"bedrock", "bedrock_converse", "google_vertexai", "ollama", "azure_ai"}
"""Providers whose packages find what they need by themselves."""

_KEY_LIKE = re.compile(
    r"\b(?:(?:sk|pk|rk|csk|key|gsk|xai|hf|r8|nvapi|pplx|fw|tgp)[-_*]|AIza|AKIA|ASIA|ya29\.|eyJ)[\w*.+/=-]{4,}"
)
"""Keys as OpenAI, Anthropic, Google, Groq, xAI, Hugging Face, Replicate and others make them, also with asterisks in
them; and tokens that are signed."""


class _Variables(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)


def key_variables(name: ModelName) -> tuple[str, ...]:
    """The variables that may hold its key, the first that is set being used.

    An endpoint given by URL has one of its own (`ENVOLVE_KEY_127_0_0_1_8000`); OPENAI_API_KEY is sent to OpenAI and to
    this machine, and to nobody else.
    """
    if name.url:
        own = "ENVOLVE_KEY_" + re.sub(r"[^A-Za-z0-9]+", "_", name.host).strip("_").upper()
        return (own, "OPENAI_API_KEY") if name.is_openai or name.is_loopback else (own,)
    if name.provider in _OTHERWISE:
        return ()
    return (_VARIABLES.get(name.provider, f"{name.provider.upper()}_API_KEY"),)


def find_key(name: ModelName) -> SecretStr | None:
    for variable in key_variables(name):
        found = _read(variable)
        if found is not None:
            return found
    return None


def _read(variable: str) -> SecretStr | None:
    field: Any = (SecretStr | None, Field(default=None, validation_alias=variable))
    found: SecretStr | None = create_model("Variable", __base__=_Variables, value=field)().model_dump()["value"]
    value = found.get_secret_value().strip() if found else ""
    return SecretStr(value) if value else None


def without_keys(text: str, key: SecretStr | None) -> str:
    """`text` (a provider's words) without the key and whatever else looks like one."""
    value = key.get_secret_value() if key else ""
    if len(value) >= 4:
        text = text.replace(value, "***")
    text = re.sub(r"(?i)\bbearer\s+\S+", "***", text)
    text = _KEY_LIKE.sub("***", text)
    return re.sub(r"://[^/\s@]+@", "://***@", text)
