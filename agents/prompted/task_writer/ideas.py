"""Ideas for tasks: who wants what, and which rows are needed to make it concrete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....environments.errors import InputError
from ....environments.models import Actor, Task
from ....environments.package import Environment
from ....environments.verification import SqlProblem, StateReader
from ...llm import Chat
from ...llm.errors import Unusable
from ...llm.structured import structured
from ..clipping import clipped
from ..showing import policy_text, requirements_text, rows_text, tools_text, world_text
from .drafts import IdeaDraft, IdeasDraft
from .material import known_text, task_prompts

IDEAS_A_CALL = 10
_MOST_ROWS = 10
_MOST_ACTORS = 60
"""Rows of a table of people: an idea names the one who asks."""


async def ideas_for(
    chat: Chat, environment: Environment, count: int, *, seed: int, known: Sequence[Task]
) -> list[IdeaDraft]:
    """Up to `count` ideas that can be followed; fewer where some stay unusable after all repairs."""
    found: list[IdeaDraft] = []
    while len(found) < count:
        wanted = min(IDEAS_A_CALL, count - len(found))
        more = await _ask(chat, environment, wanted, seed=seed, known=known, found=found)
        found += more[:wanted]
        if len(more) < wanted:
            break
    return found


async def _ask(
    chat: Chat, environment: Environment, count: int, *, seed: int, known: Sequence[Task], found: Sequence[IdeaDraft]
) -> list[IdeaDraft]:
    titles = "\n".join(f"- {idea.title}: {idea.wants}" for idea in found)
    actors = {role.table: _MOST_ACTORS for role in environment.spec.roles.values()}
    prompt = task_prompts().render(
        "ideas",
        world=world_text(environment),
        policy=policy_text(environment),
        requirements=requirements_text(environment),
        tools=tools_text(environment),
        rows=rows_text(environment, most=_MOST_ROWS, more=actors),
        known="\n".join(text for text in (known_text(known), titles) if text),
        count=count,
    )
    usable: list[IdeaDraft] = []

    def check(draft: IdeasDraft) -> list[str]:
        problems = {number: list(idea_problems(environment, idea)) for number, idea in enumerate(draft.ideas)}
        usable[:] = [idea for number, idea in enumerate(draft.ideas) if not problems[number]]
        return [f"ideas.{number}: {problem}" for number, found in problems.items() for problem in found]

    try:
        await structured(chat, prompt, IdeasDraft, check=check, sample=str(seed))
    except Unusable:
        if not usable:
            raise
    return usable


def idea_problems(environment: Environment, idea: IdeaDraft) -> Iterator[str]:
    """Why an idea cannot be followed."""
    if idea.role not in environment.spec.roles:
        yield f"role: there is no role {idea.role!r}; roles: {', '.join(environment.spec.roles)}"
        return
    actor = Actor(roles=(idea.role,), id=idea.actor_id)
    try:
        environment.kit.check_actor(actor, None)
    except InputError as error:
        yield f"actor_id: {error}"
        return
    for name in idea.tools:
        plan = environment.plans.get(name)
        if plan is None or not plan.admits((idea.role,)):
            yield f"tools: {name!r} is {'no tool' if plan is None else f'not for the role {idea.role}'}"
    with StateReader(environment, environment.image, actor=actor) as reader:
        for number, query in enumerate(idea.queries):
            try:
                reader.query(query)
            except SqlProblem as problem:
                yield f"queries.{number}: {clipped(problem.message, 300)}"
