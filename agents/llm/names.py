"""Names of models: `openai:gpt-5`, `openai:qwen3@http://127.0.0.1:8000/v1`, `anthropic:claude-opus-4-5`."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from ...environments.errors import InputError

PROVIDERS = {
    "openai": "langchain-openai",
    "anthropic": "langchain-anthropic",
    "azure_ai": "langchain-azure-ai",
    "bedrock": "langchain-aws",
    "bedrock_converse": "langchain-aws",
    "cohere": "langchain-cohere",
    "deepseek": "langchain-deepseek",
    "fireworks": "langchain-fireworks",
    "google_genai": "langchain-google-genai",
    "google_vertexai": "langchain-google-vertexai",
    "groq": "langchain-groq",
    "huggingface": "langchain-huggingface",
    "ibm": "langchain-ibm",
    "mistralai": "langchain-mistralai",
    "nvidia": "langchain-nvidia-ai-endpoints",
    "ollama": "langchain-ollama",
    "openrouter": "langchain-openrouter",
    "perplexity": "langchain-perplexity",
    "together": "langchain-together",
    "xai": "langchain-xai",
}
"""Provider to the package that speaks to it."""

_OPENAI_HOST = "api.openai.com"
_FORMS = (
    "Write PROVIDER:MODEL, such as openai:gpt-5, or openai:MODEL@URL, such as openai:qwen3@http://127.0.0.1:8000/v1."
)


class ModelName(NamedTuple):
    """`url` is the endpoint's base address, None for the provider's own."""

    provider: str
    model: str
    url: str | None = None

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Errors: InputError, which never shows what may be a password."""
        provider, colon, rest = text.strip().partition(":")
        if not colon or provider not in PROVIDERS:
            known = ", ".join(PROVIDERS)
            raise InputError(f"{_shown(text)} is no name of a model.", remedy=f"{_FORMS} Providers: {known}.")
        model, url = _parted(rest)
        if not model or any(character.isspace() for character in rest):
            raise InputError(f"{_shown(text)} names no model.", remedy=_FORMS)
        if url is None:
            return cls(provider, model)
        if provider != "openai":
            raise InputError(
                f"{_shown(text)} gives a URL, which only openai: takes (any server with OpenAI's wire format).",
                remedy=f"Write openai:{model}@URL, or leave out the URL.",
            )
        return cls(provider, model, _endpoint(url, text))

    @property
    def host(self) -> str:
        """The endpoint's host and port; empty for a provider's own."""
        return urlsplit(self.url).netloc if self.url else ""

    @property
    def is_hosted(self) -> bool:
        """Answered by the provider itself, at its price."""
        return self.url is None

    @property
    def is_loopback(self) -> bool:
        host = (urlsplit(self.url).hostname or "") if self.url else ""
        return host in ("localhost", "::1") or host.startswith("127.")

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f"@{self.url}" if self.url else "")


def is_model_name(text: str) -> bool:
    """Whether `text` is meant as a model's name, and not, say, as `module:attribute`. It may still be wrong."""
    return text.strip().partition(":")[0] in PROVIDERS and ":" in text


def _parted(rest: str) -> tuple[str, str | None]:
    """Model and URL. A model's own name may hold colons and `@`."""
    starts = [rest.rfind(f"@{scheme}") for scheme in ("http://", "https://")]
    place = max(starts)
    return (rest, None) if place < 0 else (rest[:place], rest[place + 1 :])


def _endpoint(url: str, text: str) -> str | None:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        raise InputError(f"{_shown(text)} has no usable URL.", remedy=_FORMS)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"The URL of {_shown(text)} may hold no user, password or parameters: it is kept with the run.",
            remedy="Give the key in the environment or in .env; `envolve doctor` says under which name.",
        )
    return None if host == _OPENAI_HOST else url.rstrip("/")


def _shown(text: str) -> str:
    """The part of a name that holds no address."""
    name, url = _parted(text)
    return repr(f"{name}@…" if url else re.sub(r"://\S*@", "://…@", name))
