"""Scripts of calls: as a solver of a task, or played by the actors that they name in one world."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from envolve.agents.tester.stage import Outcome, Stage
from envolve.display import shortened
from envolve.environments.episode import Episode
from envolve.environments.errors import InputError
from envolve.environments.models import Actor
from envolve.environments.package import Environment
from envolve.eval.base import SolverProfile

from .user_files import read_text


class ScriptCall(NamedTuple):
    """A call of a script; `actor` absent: the task's."""

    call: str
    args: dict[str, Any]
    actor: Actor | None = None


class ScriptSolver:
    """Makes the calls it was given, in canonical form and order; then submits `done`, unless the script does."""

    def __init__(self, calls: Sequence[ScriptCall]) -> None:
        self._calls = calls

    @property
    def profile(self) -> SolverProfile:
        settings = {"calls": [{"call": call.call, "args": call.args} for call in self._calls]}
        return SolverProfile(name="script", kind="custom", settings=settings, deterministic=True)

    async def solve(self, episode: Episode) -> None:
        for call in self._calls:
            episode.call_canonical(call.call, **call.args)


def script_calls(script: str) -> tuple[ScriptCall, ...]:
    """From a JSON list of {"call": name, "args": {...}}, or a file that holds one; each may name its actor,
    {"roles": [...], "id": ...}. Errors: InputError."""
    text = script if script.lstrip().startswith("[") else read_text(Path(script))
    try:
        calls = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"--script is not JSON: {error}.", remedy=_EXAMPLE) from error
    if not isinstance(calls, list):
        raise InputError("--script is not a list of calls.", remedy=_EXAMPLE)
    return tuple(_script_call(number, call) for number, call in enumerate(calls, 1))


_EXAMPLE = 'Write [{"call": "list_orders", "args": {}}, {"call": "submit", "args": {"status": "done"}}].'
_ACTOR = (
    'An actor is {"roles": ["diner"], "id": 204}: roles of environment.yaml, and the key of a row that holds them.'
)


def _script_call(number: int, call: Any) -> ScriptCall:
    if not _is_call(call):
        raise InputError(f"--script, entry {number} is no call: {shortened(repr(call), 60)}.", remedy=_EXAMPLE)
    if "actor" not in call:
        return ScriptCall(call["call"], call.get("args", {}))
    try:
        return ScriptCall(call["call"], call.get("args", {}), Actor.model_validate(call["actor"]))
    except ValidationError as error:
        raise InputError(
            f"--script, entry {number} names no actor: {shortened(repr(call['actor']), 60)}.", remedy=_ACTOR
        ) from error


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("call"), str)
        and isinstance(call.get("args", {}), dict)
        and set(call) <= {"call", "args", "actor"}
    )


class Played(NamedTuple):
    """A call of a script as it went."""

    call: ScriptCall
    outcome: Outcome


def play(environment: Environment, task: str | None, calls: Sequence[ScriptCall]) -> Iterator[Played]:
    """Calls by the actors that they name, in one fresh world: a task's, or the seed's. No rollout: nobody solves,
    nothing is verified. Errors: InputError for an actor that cannot be."""
    found = environment.task(task)
    with Stage(environment, found) as stage:
        for number, call in enumerate(calls, 1):
            actor = call.actor or (found.actor if found is not None else None)
            if actor is None:
                raise InputError(f"--script, entry {number} names no actor, and there is no task.", remedy=_ACTOR)
            unknown = sorted(set(actor.roles) - set(environment.spec.roles))
            if unknown:
                listed = ", ".join(environment.spec.roles)
                raise InputError(f"There is no role {unknown[0]!r} here.", remedy=f"Roles: {listed}.")
            yield Played(call._replace(actor=actor), stage.call(call.call, call.args, actor))
