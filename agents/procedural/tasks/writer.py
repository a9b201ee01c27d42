"""The procedural task writer: plans drawn, compiled, tried out; verifiers written from the executed run."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ....environments.canonical import seed_from
from ....environments.gold import GoldRun
from ....environments.models import AuditReport, Task
from ....environments.package import Environment
from ....environments.verification import StateReader
from .anchors import Anchors
from .expressions import Expressions, said_values
from .offers import Offers, offers_of
from .planner import Planner
from .plans import plan_of
from .schemas import shapes, text_literals
from .verifiers import VerifierWriter
from .worlds import seed_image, seed_world

ATTEMPTS_PER_TASK = 12
"""Plans drawn for a wanted task before no more are drawn."""


class ProceduralTaskWriter:
    """Writes tasks for composed environments. Draws everything from the seed given."""

    async def propose(
        self, environment: Environment, count: int, *, seed: int, known: Sequence[Task] = ()
    ) -> list[Task]:
        """Up to `count` tasks unlike `known`. Raises InputError if the environment was not composed."""
        return propose(environment, offers_of(environment), count, seed=seed, known=known)

    async def write_verifier(self, environment: Environment, task: Task, run: GoldRun) -> Task:
        return write_verifier(environment, offers_of(environment), task, run)

    async def repair(self, environment: Environment, task: Task, report: AuditReport, *, seed: int) -> Task | None:
        return None


def propose(
    environment: Environment, offers: Offers, count: int, *, seed: int, known: Sequence[Task] = ()
) -> list[Task]:
    """Tasks of plans that work, each of another shape or about other rows than any known one."""
    rng = Random(seed_from("tasks", environment.hash, seed))
    planner = Planner(environment, offers, rng)
    plans = [plan for task in known if (plan := plan_of(task))]
    shapes_seen = {plan.shape for plan in plans}
    for plan in plans:
        planner.count(plan)
    tasks: list[Task] = []
    for _ in range(count * ATTEMPTS_PER_TASK):
        if len(tasks) == count:
            break
        plan = planner.draw()
        if plan is None or plan.shape in shapes_seen:
            continue
        trial = planner.trials.trial(plan)
        if trial is not None:
            shapes_seen.add(plan.shape)
            planner.count(plan)
            tasks.append(trial.task)
    return tasks


def write_verifier(environment: Environment, offers: Offers, task: Task, run: GoldRun) -> Task:
    """The task with a verifier that asks for exactly what gold's run changed."""
    tables = shapes(environment)
    world = seed_world(environment, task.actor, task.setup)
    plan = plan_of(task)
    said = said_values(value for part in (plan.parts if plan else ()) for value in part.choices.values())
    anchors = Anchors(world, tables, [*grounded_rows(environment, task), _actor_row(environment, task)])
    expressions = Expressions(tables, anchors, said, tool_texts(environment, run))
    nouns = {table: offers.noun(table) for table in tables}
    written = VerifierWriter(tables, anchors, expressions, nouns, task.verifier.free).write(run.changes.rows)
    verifier = task.verifier.model_copy(
        update={"bind": written.bind, "require": written.require, "allow": written.allow, "frozen": None}
    )
    return task.model_copy(update={"verifier": verifier})


def grounded_rows(environment: Environment, task: Task) -> list[tuple[str, Any]]:
    """The rows that the referring phrases of a task resolve to: all of a set, the first of an order."""
    found: list[tuple[str, Any]] = []
    with StateReader(environment, seed_image(environment, task.actor, task.setup), actor=task.actor) as reader:
        for one in task.grounding.values():
            if one.sql and one.table:
                rows = reader.query(one.sql)
                found += [(one.table, row[0]) for row in (rows[:1] if one.expect == "first" else rows)]
    return found


def tool_texts(environment: Environment, run: GoldRun) -> frozenset[str]:
    """Texts that the SQL of the called tools holds as constants."""
    called = {step.call for step in run.steps}
    texts = (text for name in sorted(called) for text in text_literals(environment.tools[name]))
    return frozenset(texts)


def _actor_row(environment: Environment, task: Task) -> tuple[str, Any]:
    return environment.spec.roles[task.actor.roles[0]].table, task.actor.id
