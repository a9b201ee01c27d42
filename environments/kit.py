"""Everything worlds of one environment share: the built seed state, checked tools, and images of task setups."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from .actors import Actors
from .building import Built, add_rows, build_world
from .canonical import sha256
from .connections import connected
from .functions import CodeMaker, add_functions
from .guard import world_guard
from .models import Actor, EnvironmentSpec, Surface, Task, ToolsFile
from .numbering import numbered_tables
from .planning import Context, plan_tool
from .plans import Change, Plan
from .resolution import ResolvedTool, resolve_all
from .spec_checks import check_clock, spec_problems
from .statements import StatementChecker

if TYPE_CHECKING:
    from .surface import Look

_KEPT_IMAGES = 64
_KEPT_NAMES = 4096


@dataclass(frozen=True)
class Parts:
    """Canonical hashes of an environment's content, by part."""

    spec: str
    schema: str
    seed: str
    tools: str


class Kit:
    """Built once for an environment, and shared by the copies of it that hold other tasks. Thread-safe."""

    def __init__(self, spec: EnvironmentSpec, schema_sql: str, seed_sql: str, tools_file: ToolsFile) -> None:
        self.spec = spec
        check_clock(spec)
        self.built: Built = build_world(schema_sql, seed_sql, spec.clock)
        self.tools: Mapping[str, ResolvedTool] = MappingProxyType(resolve_all(tools_file))
        self.plans: Mapping[str, Plan] = MappingProxyType(self._plan())
        self.guard = world_guard(self.built.tables)
        self.numbered = numbered_tables(self.built.tables) if self._deletes() else frozenset()
        """The tables in which a number may be given again."""
        self.parts = self._hash(tools_file)
        self.hash = sha256([self.parts.spec, self.parts.schema, self.parts.seed, self.parts.tools])
        self._images: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self.actors = Actors(spec, self.built.tables)
        self._names: dict[tuple[tuple[str, ...], Actor], str | None] = {}
        self._lock = threading.Lock()

    @cached_property
    def look(self) -> Look | None:
        """How players see the tools; None if they see the canonical form."""
        if self.spec.surface == Surface():
            return None
        from .surface import Look

        actors = frozenset(role.table for role in self.spec.roles.values())
        return Look(self.spec.surface, self.plans, self.built.tables, actors, self.hash)

    def _deletes(self) -> bool:
        """Whether any tool deletes rows; what a reference then deletes with them shows in no statement."""
        steps = (step for plan in self.plans.values() for step in plan.steps if isinstance(step, Change))
        return any(write.op == "delete" for step in steps for write in step.statement.writes)

    def _plan(self) -> dict[str, Plan]:
        with connected(self.built.image) as connection:
            add_functions(connection, CodeMaker(0))
            checker = StatementChecker(connection, self.built.tables)
            problems = list(spec_problems(self.spec, self.built.tables, checker))
            context = Context(checker, self.built.tables, frozenset(self.spec.roles))
            plans = {}
            for name, tool in self.tools.items():
                plan, found = plan_tool(tool, context)
                problems += found
                if plan:
                    plans[name] = plan
        if problems:
            problems[0].problems = tuple(problems)
            raise problems[0]
        return plans

    def _hash(self, tools_file: ToolsFile) -> Parts:
        left_out = {"id", "lineage", "provenance"}
        return Parts(
            spec=sha256(self.spec.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=left_out)),
            schema=sha256([list(item) for item in self.built.objects]),
            seed=self.built.seed,
            tools=sha256(tools_file.model_dump(mode="json", by_alias=True, exclude_defaults=True)),
        )

    def image_for(self, task: Task | None) -> bytes:
        """The image that an episode of `task` starts from. Raises PackageError for setup that fails."""
        if task is None or not task.setup:
            return self.built.image
        with self._lock:
            if task.setup in self._images:
                self._images.move_to_end(task.setup)
                return self._images[task.setup]
        image = add_rows(self.built.image, task.setup, self.spec.clock, self.built.tables, f"tasks/{task.id}.yaml")
        with self._lock:
            self._images[task.setup] = image
            while len(self._images) > _KEPT_IMAGES:
                self._images.popitem(last=False)
        return image

    def check_actor(self, actor: Actor, task: Task | None) -> None:
        """Raise InputError unless the actor's row is in the task's seed state and holds the actor's roles."""
        self.actor_name(actor, task)

    def actor_name(self, actor: Actor, task: Task | None) -> str | None:
        """What the task's seed state calls the actor; None if its table has no column for names. Raises InputError
        as `check_actor` does."""
        key = (task.setup if task else (), actor)
        if key not in self._names:
            name = self.actors.check(actor, self.image_for(task))
            with self._lock:
                if len(self._names) >= _KEPT_NAMES:
                    self._names.clear()
                self._names[key] = name
                return name
        return self._names[key]

    def first_actor(self) -> Actor:
        """The first row that can hold the first role. Raises InputError if there is none."""
        return self.actors.first(self.built.image)
