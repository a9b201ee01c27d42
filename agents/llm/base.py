"""What roles ask of a model, and what comes back: requests and replies in the chat-completions wire form."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import Field, model_validator

from ...environments.models import Frozen

Finish = Literal["stop", "length", "tool_calls", "content_filter", "other"]


class ModelSettings(Frozen):
    """How a model is asked. None leaves the provider's default.

    `timeout` is seconds for one call; `patience` seconds that a provider may be down or refuse for its rate limit
    before the call is given up; `backoff` seconds before the first call anew, doubled for each further one;
    `concurrency` calls in flight at one endpoint.
    """

    temperature: float | None = Field(default=None, ge=0, le=2)
    max_output_tokens: int = Field(default=16_000, ge=1)
    timeout: float = Field(default=300.0, gt=0)
    patience: float = Field(default=600.0, ge=0)
    backoff: float = Field(default=1.0, gt=0)
    concurrency: int = Field(default=8, ge=1)
    effort: str | None = None
    """Reasoning effort, where the model has such a setting."""


class ToolCall(Frozen):
    """A call that the model asked for. `arguments` is None where what it wrote is no JSON object; `raw` is what it
    wrote."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    raw: str = ""


class Usage(Frozen):
    """Tokens as the provider counts them; `cached` of `prompt` were read from its cache."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt + self.completion


class ChatRequest(Frozen):
    """One call. `messages` and `tools` are in the wire form of OpenAI's chat completions.

    `json_schema` asks for one JSON object of that shape. `sample` tells requests apart that read the same but
    must be answered independently (a rollout and its turn; a work item's seed): a reply is only ever reused for the
    same request with the same sample.

    `tool_choice`: "" leaves it to the provider whether tools are called; "auto" leaves it to the model, which some
    servers must be told; "required" wants some call; a tool's name wants a call of that one. Where a server refuses
    one, the next weaker is asked for, down to "".
    """

    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] = ()
    json_schema: dict[str, Any] | None = None
    max_output_tokens: int | None = None
    sample: str = ""
    tool_choice: str = ""

    @model_validator(mode="after")
    def _chooses_what_there_is(self) -> ChatRequest:
        names = [tool["function"]["name"] for tool in self.tools]
        if self.tool_choice and (not names or self.tool_choice not in ("auto", "required", *names)):
            raise ValueError(f"tool_choice {self.tool_choice!r}: it may be auto, required, or one of {names}")
        return self


class ChatReply(Frozen):
    """What came back. `refusal` is the model's own words where it declined; `cost_usd` is 0 and `priced` False where
    no price of the model is known."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    refusal: str = ""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    priced: bool = True


class Chat(Protocol):
    """A model that can be asked: `agents.llm.chat_with` makes one from a name and settings."""

    @property
    def name(self) -> str:
        """What the user typed: `openai:gpt-5`."""
        ...

    @property
    def settings(self) -> ModelSettings: ...

    async def ask(self, request: ChatRequest) -> ChatReply:
        """The reply. Replies are kept and costs counted where `agents.llm.scope` says.

        Errors: BudgetReached before a call whose worst case would pass the budget; ModelUnavailable when the provider
        was down or refused for longer than `patience`; ModelRefused when it will answer no such request (no such
        model, no right to use it); RequestRefused when it will not answer this one (too long, filtered).
        """
        ...
