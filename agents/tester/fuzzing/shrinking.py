"""From a long sequence that shows a symptom to a short one: fewest calls first, then fewest arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .replay import Played
from .steps import Step

_TRIALS = 90


class _Search:
    """Tries smaller sequences as long as the budget lasts; keeps the smallest that still shows it."""

    def __init__(self, steps: Sequence[Step], play: Callable[[Sequence[Step]], Played], key: tuple[str, str]) -> None:
        self.best = tuple(steps)
        self._play = play
        self._key = key
        self._left = _TRIALS

    def attempt(self, steps: Sequence[Step]) -> bool:
        """Play `steps`; if they show the symptom too, they are the best so far."""
        if self._left <= 0 or not steps:
            return False
        self._left -= 1
        played = self._play(steps)
        if not any(symptom.key == self._key for symptom in played.symptoms):
            return False
        self.best = played.steps
        return True


def shrink(steps: Sequence[Step], play: Callable[[Sequence[Step]], Played], key: tuple[str, str]) -> tuple[Step, ...]:
    """The fewest calls (the last of `steps` kept) whose last one still shows the symptom `key`, by delta debugging
    within a bounded number of trials. Empty if `steps` do not show it when played again."""
    search = _Search(steps, play, key)
    if not search.attempt(search.best):
        return ()
    search.attempt(search.best[-1:])
    search.attempt([step for step in search.best[:-1] if step.made] + [search.best[-1]])
    _drop_chunks(search)
    _drop_arguments(search)
    return search.best


def _drop_chunks(search: _Search) -> None:
    size = max(1, (len(search.best) - 1) // 2)
    while size >= 1 and len(search.best) > 1:
        dropped = any(search.attempt(smaller) for smaller in _without_chunks(search.best, size))
        if not dropped:
            size //= 2
        size = min(size, len(search.best) - 1)


def _without_chunks(steps: Sequence[Step], size: int) -> Iterator[list[Step]]:
    """The sequences that leave out `size` calls in a row, the last call kept."""
    for start in range(max(0, len(steps) - 1 - size), -1, -size):
        end = min(start + size, len(steps) - 1)
        yield [*steps[:start], *steps[end:]]
        if start == 0:
            return


def _drop_arguments(search: _Search) -> None:
    for index in range(len(search.best) - 1, -1, -1):
        for name in sorted(search.best[index].args):
            step = search.best[index]
            args = {kept: value for kept, value in step.args.items() if kept != name}
            smaller = Step(step.tool, args, step.actor, step.made)
            search.attempt([*search.best[:index], smaller, *search.best[index + 1 :]])
