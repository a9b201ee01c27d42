"""Names of models: `openai:gpt-5`, `openai:qwen3@http://127.0.0.1:8000/v1`, `anthropic:claude-opus-4-5`."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
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
_OWN_NETWORKS = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
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
        """Answered by this machine."""
        address = self._address
        own = address is not None and (address.is_loopback or address.is_unspecified)
        return own or self._hostname == "localhost"

    @property
    def is_local(self) -> bool:
        """Answered by this machine or one in its own network."""
        address = self._address
        in_network = address is not None and any(address in network for network in _OWN_NETWORKS)
        return self.is_loopback or in_network or self._hostname.endswith(".local")

    @property
    def is_openai(self) -> bool:
        """Answered by OpenAI, at its usual address or at that of a region, and read by nobody on the way."""
        if self.provider != "openai" or self.url is None:
            return self.provider == "openai"
        return self.url.startswith("https://") and self._hostname.endswith(f".{_OPENAI_HOST}")

    @property
    def _hostname(self) -> str:
        return (urlsplit(self.url).hostname or "") if self.url else ""

    @property
    def _address(self) -> IPv4Address | IPv6Address | None:
        try:
            return ip_address(self._hostname)
        except ValueError:
            return None

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
