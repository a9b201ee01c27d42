"""Data in which what a task speaks of is not as the task says: a row that a phrase means lost what it is known by."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Grounding, Task
from ....environments.package import Environment
from ....environments.verification import StateReader
from ...tester.trees import parse, place_of
from ..base import TaskChange
from ..seeds import other_value, with_value


class SeedContradicts:
    kind = "seed_contradicts"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
            for phrase, one in task.grounding.items():
                row = _row(one, reader)
                for column in _known_by(one, environment) if row is not None else ():
                    assert one.table is not None
                    yield from _changed(environment, task, phrase, (one.table, column, row))


def _changed(
    environment: Environment, task: Task, phrase: str, place: tuple[str, str, object]
) -> Iterator[TaskChange]:
    table, column, key = place
    other = other_value(environment, table, column, key)
    if other is not None:
        note = f"{table}.{column} of {key!r} became {other!r}, against {phrase!r}"
        yield TaskChange(f"tasks.{task.id}.grounding", note, task, seed_sql=with_value(environment, *place, other))


def _row(one: Grounding, reader: StateReader) -> object:
    """The key of the row that a phrase means; None unless it means one."""
    if one.expect != "one" or one.sql is None or one.table is None:
        return None
    rows = reader.query(one.sql)
    return rows[0][0] if len(rows) == 1 else None


def _known_by(one: Grounding, environment: Environment) -> Iterator[str]:
    """The columns of the row that the phrase's query holds against a constant."""
    tree = parse(one.sql or "")
    tables = environment.tables()
    info = tables[one.table or ""]
    for equal in tree.find_all(exp.EQ) if tree is not None else ():
        if isinstance(equal.this, exp.Column) and isinstance(equal.expression, exp.Literal):
            # The query names its tables as `before.…`, which leads to no place of the schema.
            place = place_of(equal.this, tables)
            column = info.by_name.get(equal.this.name.lower())
            here = place is None or place.table == one.table
            if here and column is not None and not column.key and column.references is None:
                yield column.name
