"""One model behind one endpoint: a request is sent once, and what went wrong comes back as a value."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

import httpx
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage

from .base import ChatReply, ChatRequest, ModelSettings
from .endpoints import endpoint_at
from .failures import Trouble, trouble_from
from .keys import find_key, key_variables
from .models import chat_model, require_packages
from .names import ModelName
from .wire import to_langchain, to_reply

_REFUSES_SCHEMA = {400, 415, 422, 501}
"""Answers of servers that do not know `response_format`, or not this form of it."""
_SCHEMA_WORDS = ("response_format", "json_schema")
"""What llama.cpp's Python server, which answers 500 instead, says of it."""
_LISTING_SECONDS = 10.0


class Connection:
    """Nothing raised here, or in what it raises, holds the key."""

    def __init__(self, name: ModelName, settings: ModelSettings) -> None:
        require_packages(name)
        self.name = name
        self.settings = settings
        self.key = find_key(name)
        self.endpoint = endpoint_at(name.url or name.provider, name.is_loopback)
        self._made: tuple[httpx.AsyncClient, BaseChatModel] | None = None

    def slot(self) -> AbstractAsyncContextManager[None]:
        """To be held while a request is sent."""
        return self.endpoint.slot(self.settings.concurrency)

    async def send(self, request: ChatRequest) -> ChatReply | Trouble:
        """One attempt, or two where the endpoint turns out not to know response formats."""
        if self.key is None and self.name.is_hosted and key_variables(self.name):
            return Trouble("it takes no calls without a key", passing=False, status=401)
        with_schema = request.json_schema is not None and self._takes_schema
        outcome = await self._sent(request, with_schema=with_schema)
        if not (with_schema and isinstance(outcome, Trouble) and _is_about_schema(outcome)):
            return outcome
        plain = await self._sent(request, with_schema=False)
        if isinstance(plain, ChatReply):
            self.endpoint.refuses_schema.add(self.name.model)
        return plain

    async def listed(self) -> tuple[str, ...]:
        """The models that the server lists; empty where it lists none or cannot be asked."""
        if self.name.provider != "openai":
            return ()
        try:
            async with asyncio.timeout(_LISTING_SECONDS):
                client: Any = (await self._model()).root_async_client  # type: ignore[attr-defined]
                page = await client.models.list()
            return tuple(sorted(str(model.id) for model in page.data))
        except Exception:
            # Asked only to make an error's remedy better: its own failure must not hide that error.
            return ()

    @property
    def _takes_schema(self) -> bool:
        return self.name.provider == "openai" and self.name.model not in self.endpoint.refuses_schema

    async def _sent(self, request: ChatRequest, *, with_schema: bool) -> ChatReply | Trouble:
        messages = to_langchain(request.messages)
        model = await self._model()
        bound: Any = model.bind_tools(list(request.tools)) if request.tools else model
        bound = bound.bind(**self._options(request, with_schema=with_schema))
        try:
            async with asyncio.timeout(self.settings.timeout):
                message = await bound.ainvoke(messages)
            return to_reply(cast(AIMessage, message))
        except Exception as error:
            return trouble_from(error, self.key)

    def _options(self, request: ChatRequest, *, with_schema: bool) -> dict[str, Any]:
        most = request.max_output_tokens or self.settings.max_output_tokens
        if self.name.provider != "openai":
            return {"max_tokens": most}
        extra: dict[str, Any] = {"max_tokens": most} if self.name.url else {}
        if with_schema:
            # Through the body: LangChain's own parameter would parse the reply and fail on one that is cut or wrong.
            extra["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": request.json_schema, "strict": False},
            }
        return {"extra_body": extra} if self.name.url else {"extra_body": extra, "max_completion_tokens": most}

    async def _model(self) -> BaseChatModel:
        """Made anew for another event loop."""
        client = await self.endpoint.client()
        if self._made is None or self._made[0] is not client:
            self._made = client, chat_model(self.name, self.settings, self.key, client)
        return self._made[1]


def _is_about_schema(trouble: Trouble) -> bool:
    named = any(word in trouble.words for word in _SCHEMA_WORDS)
    return trouble.status in _REFUSES_SCHEMA or (trouble.status is not None and trouble.status >= 500 and named)
