"""Runs a step once: what an unfinished item has already paid for is found again in staging.

Every reply is staged under (work key, step, hash of the request), so a graph's state needs to hold nothing
but small facts: a node that is repeated after a kill asks again and gets the staged reply.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..agents.llm.errors import Unusable
from ..agents.llm.names import is_model_name
from ..agents.llm.scope import Budget, Scope, within
from ..agents.team import PROCEDURAL, TeamSpec
from ..environments.canonical import canonical_json, sha256
from ..environments.models import Frozen
from ..memory.records import AgentStep, ModelCall
from ..memory.store import RunStore
from .executors import Executor
from .locating import located, within_run
from .model_replies import AGENTS_CALL, SOLVERS_CALL, StagedReplies, model_calls
from .steps import Step, perform

Request = TypeVar("Request", bound=Frozen)
Reply = TypeVar("Reply", bound=Frozen)

AGENTS, OTHERS = "agent", "step"
"""Kinds of staged replies: of agents, and of gates and solvers."""
VALUE = "value"


class Unstaged(KeyError):
    """A checkpoint speaks of something that staging does not hold: a power cut may lose the later of the two."""


class StepRunner:
    """Asks the executor (procedural roles, gates, simulated solvers) or this process (models).

    `root` is the run's folder; `budget` limits what models may cost, and once `stopping` is true none is asked any more.
    """

    def __init__(
        self,
        store: RunStore,
        executor: Executor,
        team: TeamSpec,
        *,
        root: Path,
        budget: Budget | None = None,
        stopping: Callable[[], bool] = bool,
    ) -> None:
        self._store = store
        self._executor = executor
        self._team = team
        self._root = root.absolute()
        self._budget = budget
        self._stopping = stopping

    async def run(
        self, key: str, step: Step[Request, Reply], request: Request, *, branch: int | None = None
    ) -> Reply:
        """The step's reply, from staging if it was paid for already. `branch` numbers what is worked side by side
        within the item.

        Errors: Unusable, also from staging; what the executor or a model's provider raises.
        """
        place = place_of(step, request)
        staged = self._store.staging.get(key, _kind(step), place)
        if staged is None:
            staged = await self._worked(key, step, request, branch)
            self._store.staging.put(key, _kind(step), place, staged)
        return _reply_of(staged, step)

    async def _worked(
        self, key: str, step: Step[Request, Reply], request: Request, branch: int | None
    ) -> dict[str, Any]:
        """What is staged of the step. `unusable` tells why models did not bring about a reply; then `reply` is what the
        step falls back on, or None."""
        started = time.perf_counter()
        replies = StagedReplies(self._store.staging, key, AGENTS_CALL if step.role else SOLVERS_CALL)
        reply: Reply | None
        unusable: tuple[str, list[str]] | None = None
        try:
            with within(Scope(replies, self._budget, self._stopping)):
                reply = await self._perform(step, request)
        except Unusable as error:
            reply = step.otherwise(request, error) if step.otherwise else None
            unusable = error.what, list(error.problems)
        return {
            "step": step.name,
            "role": step.role,
            "implementation": self._implementation(step.role),
            "inputs_hash": sha256(request),
            "inputs": request.model_dump(mode="json", by_alias=True, exclude_none=True) if step.role else {},
            "seconds": time.perf_counter() - started,
            "branch": branch,
            "calls": list(replies.places) if step.role else [],
            "reply": reply.model_dump(mode="json", by_alias=True, exclude_none=True) if reply else None,
            "unusable": unusable,
        }

    def reply(self, key: str, step: Step[Request, Reply], place: str) -> Reply:
        """A staged reply by its place. Errors: Unstaged if there is none."""
        staged = self._store.staging.get(key, _kind(step), place)
        if staged is None:
            raise Unstaged(f"{key}: nothing is staged at {place}")
        return _reply_of(staged, step)

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
        here = located(request, self._root)
        if self._asks_models(step, request):
            reply = await perform(step, here, self._team)
        else:
            reply = step.reply.model_validate_json(await self._executor.run(step.name, canonical_json(here)))
        return within_run(reply, self._root)

    def _asks_models(self, step: Step[Request, Reply], request: Request) -> bool:
        """Whether a step waits for models: that is done here, where replies are kept and budgets are known."""
        named = (*self._names(step.role), str(getattr(request, "solver", "")))
        return any(is_model_name(name) for name in named)

    def _implementation(self, role: str) -> str:
        """The role's implementation; gates and solvers belong to no role."""
        return ", ".join(self._names(role))

    def _names(self, role: str) -> tuple[str, ...]:
        if not role:
            return ()
        value = getattr(self._team, role, PROCEDURAL)
        return (value,) if isinstance(value, str) else tuple(value)


def _reply_of(staged: dict[str, Any], step: Step[Any, Reply]) -> Reply:
    if staged["reply"] is None:
        what, problems = staged["unusable"]
        raise Unusable(what, tuple(problems))
    return step.reply.model_validate(staged["reply"])


def _kind(step: Step[Any, Any]) -> str:
    return AGENTS if step.role else OTHERS


def place_of(step: Step[Request, Reply], request: Request) -> str:
    """Where the reply to a request is staged."""
    return f"{step.name}:{sha256(request)[:24]}"


class AgentsWork(NamedTuple):
    """The agents' work of an item, as the store keeps it."""

    steps: list[AgentStep]
    calls: list[ModelCall]


def agents_work(store: RunStore, key: str) -> AgentsWork:
    """All that agents did for an item, in the order of a run that does one thing at a time."""
    staged = store.staging.all(key, AGENTS_CALL)
    payloads = _serial([row.payload for row in store.staging.all(key, AGENTS)])
    asked = [model_calls(index, payload.get("calls", ()), staged) for index, payload in enumerate(payloads)]
    steps = [_step(index, payload, calls) for index, (payload, calls) in enumerate(zip(payloads, asked, strict=True))]
    return AgentsWork(steps, [call for calls in asked for call in calls])


def _step(index: int, payload: dict[str, Any], calls: Sequence[ModelCall]) -> AgentStep:
    reply, unusable = payload["reply"] or {}, payload["unusable"]
    return AgentStep(
        index=index,
        role=payload["role"],
        implementation=payload["implementation"],
        subject=_subject(payload),
        inputs_hash=payload["inputs_hash"],
        inputs=payload["inputs"],
        outputs={**reply, "unusable": unusable} if unusable else reply,
        findings=tuple(finding["kind"] for finding in reply.get("findings", ())),
        seconds=payload["seconds"],
        tokens=sum(call.tokens for call in calls),
        cost_usd=sum(call.cost_usd for call in calls),
    )


def _serial(payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Branches one after the other. Each is in order within itself, and whatever belongs to none comes before or after
    all of those beside it."""
    ordered = list[dict[str, Any]]()
    for parted, group in groupby(payloads, key=lambda payload: payload.get("branch") is not None):
        found = list(group)
        ordered += sorted(found, key=itemgetter("branch")) if parted else found
    return ordered


def _subject(payload: dict[str, Any]) -> str:
    reply = payload["reply"] or {}
    return str(reply.get("version") or reply.get("id") or (reply.get("package") or {}).get("id") or "")
