"""States that a search has reached, and how."""

from __future__ import annotations

from ...environments.episode import Episode
from .answers import Result
from .base import Call
from .candidates import Stream
from .sights import Sight


class Node:
    """A state: reached from `parent` by `write`, looked at by `reads`. `cost` adds up what its writes cost."""

    def __init__(self, episode: Episode, sight: Sight, parent: Node | None, write: Call | None, cost: float) -> None:
        self.episode = episode
        self.sight = sight
        self.parent = parent
        self.write = write
        self.cost = cost
        self.results: list[Result] = []
        self.calls: dict[int, Call] = {}
        self.tried: set[str] = set()
        self.stream: Stream | None = None
        self.place = 0
        self.age = 0
        self._spare: Episode | None = None

    @property
    def way(self) -> list[Node]:
        """From the seed state to here."""
        before = self.parent.way if self.parent else []
        return [*before, self]

    @property
    def depth(self) -> int:
        """How many writes led here."""
        return len(self.way) - 1

    def spare(self) -> Episode:
        """A clone to call in. One that a call has changed is taken away by `take`."""
        self._spare = self._spare or self.episode.fork()
        return self._spare

    def take(self) -> Episode:
        taken, self._spare = self.spare(), None
        return taken

    def keep(self, result: Result, call: Call | None) -> None:
        """Remember a result, and the read that gave it (None for the write that led here)."""
        self.results.append(result)
        if call is not None:
            self.calls[result.place] = call

    def all_results(self) -> list[Result]:
        return [result for node in self.way for result in node.results]

    def path(self, needed: frozenset[int] = frozenset()) -> tuple[Call, ...]:
        """The calls that lead here: the writes, and of the reads those that are needed."""
        found: list[Call] = []
        for node in self.way:
            found += [node.write] if node.write else []
            found += [call for place, call in node.calls.items() if place in needed]
        return tuple(found)

    def close(self) -> None:
        self.episode.close()
        if self._spare is not None:
            self._spare.close()
