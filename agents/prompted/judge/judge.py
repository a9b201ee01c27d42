"""A language model that reads a rollout and says whether the request was met."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from ...judges.base import Case, Judgement, Ruling
from ...llm import Chat
from ...llm.prompts import PromptFolder
from ...llm.structured import structured
from ..clipping import clipped, one_line
from .material import material, step_problems

LONGEST_REASON: Final = 600


class JudgementDraft(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=1, description="What decides it, in one to three sentences")
    step: int | None = Field(default=None, description="Number of the step that decides it; null if none does")
    ruling: Ruling


class PromptedJudge:
    """`Judge` by a model, with its name. Never sees verifier, gold or verdict. Raises Unusable, and the errors of the
    provider."""

    def __init__(self, chat: Chat) -> None:
        self.name = chat.name
        self._chat = chat
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "judge")

    async def judge(self, case: Case) -> Judgement:
        prompt = self._prompts.render("judge", **material(case))
        draft = await structured(
            self._chat, prompt, JudgementDraft, check=lambda draft: step_problems(draft.step, case.trace)
        )
        reason = clipped(one_line(draft.reason), LONGEST_REASON)
        return Judgement(ruling=draft.ruling, reason=reason, step=draft.step)
