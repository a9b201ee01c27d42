"""A language model at a task: it is shown what every solver is shown, calls tools, and submits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from ....environments.episode import Episode
from ....environments.models import CallResult, Frozen
from ....eval.base import SolverProfile
from ....eval.errors import LimitReached
from ...llm import Chat, ChatReply, ChatRequest, ToolCall
from ...llm.errors import RequestRefused
from ...llm.prompts import PromptFolder
from .history import RULE, History
from .wire import RESULT_CHARS, Message, Pages, assistant_message, paged, result_message, wire_tools

_PROMPT: Final = "solve"
_NUDGE: Final = (
    "Nobody reads this. Go on by calling a tool, or call submit: with status done if all is done, else with refused or"
    " impossible. If you only write again, the attempt ends without a submission."
)
_CUT: Final = "That was cut at the limit of a reply's length. Write less, and call a tool or submit."


class SolverSettings(Frozen):
    """`turns` replies of the model, and `context` tokens that a request and its reply take at most (estimated), limit
    one attempt. `tool_choice` is that of its requests: "required" gets calls out of weak models."""

    turns: int = Field(default=30, ge=1, le=1_000)
    context: int = Field(default=64_000, ge=2_000)
    tool_choice: Literal["", "auto", "required"] = ""


class LlmSolver:
    """`name` is what the user typed; without it the model's.

    Broken arguments, unknown tools, talk and running into a limit are the model's own faults; a provider that fails
    passes as InfraError.
    """

    def __init__(self, chat: Chat, settings: SolverSettings | None = None, *, name: str | None = None) -> None:
        self._chat = chat
        self._settings = settings or SolverSettings()
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "solver", shaped=False)
        self._profile = self._described(name or chat.name)

    @property
    def profile(self) -> SolverProfile:
        return self._profile

    def _described(self, name: str) -> SolverProfile:
        asked, settings = self._chat.settings, self._settings
        return SolverProfile(
            name=name,
            kind="model",
            settings={
                "model": self._chat.name,
                "temperature": asked.temperature,
                "effort": asked.effort,
                "output": asked.max_output_tokens,
                "turns": settings.turns,
                "context": settings.context,
                "tools": settings.tool_choice,
                "result_chars": RESULT_CHARS,
                "history": RULE,
                "prompt": self._prompts.hash(_PROMPT),
            },
            deterministic=asked.temperature == 0,
        )

    async def solve(self, episode: Episode) -> None:
        """Raises LimitReached: `turns`, `context`, `gave_up` for two replies in a row without a call, or `refused` where
        the provider will not have what was said."""
        definitions = episode.tools
        tools, pages = wire_tools(definitions), paged(definitions)
        person = any(tool["name"] == "say" for tool in definitions)
        prompt = self._prompts.render(_PROMPT, prompt=episode.prompt(), person=person)
        room = self._settings.context - self._chat.settings.max_output_tokens
        history = History(prompt.messages, tools, max(room, self._settings.context // 2))
        silent = 0
        for turn in range(self._settings.turns):
            request = ChatRequest(
                messages=history.messages(),
                tools=tools,
                tool_choice=self._settings.tool_choice,
                sample=f"{episode.seed}:{turn}",
            )
            reply = await self._asked(request)
            said = assistant_message(reply, turn)
            if reply.tool_calls:
                silent, answers = 0, _answered(episode, reply, turn, pages)
            else:
                silent, answers = _heard(episode, reply, silent)
            if episode.closed:
                return
            history.add([*([said] if said else []), *answers])
        raise LimitReached("turns")

    async def _asked(self, request: ChatRequest) -> ChatReply:
        """What the provider will not take of one conversation says nothing of others: it ends this attempt alone."""
        try:
            return await self._chat.ask(request)
        except RequestRefused as refused:
            raise LimitReached("context" if refused.reason == "context" else "refused") from refused


def _answered(episode: Episode, reply: ChatReply, turn: int, pages: Mapping[str, Pages]) -> list[Message]:
    """The calls made, in order; what stands beside them is recorded, and nobody hears it."""
    if reply.text:
        episode.note(reply.text)
    messages = []
    for index, call in enumerate(reply.tool_calls):
        if episode.closed:
            break
        messages.append(result_message(_called(episode, call), turn, index, pages=pages.get(call.name)))
    return messages


def _called(episode: Episode, call: ToolCall) -> CallResult:
    if call.arguments is None:
        return episode.unreadable(call.name, call.raw)
    return episode.call(call.name, **call.arguments)


def _heard(episode: Episode, reply: ChatReply, silent: int) -> tuple[int, list[Message]]:
    """A reply without a call: the task's person answers it, if there is one; else it is answered once."""
    text = reply.text or reply.refusal
    answer = episode.say(text) if text else None
    if answer is not None:
        return 0, [{"role": "user", "content": answer}]
    if silent:
        raise LimitReached("gave_up")
    told = _CUT if reply.finish == "length" else _NUDGE
    episode.note(told, role="user")
    return 1, [{"role": "user", "content": told}]
