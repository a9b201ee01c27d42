"""What a search finds: programs of calls, and how many calls it took."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...environments.gold import written
from ...environments.models import CallStep, Submission, SubmitStep
from ...environments.models.tasks import GoldStep


class Call(NamedTuple):
    """A tool and the arguments to call it with."""

    tool: str
    args: dict[str, Any]

    @property
    def step(self) -> CallStep:
        return CallStep(call=self.tool, args={name: written(value) for name, value in self.args.items()})


class Found(NamedTuple):
    """Calls, in order, and what is handed in after them. `passes`: by the verifier, in the clone where they were
    made; `signature` is that of the state they end in (≈)."""

    calls: tuple[Call, ...]
    submission: Submission
    passes: bool
    signature: str

    @property
    def program(self) -> tuple[GoldStep, ...]:
        """As gold is written: steps with literal arguments, and the submission."""
        submission = self.submission.model_copy(update={"answer": written(self.submission.answer)})
        return (*(call.step for call in self.calls), SubmitStep(submit=submission))


class SearchResult(NamedTuple):
    """`found`: what passes, or ends as somebody asked for; first found first. `best`: what comes nearest, for want of
    more. `spent`: tool calls made."""

    found: tuple[Found, ...]
    best: Found
    spent: int

    @property
    def passing(self) -> Found | None:
        return next((found for found in self.found if found.passes), None)
