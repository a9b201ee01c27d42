"""Whether a batch and its ratings can be used, in words for the model."""

from __future__ import annotations

from collections import Counter

from ....environments.errors import InputError
from ...base import Scenario
from ...scenarios import scenario_of
from .drafts import BatchDraft, IdeaDraft, RatingsDraft
from .pool import BATCH, categories

_SHORTEST, _LONGEST = 60, 700
_LONGEST_NAME = 60


def batch_problems(batch: BatchDraft) -> list[str]:
    """Problems of single scenarios only count where less than half are left without them. Fewer than were wanted, or
    none, is an honest answer."""
    if len(usable(batch)) >= min(len(batch.scenarios), BATCH) / 2:
        return []
    problems = [
        f"scenarios[{index}].{problem}"
        for index, idea in enumerate(batch.scenarios)
        if (problem := _problem(idea)) is not None
    ]
    return problems[:8]


def usable(batch: BatchDraft) -> list[Scenario]:
    """The scenarios that say something, in order, as many as a batch holds at most."""
    kept = [idea for idea in batch.scenarios if _problem(idea) is None]
    return [_scenario(idea) for idea in kept[: BATCH + BATCH // 4]]


def rating_problems(ratings: RatingsDraft, count: int) -> list[str]:
    numbers = Counter(rating.number for rating in ratings.ratings)
    missing = [str(number) for number in range(1, count + 1) if numbers[number] != 1]
    found = [f"ratings: not exactly one for number {', '.join(missing)}"] if missing else []
    unknown = {rating.category for rating in ratings.ratings} - set(categories())
    if unknown:
        named = ", ".join(repr(name[:40]) for name in sorted(unknown)[:5])
        found.append(f"ratings: no such category: {named}; categories: {', '.join(categories())}")
    return found


def _problem(idea: IdeaDraft) -> str | None:
    if not _SHORTEST <= len(idea.text.strip()) <= _LONGEST:
        return f"text: {len(idea.text.strip())} characters; give one to three sentences, {_SHORTEST} to {_LONGEST}"
    if not 1 <= len(idea.name.strip()) <= _LONGEST_NAME:
        return f"name: {len(idea.name.strip())} characters; give 1 to {_LONGEST_NAME}"
    try:
        _scenario(idea)
    except InputError as error:
        return f"text: {error.message}"
    return None


def _scenario(idea: IdeaDraft) -> Scenario:
    return scenario_of({"name": idea.name.strip(), "category": idea.category.strip(), "text": idea.text})
