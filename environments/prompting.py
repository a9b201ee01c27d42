"""The prompt of an episode: the same bytes for every solver and export."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from .models import Actor, EnvironmentSpec, Task

if TYPE_CHECKING:
    import jinja2


def episode_prompt(
    spec: EnvironmentSpec,
    task: Task | None,
    actor: Actor,
    name: str | None,
    *,
    policy: str | None = None,
    called: str | None = None,
) -> str:
    """Policy, who the actor is (`name`: as the seed state calls it), the world's time, the instruction.

    `policy` takes the place of the spec's and `called` of the actor's number, where players have them otherwise.
    """
    roles, number = ", ".join(actor.roles), called or str(actor.id)
    return _template().render(
        summary=spec.summary or spec.scenario,
        policy=(spec.policy if policy is None else policy).strip(),
        actor=f"{name} ({roles}, id {number})" if name else f"{roles} {number}",
        now=spec.clock,
        weekday=f"{datetime.fromisoformat(spec.clock):%A}",
        instruction=task.instruction.strip() if task else "",
        reasons=bool(task and task.verifier.submit.options),
    )


@cache
def _template() -> jinja2.Template:
    from jinja2 import Environment, StrictUndefined

    text = resources.files(__package__).joinpath("prompts", "episode.txt.j2").read_text(encoding="utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False
    )
    return environment.from_string(text)
