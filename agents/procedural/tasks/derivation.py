"""From a task and gold's executed run to the task with its verifier."""

from __future__ import annotations

from typing import Any

from ....environments.gold import GoldRun
from ....environments.models import Grounding, Task
from ....environments.package import Environment
from ....environments.verification import StateReader
from .anchors import Anchors
from .expressions import Expressions, said_values
from .offers import Offers
from .plans import plan_of
from .schemas import shapes, text_literals
from .verifiers import VerifierWriter
from .worlds import seed_image, seed_world


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
            found += _resolved(one, reader)
    return found


def _resolved(one: Grounding, reader: StateReader) -> list[tuple[str, Any]]:
    if not one.sql or not one.table:
        return []
    rows = reader.query(one.sql)
    return [(one.table, row[0]) for row in (rows[:1] if one.expect == "first" else rows)]


def tool_texts(environment: Environment, run: GoldRun) -> frozenset[str]:
    """Texts that the SQL of the called tools holds as constants."""
    called = sorted({step.call for step in run.steps})
    return frozenset(text for name in called for text in text_literals(environment.tools[name]))


def _actor_row(environment: Environment, task: Task) -> tuple[str, Any]:
    return environment.spec.roles[task.actor.roles[0]].table, task.actor.id
