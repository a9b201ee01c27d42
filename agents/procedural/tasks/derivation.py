"""From a task and gold's executed run to the task with its verifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....environments.gold import GoldRun
from ....environments.models import Grounding, Task
from ....environments.package import Environment
from ....environments.verification import StateReader
from .anchors import Anchors
from .comparisons import letter_by_letter
from .expressions import Expressions, Sources, flat
from .offers import Offers
from .plans import plan_of
from .schemas import TableShape, shapes, sql_constants
from .verifiers import VerifierWriter
from .worlds import seed_image, seed_world


def write_verifier(environment: Environment, offers: Offers, task: Task, run: GoldRun) -> Task:
    """The task with a verifier that asks for exactly what gold's run changed."""
    tables = shapes(environment)
    world = seed_world(environment, task.actor, task.setup)
    sources = _sources(environment, task, run)
    roots = [*grounded_rows(environment, task), _actor_row(environment, task)]
    touched = _touched_rows(tables, run)
    anchors = Anchors(world, tables, roots, [row for row in touched if row[1] in sources.returned])
    for row in touched:
        anchors.name_by_text(*row, sources.said_texts)
    expressions = Expressions(tables, anchors, sources)
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


def _sources(environment: Environment, task: Task, run: GoldRun) -> Sources:
    plan = plan_of(task)
    said = list(flat(value for part in (plan.parts if plan else ()) for value in part.choices.values()))
    numbers = [value for value in said if isinstance(value, int | float) and not isinstance(value, bool)]
    constants = [sql_constants(environment.tools[name]) for name in sorted({step.call for step in run.steps})]
    return Sources(
        said_texts=frozenset(value for value in said if isinstance(value, str)),
        said_numbers=tuple(dict.fromkeys(numbers)),
        tool_texts=frozenset(text for texts, _ in constants for text in texts),
        tool_numbers=tuple(sorted({number for _, found in constants for number in found})),
        returned=frozenset(_returned(environment, run)),
        today=environment.spec.clock[:10],
        exact=letter_by_letter(task.goal.sql) if task.goal.sql else frozenset(),
        updated=run.changes.rows,
    )


def _returned(environment: Environment, run: GoldRun) -> Iterator[Any]:
    """What gold's look-ups returned, without what its writes had taken or given back by then."""
    written: set[Any] = set()
    for step in run.steps:
        returned = set(_scalars(step.result.value))
        if environment.plans[step.call].writes:
            written |= {*returned, *_scalars(step.args)}
        else:
            yield from returned - written


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping | list):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _scalars(inner)
    elif value is not None:
        yield value


def _touched_rows(tables: Mapping[str, TableShape], run: GoldRun) -> list[tuple[str, Any]]:
    """Rows that gold changed, or that changed rows refer to."""
    found: dict[tuple[str, Any], None] = {}
    for change in run.changes.rows:
        shape = tables[change.table]
        found.update(dict.fromkeys((parent, change.new.get(column)) for column, parent in shape.references.items()))
        if shape.key is not None and change.op != "insert":
            found[(change.table, change.key[shape.key])] = None
    return [row for row in found if row[1] is not None]


def _actor_row(environment: Environment, task: Task) -> tuple[str, Any]:
    return environment.spec.roles[task.actor.roles[0]].table, task.actor.id
