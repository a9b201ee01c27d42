"""One model behind one endpoint: a request is sent once, and what went wrong comes back as a value."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

import httpx
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage

from .base import ChatReply, ChatRequest, ModelSettings
from .endpoints import endpoint_at
from .extras import extras_of, likely_cause
from .failures import MeaninglessReply, Trouble, trouble_from
from .keys import find_key, key_variables
from .models import chat_model, require_packages
from .names import ModelName
from .wire import call_from, to_choice, to_langchain, to_reply

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

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
        """One attempt, or more where the endpoint turns out not to take all that is asked for."""
        if self.key is None and self.name.is_hosted and key_variables(self.name):
            return Trouble("it takes no calls without a key", passing=False, status=401)
        request = self._taken(request)
        outcome = await self._sent(request)
        refused: list[str] = []
        while isinstance(outcome, Trouble):
            extra = likely_cause(request, outcome)
            if extra is None:
                return outcome
            refused += [extra.what] if extra.is_why(outcome) else []
            request = extra.without
            outcome = await self._sent(request)
        self.endpoint.refuses.update((self.name.model, what) for what in refused)
        return outcome

    async def listed(self) -> tuple[str, ...]:
        """The models that the server lists; empty where it lists none or cannot be asked."""
        if self.name.provider != "openai":
            return ()
        try:
            async with asyncio.timeout(_LISTING_SECONDS):
                page = await cast("ChatOpenAI", await self._model()).root_async_client.models.list()
            return tuple(sorted(str(model.id) for model in page.data))
        except Exception:
            # Asked only to make an error's remedy better: its own failure must not hide that error.
            return ()

    def _taken(self, request: ChatRequest) -> ChatRequest:
        """Without what is known to be refused."""
        for extra in extras_of(request):
            if (self.name.model, extra.what) in self.endpoint.refuses:
                return self._taken(extra.without)
        return request

    async def _sent(self, request: ChatRequest) -> ChatReply | Trouble:
        messages = to_langchain(request.messages)
        model = await self._model()
        try:
            bound: Any = model
            if request.tools:
                bound = model.bind_tools(list(request.tools), **to_choice(request.tool_choice, self.name.provider))
            bound = bound.bind(**self._options(request))
            async with asyncio.timeout(self.settings.timeout):
                message = await bound.ainvoke(messages)
            return self._read(cast(AIMessage, message))
        except Exception as error:
            return trouble_from(error, self.key, self._most(request))

    def _read(self, message: AIMessage) -> ChatReply:
        """Errors: MeaninglessReply. A server that echoes the key does not get it kept."""
        try:
            reply = to_reply(message)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise MeaninglessReply(type(error).__name__) from None
        key = self.key.get_secret_value() if self.key else ""
        if not key or key not in reply.model_dump_json():
            return reply
        calls = tuple(call_from(call.id, call.name, call.raw.replace(key, "…")) for call in reply.tool_calls)
        return reply.model_copy(update={"text": reply.text.replace(key, "…"), "tool_calls": calls})

    def _most(self, request: ChatRequest) -> int:
        return request.max_output_tokens or self.settings.max_output_tokens

    def _options(self, request: ChatRequest) -> dict[str, Any]:
        most = self._most(request)
        if self.name.provider != "openai":
            return {"max_tokens": most}
        extra: dict[str, Any] = {"max_tokens": most} if self.name.url else {}
        if request.json_schema is not None:
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
