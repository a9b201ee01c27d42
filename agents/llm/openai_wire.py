"""LangChain's ChatOpenAI, as any server with OpenAI's wire format needs it."""

from __future__ import annotations

from typing import Any

import openai
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI

from .failures import MeaninglessReply, NotAnEndpoint
from .wire import RAW_CALLS


class WireChatOpenAI(ChatOpenAI):
    """Keeps tool calls as they came, so that arguments which are no JSON object stay the caller's to judge."""

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        for message in payload.get("messages", ()):
            # Null beside tool calls, as LangChain writes it, is refused by servers that check strictly.
            if message.get("content", "") is None:
                message["content"] = ""
        return payload

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if not isinstance(response, dict | openai.BaseModel):
            raise NotAnEndpoint(f"it begins with {str(response)[:60]!r}")
        whole = response if isinstance(response, dict) else response.model_dump(warnings=False)
        if not _countable(whole.get("usage")):
            whole = {**whole, "usage": None}
        raw = [_taken_calls(choice.get("message")) for choice in whole.get("choices") or []]
        try:
            result = super()._create_chat_result(whole, generation_info)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            # Some gateways tell of an error so: status 200, and no choices.
            raise MeaninglessReply(str(whole.get("error") or error)) from None
        if not result.generations:
            raise MeaninglessReply(str(whole.get("error") or "it holds no choice"))
        for generation, calls in zip(result.generations, raw, strict=False):
            generation.message.additional_kwargs[RAW_CALLS] = calls
        return result


def _countable(usage: Any) -> bool:
    """Whether LangChain can add the figures up."""
    figures = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")] if isinstance(usage, dict) else []
    return bool(figures) and all(isinstance(figure, int) and not isinstance(figure, bool) for figure in figures)


def _taken_calls(message: Any) -> list[dict[str, Any]]:
    calls = (message.pop("tool_calls", None) or []) if isinstance(message, dict) else []
    return [call for call in calls if isinstance(call, dict)]
