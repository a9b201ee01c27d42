"""A run, from top to bottom: plan a round, work its items, commit them in order, plan again.

    plan ─► work (one branch an item) ─► commit ─► plan …
      └► end: target reached, nothing left, budget, time, or asked to stop

Planning reads only what is committed, so a run that was stopped or killed starts at `plan` and goes on: an open
round is worked again, and each of its items finds in staging what it had already paid for.
"""

from __future__ import annotations

import asyncio
import contextvars
import sqlite3
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict

from langgraph.errors import GraphDrained
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from sqlalchemy.exc import SQLAlchemyError

from ..agents.llm.errors import ModelRefused, ModelUnavailable, NoMoreCalls
from ..environments.errors import ServiceError
from ..memory.records import PlannedItem
from ..memory.store import RunStore
from ..memory.store.errors import service_error
from .commits import Committer, Outcome
from .config import RunConfig
from .executors import WorkerDied
from .item_work import ItemWorker
from .items import Item
from .limits import Limits
from .planning import Operators, plan_round
from .round_memory import RoundMemory
from .view import Standing


class RunState(TypedDict, total=False):
    """`items` are the keys of the round's open items; `ending` is set when the run is to end."""

    round: int
    items: list[str]
    item: str
    ending: str


class Moment(NamedTuple):
    """What an observer is told: the round, its items, how many are worked, which are being worked on."""

    round: int
    items: int
    worked: int
    current: tuple[str, ...]
    stopping: bool = False
    """Asked to stop: what runs is finished, nothing more is begun."""


Observer = Callable[[Moment], None]


class Pipeline:
    """The evolution graph of one run. Use once: `await Pipeline(…).run()` returns why it ended."""

    def __init__(
        self,
        config: RunConfig,
        store: RunStore,
        *,
        worker: ItemWorker,
        committer: Committer,
        memory: RoundMemory,
        limits: Limits,
        operators: Operators,
        profile: str,
        observe: Observer,
    ) -> None:
        self._config = config
        self._store = store
        self._worker = worker
        self._committer = committer
        self._memory = memory
        self._limits = limits
        self._operators = operators
        self._standing = Standing(store, config, profile)
        self._observe = observe
        self._outcomes = dict[str, tuple[Outcome, float]]()
        self._current = dict[str, None]()
        self._open = 0
        self._refused: ServiceError | None = None

    async def run(self) -> str:
        """Errors: ServiceError where the machine or a model's provider refuses; whatever an item raises that is nobody's
        fault but ours."""
        graph = StateGraph(RunState)
        graph.add_node("plan", self.plan)
        graph.add_node("work", self.work)
        graph.add_node("commit", self.commit)
        graph.add_edge(START, "plan")
        graph.add_conditional_edges("plan", self._fan_out, ["work", "commit", END])
        graph.add_edge("work", "commit")
        graph.add_conditional_edges("commit", _go_on, ["plan", END])
        rounds_allowed = 3 * self._config.max_rounds + 10
        settings: Any = {"recursion_limit": rounds_allowed, "max_concurrency": 4 * self._config.jobs}
        final = await graph.compile().ainvoke({}, settings)
        if self._refused is not None:
            raise self._refused
        return str(final.get("ending", ""))

    async def plan(self, state: RunState) -> RunState:
        """The open round, or a new one planned from what is committed."""
        last = self._store.work.last_round()
        if last is not None and last.status == "running":
            self._memory.begin(last.number)
            return self._opened(last.number)
        finished = last.number if last else 0
        if ending := self._limits.reached(finished):
            return {"ending": ending}
        number = finished + 1
        self._memory.begin(number)
        plan = plan_round(self._config, self._standing.after(finished), number, self._operators)
        if not plan.items:
            return {"ending": plan.reason}
        items = [self._informed(item) for item in plan.items]
        planned = [PlannedItem(key=item.key, kind=item.kind, inputs=_inputs(item)) for item in items]
        self._store.work.plan_round(number, {"items": [item.key for item in plan.items]}, planned)
        return self._opened(number)

    async def work(self, state: RunState) -> RunState:
        """One item, in a context of its own: its graph has its own thread and checkpoints."""
        key = state["item"]
        if self._limits.reached(0):
            return {}
        item = Item.model_validate(self._stored(key).inputs)
        self._current[key] = None
        self._tell(state["round"])
        started = time.perf_counter()
        try:
            task = asyncio.get_running_loop().create_task(self._worker.work(item), context=contextvars.Context())
            self._outcomes[key] = (await task, time.perf_counter() - started)
        except GraphDrained:
            pass
        except NoMoreCalls as reached:
            self._limits.stop(reached.message)
        except (ModelUnavailable, ModelRefused) as refused:
            # What other items have in flight is paid for: they drain, then the run ends with this.
            self._refused = self._refused or refused
            self._limits.stop("a model does not answer")
        except Exception as error:
            if isinstance(error, sqlite3.Error):
                raise service_error(error, "checkpoints.db") or error from error
            if _ends_the_run(error):
                raise
            failed = f"{type(error).__name__}: {error}".splitlines()[0][:500]
            self._outcomes[key] = (Outcome(failed=failed), time.perf_counter() - started)
        finally:
            self._current.pop(key, None)
        self._tell(state["round"])
        return {}

    async def commit(self, state: RunState) -> RunState:
        """What was worked, in the order of work keys; a round that was cut short stays open."""
        number = state["round"]
        for key in sorted(state["items"]):
            if key not in self._outcomes:
                return {"ending": self._limits.reached(0) or "interrupted"}
            outcome, seconds = self._outcomes.pop(key)
            item = Item.model_validate(self._stored(key).inputs)
            self._committer.commit(item, outcome, seconds=seconds)
            await self._worker.forget(item)
        self._store.work.finish_round(number)
        self._worker.drop_candidates()
        self._tell(number)
        return {}

    def _informed(self, item: Item) -> Item:
        if item.scenario is None:
            return item
        return item.model_copy(update={"defects": self._memory.past_defects(item.scenario)})

    def _opened(self, number: int) -> RunState:
        keys = [item.key for item in self._store.work.items(number, status="pending")]
        self._open = len(keys)
        return {"round": number, "items": keys}

    def _fan_out(self, state: RunState) -> Any:
        if state.get("ending"):
            return END
        if not state["items"]:
            return "commit"
        return [Send("work", {"item": key, "round": state["round"]}) for key in state["items"]]

    def _stored(self, key: str) -> Any:
        item = self._store.work.item(key)
        if item is None:
            raise KeyError(key)
        return item

    def _tell(self, number: int) -> None:
        self._observe(
            Moment(number, self._open, len(self._outcomes), tuple(self._current), bool(self._limits.reached(0)))
        )


def _ends_the_run(error: Exception) -> bool:
    """The machine's refusals end a run (disk full, store locked); what is wrong with one item only sets it aside."""
    if isinstance(error, WorkerDied):
        return False
    return isinstance(error, ServiceError | OSError | SQLAlchemyError)


def _go_on(state: RunState) -> str:
    return END if state.get("ending") else "plan"


def _inputs(item: Item) -> dict[str, Any]:
    return item.model_dump(mode="json", exclude_none=True)
