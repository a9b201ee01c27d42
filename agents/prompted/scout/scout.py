"""A language model that thinks of scenarios, in batches; a second reading and the memory decide which are taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ....memory.embedders import Embedder, embedder_named
from ...base import Scenario
from ...llm import Chat
from ...llm.errors import Unusable
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..asking import answered
from .checks import batch_problems, rating_problems, usable
from .drafts import BatchDraft, RatingsDraft
from .pool import WAVE, Ask, Pool, Rated, Refused, categories

_DRY: Final = 3
"""Batches in a row (or waves of them) that bring nothing new, after which it gives up."""


class _Batch(NamedTuple):
    """What came of one: scenarios after their second reading, and near-copies, which got none."""

    rated: list[Rated]
    copies: list[Refused]


class PromptedScout:
    """`Scout` by a model. `embedder` is the memory's (None: the default one).

    A batch is two calls: scenarios, and a second reading of those that the memory does not refuse. A batch without a
    usable answer counts as one that brings nothing; Unusable is raised only if nothing came of any. Errors of the
    provider pass.
    """

    def __init__(self, chat: Chat, *, embedder: Embedder | None = None) -> None:
        self._chat = chat
        self._embedder = embedder
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "scout")

    async def scenarios(self, count: int, *, seed: int, known: Sequence[Scenario]) -> list[Scenario]:
        self._embedder = self._embedder or embedder_named()
        pool = Pool(count, known=known, seed=seed, embedder=self._embedder)
        dry = asked = 0
        failure: Unusable | None = None
        while pool.missing > 0 and dry < _DRY and asked < _most_batches(count):
            # After a dry one they come singly, so that each can learn from what was refused before it.
            asks = pool.asks(asked, most=1 if dry else WAVE)
            asked += len(asks)
            before = pool.missing
            for answer in await answered(self._batch(pool, ask, seed) for ask in asks):
                if isinstance(answer, Unusable):
                    failure = answer
                else:
                    pool.take(*answer)
            dry = dry + 1 if pool.missing == before else 0
        if failure is not None and not pool.admitted:
            raise failure
        return pool.admitted

    async def _batch(self, pool: Pool, ask: Ask, seed: int) -> _Batch:
        prompt = self._prompts.render("batch", ask=ask, categories=categories(), refused=pool.last_refused())
        sample = f"{seed}:{ask.number}"
        draft = await structured(self._chat, prompt, BatchDraft, check=batch_problems, sample=sample)
        offered = usable(draft)
        copies = [pool.near_copy(scenario) for scenario in offered]
        fresh = [scenario for scenario, copy in zip(offered, copies, strict=True) if copy is None]
        rated = await self._rated(fresh, sample) if fresh else []
        return _Batch(rated, [copy for copy in copies if copy is not None])

    async def _rated(self, scenarios: list[Scenario], sample: str) -> list[Rated]:
        prompt = self._prompts.render("ratings", scenarios=scenarios, categories=categories())
        draft = await structured(
            self._chat,
            prompt,
            RatingsDraft,
            check=lambda ratings: rating_problems(ratings, len(scenarios)),
            sample=sample,
        )
        by_number = {rating.number: rating for rating in draft.ratings}
        found = []
        for number, scenario in enumerate(scenarios, 1):
            rating = by_number[number]
            fault = "" if rating.suitable else " ".join(rating.reason.split())[:120] or "no reason given"
            found.append(Rated(scenario.model_copy(update={"category": rating.category}), fault))
        return found


def _most_batches(count: int) -> int:
    """However little each brings, it ends."""
    return 4 + 2 * math.ceil(count / 16)
