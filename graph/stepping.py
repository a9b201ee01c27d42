"""Runs a step once: what an unfinished item has already paid for is found again in staging.

Every reply is staged under (work key, step, hash of the request), so a graph's state needs to hold nothing
but small facts: a node that is repeated after a kill asks again and gets the staged reply.
"""

from __future__ import annotations

import time
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from ..agents.team import TeamSpec
from ..environments.canonical import canonical_json, sha256
from ..environments.models import Frozen
from ..memory.records import AgentStep
from ..memory.store import RunStore
from .executors import Executor
from .steps import Step, perform

Request = TypeVar("Request", bound=Frozen)
Reply = TypeVar("Reply", bound=Frozen)

AGENTS, OTHERS = "agent", "step"
"""Kinds of staged replies: of agents, and of gates and solvers."""
VALUE = "value"
IN_WORKERS = "procedural"


class Unstaged(KeyError):
    """A checkpoint speaks of something that staging does not hold: a power cut may lose the later of the two."""


class StepRunner:
    """Asks the executor (procedural roles, gates, simulated solvers) or this process (models)."""

    def __init__(self, store: RunStore, executor: Executor, team: TeamSpec) -> None:
        self._store = store
        self._executor = executor
        self._team = team

    async def run(
        self, key: str, step: Step[Request, Reply], request: Request, *, branch: int | None = None
    ) -> Reply:
        """The step's reply, from staging if it was paid for already. `branch` numbers what is worked side by side
        within the item."""
        place = place_of(step, request)
        staged = self._store.staging.get(key, _kind(step), place)
        if staged is not None:
            return step.reply.model_validate(staged["reply"])
        started = time.perf_counter()
        reply = await self._perform(step, request)
        payload = {
            "step": step.name,
            "role": step.role,
            "implementation": self._implementation(step.role),
            "inputs_hash": sha256(request),
            "inputs": request.model_dump(mode="json", by_alias=True, exclude_none=True) if step.role else {},
            "reply": reply.model_dump(mode="json", by_alias=True, exclude_none=True),
            "seconds": time.perf_counter() - started,
            "branch": branch,
        }
        self._store.staging.put(key, _kind(step), place, payload)
        return reply

    def reply(self, key: str, step: Step[Request, Reply], place: str) -> Reply:
        """A staged reply by its place. Errors: Unstaged if there is none."""
        staged = self._store.staging.get(key, _kind(step), place)
        if staged is None:
            raise Unstaged(f"{key}: nothing is staged at {place}")
        return step.reply.model_validate(staged["reply"])

    def keep(self, key: str, value: Frozen) -> str:
        """Stage a value that nodes hand on; its name."""
        name = sha256(value)[:24]
        self._store.staging.put(key, VALUE, name, value.model_dump(mode="json", by_alias=True, exclude_none=True))
        return name

    def kept(self, key: str, name: str, kind: type[Reply]) -> Reply:
        """A value that was kept. Errors: Unstaged if it was not."""
        staged = self._store.staging.get(key, VALUE, name)
        if staged is None:
            raise Unstaged(f"{key}: no value {name}")
        return kind.model_validate(staged)

    async def _perform(self, step: Step[Request, Reply], request: Request) -> Reply:
        if self._implementation(step.role) not in {IN_WORKERS, ""}:
            return await perform(step, request, self._team)
        text = await self._executor.run(step.name, canonical_json(request))
        return step.reply.model_validate_json(text)

    def _implementation(self, role: str) -> str:
        """The role's implementation; gates and solvers belong to no role."""
        value = getattr(self._team, role, "") if role else ""
        return value if isinstance(value, str) else IN_WORKERS


def _kind(step: Step[Any, Any]) -> str:
    return AGENTS if step.role else OTHERS


def place_of(step: Step[Request, Reply], request: Request) -> str:
    """Where the reply to a request is staged."""
    return f"{step.name}:{sha256(request)[:24]}"


def agent_steps(store: RunStore, key: str) -> list[AgentStep]:
    """The agents' work of an item, as the store keeps it: in the order of a run that does one thing at a time."""
    staged = _serial([row.payload for row in store.staging.all(key, AGENTS)])
    return [
        AgentStep(
            index=index,
            role=payload["role"],
            implementation=payload["implementation"],
            subject=_subject(payload),
            inputs_hash=payload["inputs_hash"],
            inputs=payload["inputs"],
            outputs=payload["reply"],
            findings=tuple(finding["kind"] for finding in payload["reply"].get("findings", ())),
            seconds=payload["seconds"],
        )
        for index, payload in enumerate(staged)
    ]


def _serial(payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Branches one after the other. Each is in order within itself, and whatever belongs to none comes before or after
    all of those beside it."""
    ordered = list[dict[str, Any]]()
    for parted, group in groupby(payloads, key=lambda payload: payload.get("branch") is not None):
        found = list(group)
        ordered += sorted(found, key=itemgetter("branch")) if parted else found
    return ordered


def _subject(payload: dict[str, Any]) -> str:
    reply = payload["reply"]
    return str(reply.get("version") or reply.get("id") or (reply.get("package") or {}).get("id") or "")
