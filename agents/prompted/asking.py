"""One piece of a role's work: the questions that it takes, and which prompts they used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from ..llm.base import Chat
from ..llm.errors import Unusable
from ..llm.prompts import PromptFolder
from ..llm.structured import structured

Shape = TypeVar("Shape", bound=BaseModel)
T = TypeVar("T")


class Asking:
    """Asks one model with the prompts of a role's folder. `used`: name → hash of every prompt that was asked with."""

    def __init__(self, chat: Chat, role: str, folder: Path, seed: int) -> None:
        self._chat = chat
        self._role = role
        self._prompts = PromptFolder(folder / "prompts", role)
        self._sample = str(seed)
        self.used: dict[str, str] = {}

    @property
    def model(self) -> str:
        return self._chat.name

    def with_included(self, *names: str) -> None:
        """Note prompts that others include."""
        self.used |= {f"{self._role}/{name}": self._prompts.hash(name) for name in names}

    async def ask(
        self, name: str, shape: type[Shape], check: Callable[[Shape], Sequence[str]], **values: Any
    ) -> Shape:
        """What the prompt `name`, given these values, comes to. Errors: those of `structured`."""
        prompt = self._prompts.render(name, **values)
        self.used[prompt.name] = prompt.hash
        return await structured(self._chat, prompt, shape, check=check, sample=self._sample)


async def answered(calls: Iterable[Awaitable[T]]) -> list[T | Unusable]:
    """What calls that run at once come to, in their order. Any error but Unusable is raised once all have ended, so
    that what they paid for is kept."""
    found: list[T | Unusable] = []
    for each in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(each, BaseException) and not isinstance(each, Unusable):
            raise each
        found.append(each)
    return found


async def usable(calls: Iterable[Awaitable[T]]) -> list[T | None]:
    """As `answered`, with None for those that end Unusable."""
    return [None if isinstance(each, Unusable) else each for each in await answered(calls)]
