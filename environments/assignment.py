"""Giving each of some items a place of its own (maximum bipartite matching by augmenting paths)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence


def assigns_all(choices: Sequence[Sequence[int]]) -> bool:
    """Whether every item can have one of its `choices` with no place taken twice."""
    return len(assign(choices)) == len(choices)


def assign(choices: Sequence[Sequence[int]], capacity: Sequence[int] | None = None) -> dict[int, int]:
    """As many items as possible (by index), each with a place among its `choices`.

    `capacity[place]` items fit in a place; absent: one.
    """
    placed: dict[int, int] = {}
    filled = Counter[int]()
    for item in range(len(choices)):
        path = _path_to_room(item, choices, capacity, placed, filled)
        if path:
            filled[path[-1][1]] += 1
            placed.update(path)
    return placed


def _path_to_room(
    start: int,
    choices: Sequence[Sequence[int]],
    capacity: Sequence[int] | None,
    placed: dict[int, int],
    filled: Counter[int],
) -> list[tuple[int, int]]:
    """The shortest chain of (item, new place) that lets `start` in; empty if there is none."""
    taker: dict[int, int] = {}
    queue = deque([start])
    while queue:
        item = queue.popleft()
        for place in choices[item]:
            if place in taker:
                continue
            taker[place] = item
            if filled[place] < (1 if capacity is None else capacity[place]):
                return _chain(place, start, taker, placed)
            queue.extend(other for other, held in placed.items() if held == place)
    return []


def _chain(place: int, start: int, taker: dict[int, int], placed: dict[int, int]) -> list[tuple[int, int]]:
    """(item, new place) from `start` to the place with room."""
    chain = [(taker[place], place)]
    while chain[-1][0] != start:
        freed = placed[chain[-1][0]]
        chain.append((taker[freed], freed))
    return chain[::-1]
