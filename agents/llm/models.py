"""LangChain's chat model for a name and settings."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import httpx
from langchain_core.language_models.chat_models import BaseChatModel
from pydantic import SecretStr

from ...environments.errors import InputError
from .base import ModelSettings
from .keys import without_keys
from .names import PROVIDERS, ModelName

_NO_KEY = SecretStr("none")
"""Sent to endpoints that need no key: the client insists on one."""


def chat_model(
    name: ModelName, settings: ModelSettings, key: SecretStr | None, client: httpx.AsyncClient
) -> BaseChatModel:
    """Made for one event loop. Nothing is sent. Errors: InputError where a package or setting is missing."""
    if name.provider == "openai":
        return _openai(name, settings, key, client)
    return _other(name, settings, key)


def require_packages(name: ModelName) -> None:
    """Errors: InputError that tells what to install."""
    wanted = [PROVIDERS[name.provider]] + (["langchain"] if name.provider != "openai" else [])
    missing = [package for package in wanted if find_spec(package.replace("-", "_")) is None]
    if missing:
        raise InputError(
            f"{name} needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed.",
            remedy=f"pip install {' '.join(missing)}",
        )


def _openai(
    name: ModelName, settings: ModelSettings, key: SecretStr | None, client: httpx.AsyncClient
) -> BaseChatModel:
    from .openai_wire import WireChatOpenAI

    options: dict[str, Any] = {"max_completion_tokens": settings.max_output_tokens}
    if name.url:
        # Servers other than OpenAI's know the older name; not all know the newer one.
        options = {
            "base_url": name.url,
            "use_responses_api": False,
            "extra_body": {"max_tokens": settings.max_output_tokens},
        }
    return WireChatOpenAI(
        model_name=name.model,
        openai_api_key=key or _NO_KEY,
        temperature=settings.temperature,
        reasoning_effort=settings.effort,
        request_timeout=settings.timeout,
        max_retries=0,
        http_async_client=client,
        cache=False,
        **options,
    )


def _other(name: ModelName, settings: ModelSettings, key: SecretStr | None) -> BaseChatModel:
    require_packages(name)
    make: Any = import_module("langchain.chat_models").init_chat_model
    options: dict[str, Any] = {"max_tokens": settings.max_output_tokens, "timeout": settings.timeout}
    options |= {"max_retries": 0, "cache": False}
    options |= {"temperature": settings.temperature} if settings.temperature is not None else {}
    options |= {"api_key": key} if key else {}
    options |= {"reasoning_effort": settings.effort} if settings.effort else {}
    try:
        model: BaseChatModel = make(name.model, model_provider=name.provider, **options)
    except (ImportError, TypeError, ValueError) as error:
        said = " ".join(without_keys(str(error), key).split())[:300]
        raise InputError(
            f"{name} cannot be set up: {type(error).__name__}: {said}.",
            remedy=f"Check the settings, and what {PROVIDERS[name.provider]} says of them.",
        ) from None
    return model
