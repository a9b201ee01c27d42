"""A world that several actors use in turn, as probes and fuzzing need it. Episodes have one actor each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple

import apsw

from ...environments.changes import ChangeSet
from ...environments.clock import WorldClock
from ...environments.failures import CallFailed
from ...environments.functions import CodeMaker
from ...environments.limits import Limits
from ...environments.models import Actor, CallResult, RowChange, Task, ToolFailure
from ...environments.package import Environment
from ...environments.plans import Change, LookUp, Plan, applies
from ...environments.values import SQLiteValue
from ...environments.world import World
from .branches import Branches

_NO_TOOL = CallResult(ok=False, error=ToolFailure(code="not_found", message="There is no such tool."))
_NOT_OFFERED = CallResult(ok=False, error=ToolFailure(code="forbidden", message="This tool is not yours to call."))


class Outcome(NamedTuple):
    """What a call answered, and the rows it changed."""

    result: CallResult
    changes: tuple[RowChange, ...]


class _SharedWorld(World):
    """A world whose actor changes from call to call."""

    __slots__ = ()

    def watch(self, branches: Branches) -> None:
        branches.watch(self._connection)

    def act_as(self, actor: Actor) -> None:
        self.actor_id, self.roles = actor.id, actor.roles
        self._roles_json = json.dumps(actor.roles)

    def refusing(self, plan: Plan, args: Mapping[str, Any]) -> int | None:
        bound = plan.arguments.bind(args)
        bound |= {"actor_id": self.actor_id, "actor_roles": self._roles_json}
        bound |= {"now": self.clock.now, "today": self.clock.today}
        self.clock.enter()
        self._budget.start()
        made = self._codes.made
        try:
            self._check_references(plan, bound)
            return self._first_refusing(plan, bound)
        except (CallFailed, apsw.Error):
            return None
        finally:
            self._codes.made = made

    def _first_refusing(self, plan: Plan, bound: dict[str, SQLiteValue]) -> int | None:
        guards = 0
        for step in plan.steps:
            if isinstance(step, Change):
                return None
            if isinstance(step, LookUp):
                self._look_up(step, bound)
                continue
            try:
                if applies(self.roles, plan.tool.roles, step.roles):
                    self._require(step, bound)
            except CallFailed:
                return guards
            guards += 1
        return None


class Stage:
    """One world of an environment (with a task's setup, if one is given). Close it, or use it as a context."""

    def __init__(
        self,
        environment: Environment,
        task: Task | str | None = None,
        *,
        seed: int = 0,
        branches: Branches | None = None,
    ) -> None:
        """`branches`: note which of them calls take."""
        kit = environment.kit
        self._plans = branches.plans if branches is not None else environment.plans
        self._unwatched = environment.plans
        self._world = _SharedWorld(
            environment.image_for(task),
            tables=kit.built.tables,
            guard=branches.guard if branches is not None else kit.guard,
            clock=WorldClock(environment.spec.clock),
            codes=CodeMaker(seed),
            actor_id=0,
            roles=(),
            limits=Limits(),
        )
        if branches is not None:
            self._world.watch(branches)

    def call(self, tool: str, args: Mapping[str, Any], actor: Actor) -> Outcome:
        """One call by `actor`, as an episode would answer it."""
        plan = self._plans.get(tool)
        if plan is None:
            return Outcome(_NO_TOOL, ())
        if not plan.admits(actor.roles):
            return Outcome(_NOT_OFFERED, ())
        self._world.act_as(actor)
        result, changeset = self._world.call(plan, args)
        return Outcome(result, self._world.rows(changeset))

    def refusing(self, tool: str, args: Mapping[str, Any], actor: Actor) -> int | None:
        """The number of the guard (counted from 0) at which a call would end before it writes anything; None if it
        would not, or for another reason. Nothing is called, and no branch counts as taken."""
        plan = self._unwatched[tool]
        if not plan.admits(actor.roles):
            return None
        self._world.act_as(actor)
        number = self._world.refusing(plan, args)
        return number if number is not None and plan.arguments.problem(args) is None else None

    def query(self, sql: str, **bound: Any) -> list[tuple[apsw.SQLiteValue, ...]]:
        """Rows of a read-only query over the state as it is now; `:now` and `:today` are bound. Raises apsw.Error."""
        clock = self._world.clock
        return self._world.query(sql, {"now": clock.now, "today": clock.today, **bound})

    @property
    def now(self) -> str:
        return self._world.clock.now

    def changes(self) -> ChangeSet:
        """What changed since the seed state, net."""
        return self._world.changes()

    def image(self) -> bytes:
        return self._world.image()

    def close(self) -> None:
        self._world.close()

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
