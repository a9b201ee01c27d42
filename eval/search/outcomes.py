"""What a search comes to: the ways to states that count as found, and the best of the others."""

from __future__ import annotations

from collections.abc import Iterator

from ...environments.models import Submission, Task
from .answers import Built, build_answer, share_seen
from .base import Call, Found, SearchResult
from .nodes import Node
from .sights import Sight


class Outcomes:
    """Of one search for `task`. `end` is the signature of a state that counts as found whatever the verifier says of
    it; so does, if it is given, every state in which the goal's SQL holds and nothing unallowed changed."""

    def __init__(self, task: Task, end: str | None) -> None:
        self._task = task
        self._asks = task.verifier.answer.kind != "none"
        self._end = end
        self._found: dict[str, Found] = {}
        self._best: tuple[float, Found] = (-1e9, Found((), Submission(), False, ""))

    def __len__(self) -> int:
        return len(self._found)

    def note(self, node: Node) -> None:
        """Take in a state as it is now: new, or looked at once more."""
        sight = node.sight
        built = self._built(node)
        if (built is not None or not self._asks) and (sight.right or self._wanted(sight)):
            found = _made(self._task, node, built, passes=sight.right)
            self._found.setdefault(repr((found.calls, found.signature)), found)
            return
        nearness = sight.progress + self._seen(node, built)
        if nearness > self._best[0]:
            self._best = (nearness, _made(self._task, node, built, passes=False))

    def result(self, spent: int) -> SearchResult:
        found = tuple(self._found.values())
        passing: Iterator[Found] = (one for one in found if one.passes)
        return SearchResult(found, next(passing, self._best[1]), spent)

    def _wanted(self, sight: Sight) -> bool:
        if self._end is None:
            return False
        return sight.signature == self._end or (bool(sight.goal) and not sight.unallowed)

    def _built(self, node: Node) -> Built | None:
        if not self._asks:
            return None
        return build_answer(self._task.verifier.answer, node.sight.expected, node.all_results())

    def _seen(self, node: Node, built: Built | None) -> float:
        """How near the answer is: 1 where it is complete, up to a half for the share of it that was seen."""
        if built is not None or not self._asks:
            return float(built is not None)
        return share_seen(self._task.verifier.answer, node.sight.expected, node.all_results()) / 2


def _made(task: Task, node: Node, built: Built | None, *, passes: bool) -> Found:
    expected = task.verifier.submit
    submission = Submission(status=expected.status, reason=expected.reason, answer=built.answer if built else None)
    calls: tuple[Call, ...] = node.path(built.places if built else frozenset())
    return Found(calls, submission, passes, node.sight.signature)
