"""A language model that reviews an environment, one aspect a call; each claim brings a probe that the tester runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from ....environments.models import Finding
from ....environments.package import Environment
from ...base import Dossier
from ...llm import Chat
from ...llm.errors import Unusable
from ...llm.prompts import Prompt, PromptFolder
from ...llm.structured import structured
from ...tester.ordering import arranged
from .aspects import Aspect, aspects
from .drafts import ReviewDraft
from .material import material
from .probing import finding_of, probe_problems

MOST_CLAIMS: Final = 10
"""Of one aspect; the most severe are kept."""
_RANK: Final = {"blocker": 0, "major": 1, "minor": 2}


class PromptedCritic:
    """`Critic` by a model, with its name.

    A claim whose probe cannot be run goes back to the model once, and is then kept as a doubt. Fails closed: if one
    aspect gets no usable answer the review raises Unusable; errors of the provider pass.
    """

    def __init__(self, chat: Chat) -> None:
        self.name = chat.name
        self._chat = chat
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "critic")

    async def review(self, dossier: Dossier) -> list[Finding]:
        asked = (self._findings(dossier, aspect) for aspect in aspects() if _applies(aspect, dossier))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        failed = [answer for answer in answers if isinstance(answer, BaseException)]
        if failed:
            # The provider's first: then the review is done again, and says more than that it failed.
            raise min(failed, key=lambda error: isinstance(error, Unusable))
        return list(arranged(finding for answer in answers if isinstance(answer, list) for finding in answer))

    async def _findings(self, dossier: Dossier, aspect: Aspect) -> list[Finding]:
        check = _Once(dossier.environment)
        review = await structured(
            self._chat, self._prompt(dossier, aspect), ReviewDraft, check=check, sample=aspect.name
        )
        claims = sorted(review.claims, key=lambda claim: _RANK[claim.severity])[:MOST_CLAIMS]
        return [finding_of(dossier.environment, claim, critic=self.name, aspect=aspect.name) for claim in claims]

    def _prompt(self, dossier: Dossier, aspect: Aspect) -> Prompt:
        return self._prompts.render(
            "review",
            aspect=aspect,
            most=MOST_CLAIMS,
            material=material(dossier, aspect),
            defects=dossier.past_defects[:12],
        )


def _applies(aspect: Aspect, dossier: Dossier) -> bool:
    """Whether there is anything to look at: an environment is reviewed before it has tasks, too."""
    return "tasks" not in aspect.shows or bool(dossier.environment.tasks)


class _Once:
    """Problems of probes, told the first time only: a claim that nobody can prove is still worth a doubt."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._told = False

    def __call__(self, review: ReviewDraft) -> list[str]:
        if self._told:
            return []
        self._told = True
        return [
            f"claims[{index}].{problem}"
            for index, claim in enumerate(review.claims[:MOST_CLAIMS])
            for problem in probe_problems(self._environment, claim)
        ]
