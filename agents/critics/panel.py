"""Several critics as one: any of them rejects, and none of them can fail in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...environments.models import Finding
from ...eval.errors import InfraError
from ...eval.foreign import raised_at
from ..base import Critic, Dossier
from ..llm.errors import ModelRefused, NoMoreCalls
from ..tester.ordering import arranged

FAILED = "critic_failed"


class Panel:
    """Asks every critic. One that raises, or returns anything but findings, is a finding itself, which blocks: no
    answer is never an acceptance. Errors that speak of the provider or the budget pass: they say nothing about the
    environment, and the review is to be done again."""

    name = "panel"

    def __init__(self, critics: Sequence[Critic]) -> None:
        self.critics = tuple(critics)

    async def review(self, dossier: Dossier) -> list[Finding]:
        return list(arranged([finding for critic in self.critics for finding in await _ask(critic, dossier)]))


async def _ask(critic: Critic, dossier: Dossier) -> list[Finding]:
    try:
        answer: Any = await critic.review(dossier)
    except (InfraError, ModelRefused, NoMoreCalls):
        raise
    # A critic is anybody's code: whatever it raises, its answer is missing.
    except (Exception, SystemExit) as error:
        return [_failed(critic, raised_at(error))]
    if not isinstance(answer, list | tuple):
        return [_failed(critic, f"it returned {type(answer).__name__} instead of a list of findings")]
    wrong = next((item for item in answer if not isinstance(item, Finding)), None)
    if wrong is not None:
        return [_failed(critic, f"its list holds {type(wrong).__name__}, which is no finding")]
    return [_marked(critic, finding) for finding in answer]


def _marked(critic: Critic, finding: Finding) -> Finding:
    """Critics neither confirm their own claims nor speak for the tester."""
    source = finding.source if finding.source.startswith("critic:") else f"critic:{critic.name}"
    return finding.model_copy(update={"source": source, "confirmed": None})


def _failed(critic: Critic, reason: str) -> Finding:
    return Finding(
        kind=FAILED,
        severity="blocker",
        where=f"critics.{critic.name}",
        message=f"The critic {critic.name} gave no answer: {reason}.",
        source=f"critic:{critic.name}",
        confirmed=True,
    )
