"""A check of drafts that tells what must be mended from what had better be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from ..llm.errors import Unusable

Shape = TypeVar("Shape")


class Leniently(Generic[Shape]):
    """A check for `structured`. `judge` gives what must be mended, and what had better be.

    What had better be mended goes back `patience` times, then it is let pass. `best` is the last draft that had
    nothing that must be mended, with the fewest other problems: what is left if all repairs fail.
    """

    def __init__(self, judge: Callable[[Shape], tuple[Sequence[str], Sequence[str]]], *, patience: int = 2) -> None:
        self._judge = judge
        self._patience = patience
        self._fewest: int | None = None
        self.best: Shape | None = None

    def __call__(self, draft: Shape) -> Sequence[str]:
        hard, soft = self._judge(draft)
        if hard:
            return [*hard, *soft]
        if self._fewest is None or len(soft) <= self._fewest:
            self.best, self._fewest = draft, len(soft)
        if soft and self._patience:
            self._patience -= 1
            return soft
        return ()

    async def settled(self, answer: Awaitable[Shape]) -> Shape:
        """The best draft of a conversation that this check took part in. Raises Unusable if none can be used."""
        try:
            last = await answer
        except Unusable:
            if self.best is None:
                raise
            return self.best
        return last if self.best is None else self.best
