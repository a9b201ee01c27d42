"""Asking a critic about a copy where nothing but the copy is to be found.

A critic of somebody's own works in a process of its own, made for this one question: it gets a package that is loaded
anew there, so that neither the original nor what was planted can be reached through the caller's frames or the heap, and
nothing that it changes or remembers is seen by those asked after it. Its answer comes back as JSON. Critics that come
with Envolve, and models, are asked in this process.

It is no sandbox: a critic that reads this process's memory or files, or that builds the bench's worlds again from its
seed, is not kept from it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from envolve.agents.base import Dossier
from envolve.agents.critics import panel_of
from envolve.agents.llm.names import is_model_name
from envolve.environments.models import Finding
from envolve.environments.package import Environment
from envolve.eval.errors import ForeignError
from envolve.eval.foreign import foreign
from envolve.eval.usage import Usage, add_usage, metered
from envolve.graph.executors import WorkerDied

from ..side_by_side import side_by_side

RULES = "rules"
T = TypeVar("T")


class Answer(NamedTuple):
    """What a critic said, in `seconds` of its own."""

    claims: list[Finding]
    seconds: float


class _Sent(NamedTuple):
    """An answer as it crosses from the critic's process, with what it used: `claims` as JSON."""

    claims: list[str]
    seconds: float
    usage: Usage


async def answer_of(name: str, environment: Environment, evidence: dict[str, Any]) -> Answer:
    """What the critic called `name` says of a package; what it used is added to what is metered.

    Errors: ForeignError where its process dies or its answer is no JSON; those of models.
    """
    if name == RULES or is_model_name(name):
        return await _answer(name, environment, evidence)
    sent = _in_a_process(f"The critic {name!r}", partial(_send, name, environment, evidence))
    add_usage(tokens=sent.usage.tokens, cost_usd=sent.usage.cost_usd)
    return Answer([Finding.model_validate_json(claim) for claim in sent.claims], sent.seconds)


def check_critics(names: tuple[str, ...]) -> None:
    """Raises InputError for a name that leads to no critic, ForeignError if loading it ends the process. Their modules
    are not loaded into this one."""
    if names:
        _in_a_process(f"The critic {' or '.join(map(repr, names))}", partial(_check, names))


def _check(names: tuple[str, ...]) -> None:
    panel_of(names)


def _in_a_process(who: str, job: Callable[[], T]) -> T:
    try:
        ((_, given),) = side_by_side([job], 1)
    except WorkerDied as error:
        raise ForeignError(f"{who} ended its process.", remedy="This is an error in the critic.") from error
    return given


def _send(name: str, environment: Environment, evidence: dict[str, Any]) -> _Sent:
    """Runs in the critic's process. What it prints goes to standard error: standard output is the bench's."""
    os.dup2(2, 1)
    with metered() as usage:
        answer = asyncio.run(_answer(name, environment, evidence))
    with foreign("critic", name):
        claims = [claim.model_dump_json(by_alias=True) for claim in answer.claims]
    return _Sent(claims, answer.seconds, usage)


async def _answer(name: str, environment: Environment, evidence: dict[str, Any]) -> Answer:
    started = time.perf_counter()
    claims = await panel_of([name]).review(Dossier(environment, evidence))
    return Answer(claims, time.perf_counter() - started)
