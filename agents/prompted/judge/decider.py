"""A language model that decides rollouts where code cannot: it sees the verifier and what code found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ...judges.deciding import DecidedOutcome, DecidingCase, Decision, Signals
from ...llm import Chat
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..clipping import clipped, lines_within, one_line
from .judge import LONGEST_REASON
from .material import material, step_problems

_MOST_SIGNALS = 12_000
_MOST_VERIFIER = 16_000


class DecisionDraft(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=1, description="What decides it, in one to three sentences")
    step: int | None = Field(default=None, description="Number of the step that decides it; null if none does")
    outcome: DecidedOutcome | Literal["cannot_tell"]


class PromptedDecider:
    """`DecidingJudge` by a model, with its name. Raises Unusable, and the errors of the provider."""

    def __init__(self, chat: Chat) -> None:
        self.name = chat.name
        self._chat = chat
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "judge")

    async def decide(self, case: DecidingCase) -> Decision:
        prompt = self._prompts.render(
            "decide",
            **material(case.case),
            criteria=case.criteria,
            verifier=clipped(case.verifier.strip(), _MOST_VERIFIER),
            signals=lines_within(_signal_lines(case.signals), _MOST_SIGNALS),
            open=case.signals.open,
        )
        draft = await structured(
            self._chat, prompt, DecisionDraft, check=lambda draft: step_problems(draft.step, case.case.trace)
        )
        reason = clipped(one_line(draft.reason), LONGEST_REASON)
        return Decision(outcome=draft.outcome, reason=reason, step=draft.step)


def _signal_lines(signals: Signals) -> Iterator[str]:
    for check in signals.checks:
        yield f"- {'holds' if check.holds else 'FAILS'}: {check.name} {check.detail}".rstrip()
    for line in signals.unallowed:
        yield f"- NOT ALLOWED: {line}"
    if not signals.checks and not signals.unallowed:
        yield "- no check was decided by code"
    for name, value in signals.facts.items():
        yield f"- reported: {name} = {json.dumps(value, ensure_ascii=False, default=repr)}"
