"""A language model that attacks a verifier: it sees task, tools and verifier, and writes scripts that are meant to pass
without doing what was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ....environments.gold import run_gold
from ....environments.models import Task
from ....environments.package import Environment
from ....environments.writing import model_yaml
from ....eval.audit.attacks import Attempt
from ....eval.audit.base import AuditContext
from ...llm import Chat
from ...llm.prompts import Prompt, PromptFolder
from ...llm.structured import structured
from ..clipping import clipped
from ..leniency import Leniently
from ..showing import policy_text, rows_text, schema_text, tools_text, transcript_text, world_text
from .drafts import MOST_CALLS, MOST_SCRIPTS, AttackDraft
from .trying import Trials, attempts_of

_MOST_VERIFIER = 20_000
_MOST_SOLUTION = 20_000
_ROWS = 12


class PromptedAttacker:
    """`Attacker` by a model, with its name.

    Scripts that come to nothing go back to the model with where they ended, at most twice; half of the budget may go
    into trying. Raises Unusable where no reply can be used (an attack that was not made is not one that failed), and
    the errors of the provider.
    """

    def __init__(self, chat: Chat) -> None:
        self.name: Final = chat.name
        self._chat = chat
        self._prompts = PromptFolder(Path(__file__).parent / "prompts", "attacker")

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        """For callers without an event loop; others await `scripts`."""
        return iter(asyncio.run(self.scripts(environment, task, budget=budget, seed=seed)))

    async def scripts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> list[Attempt]:
        with AuditContext(environment, task, seed=seed) as context:
            trials = Trials(context, calls=budget // 2)
            check = Leniently[AttackDraft](trials.problems)
            asked = structured(
                self._chat, self._prompt(environment, task), AttackDraft, check=check, sample=str(seed)
            )
            return list(attempts_of(await check.settled(asked), trials, budget))

    def _prompt(self, environment: Environment, task: Task) -> Prompt:
        with environment.open(task.model_copy(update={"faults": ()})) as episode:
            run_gold(environment, task, episode=episode)
            solution, shown = transcript_text(episode.trace, _MOST_SOLUTION), episode.prompt()
        return self._prompts.render(
            "attack",
            world=world_text(environment),
            policy=policy_text(environment),
            schema=schema_text(environment),
            tools=tools_text(environment, task.actor.roles, inside=True),
            rows=rows_text(environment, most=_ROWS, task=task),
            shown=shown.strip(),
            goal=task.goal.text,
            verifier=clipped(model_yaml(task.verifier).strip(), _MOST_VERIFIER),
            solution=solution or "(there is none yet)",
            most_scripts=MOST_SCRIPTS,
            most_calls=MOST_CALLS,
        )
