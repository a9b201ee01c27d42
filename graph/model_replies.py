"""Replies of models, kept in staging under the work key that paid for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..memory.records import ModelCall
from ..memory.store.staging import Staged, Staging

AGENTS_CALL, SOLVERS_CALL = "agent_call", "solver_call"
"""Kinds of staged rows: those of agents are kept for good at the commit, those of solvers are told by their traces."""


class StagedReplies:
    """What one step asked models, as `agents.llm.scope` wants it. `places` are those that it asked for, each once."""

    def __init__(self, staging: Staging, key: str, kind: str) -> None:
        self._staging = staging
        self._key = key
        self._kind = kind
        self.places: dict[str, None] = {}

    def get(self, place: str) -> Any | None:
        self.places[place] = None
        return self._staging.get(self._key, self._kind, place)

    def put(self, place: str, payload: Any, *, tokens: int, cost_usd: float) -> None:
        self._staging.put(self._key, self._kind, place, payload, tokens=tokens, cost_usd=cost_usd)


def model_calls(step: int, places: Iterable[str], staged: Sequence[Staged]) -> list[ModelCall]:
    """The calls that a step made, in order; what was asked and never answered is left out."""
    rows = {row.index: row for row in staged if row.kind == AGENTS_CALL}
    found = [rows[place] for place in places if place in rows]
    return [
        ModelCall(
            step=step,
            index=index,
            model=row.payload["model"],
            request=row.payload["request"],
            reply=row.payload["reply"],
            tokens=row.tokens,
            cost_usd=row.cost_usd,
        )
        for index, row in enumerate(found)
    ]
