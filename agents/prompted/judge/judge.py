"""A language model that reads a rollout and says whether the request was met."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from ....environments.models import Trace
from ...judges.base import Case, Judgement, Ruling
from ...llm import Chat
from ...llm.prompts import Prompt, PromptFolder
from ...llm.structured import structured
from ..clipping import clipped, one_line
from ..showing import changes_text, tools_text, transcript_text

_LONGEST_REASON: Final = 600


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
        steps = len(case.trace.events)

        def check(draft: JudgementDraft) -> list[str]:
            if draft.step is None or 1 <= draft.step <= steps:
                return []
            numbered = f"the steps are numbered from 1 to {steps}; or give null" if steps else "give null"
            return [f"step: there is no step {draft.step}; {numbered}"]

        draft = await structured(self._chat, self._prompt(case), JudgementDraft, check=check)
        reason = clipped(one_line(draft.reason), _LONGEST_REASON)
        return Judgement(ruling=draft.ruling, reason=reason, step=draft.step)

    def _prompt(self, case: Case) -> Prompt:
        return self._prompts.render(
            "judge",
            prompt=case.prompt,
            tools=tools_text(case.environment, case.roles),
            transcript=transcript_text(case.trace, 40_000) or "(nothing was done)",
            changes=changes_text(case.changes),
            end=_end(case.trace),
        )


def _end(trace: Trace) -> str:
    if trace.submission is not None:
        return f"Submitted: {trace.submission.model_dump_json(exclude_none=True)}"
    if trace.limit is not None:
        return f"Nothing was submitted; the attempt ran into a limit ({trace.limit})."
    return "The attempt stopped without submitting, which counts as status done without an answer."
