"""A reply of a wanted shape, with bounded repair: what is wrong goes back to the model in its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from .base import Chat
from .prompts import Prompt

Shape = TypeVar("Shape", bound=BaseModel)

REPAIRS = 3
"""How often a model may mend one reply."""


async def structured(
    chat: Chat,
    prompt: Prompt,
    shape: type[Shape],
    *,
    check: Callable[[Shape], Sequence[str]] | None = None,
    sample: str = "",
    repairs: int = REPAIRS,
) -> Shape:
    """What `prompt` asks for, as a `shape`, for which `check` names no problem.

    Errors: Unusable when the last repair still has problems; those of `Chat.ask`.
    """
    raise NotImplementedError
