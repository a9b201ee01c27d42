"""A status, or kind of entry, that the tool's name does not lead one to.

Stands for wrong constants and illegal transitions: `cancel_booking` that sets 'done' while the column knows
'cancelled', or sets nothing, or records an event of the kind 'moved'. Only tools whose name has the stem of exactly
one of the column's values are looked at. For statuses that are set a successful call shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Expectation, Finding, Probe
from ....environments.resolution import ResolvedTool
from ...tester.columns import checked_values, is_status
from ...tester.conditions import literal_text
from ...tester.queries import Query
from ...tester.trees import Assignment, assignments
from ..reading.base import Context, again, finding
from ..reading.wording import stem

KIND = "status_unlike_name"
_KINDS = ("kind", "event", "action", "type", "event_type")


def check(context: Context) -> Iterator[Finding]:
    for tool in context.anatomy.tools.values():
        if tool.kind == "write":
            yield from _forgotten(context, tool)
    for query in context.anatomy.all_queries():
        for assignment in assignments(query.tree) if query.kind == "do" else ():
            if isinstance(query.tree, exp.Update) and is_status(assignment.column):
                yield from _check(context, query, assignment)
            elif isinstance(query.tree, exp.Insert) and assignment.column in _KINDS:
                yield from _recorded(context, query, assignment)


def _forgotten(context: Context, tool: ResolvedTool) -> Iterator[Finding]:
    """A tool named for a status of the rows that it is given, and that leaves their status as it is."""
    writes = {
        write for statement in context.anatomy.environment.plans[tool.name].statements for write in statement.writes
    }
    for name, param in tool.params.items():
        source = param.items if param.items is not None else param
        table = source.ref.split(".")[0] if source.ref is not None else None
        if table is not None and not _is_about(tool, name, table):
            continue
        for column in context.anatomy.tables[table].columns if table is not None else ():
            meant = _meant(context, tool.name, str(table), column.name) if is_status(column.name) else None
            touched = any(
                each.table == table and (each.column == column.name or each.op == "delete") for each in writes
            )
            if meant is not None and not touched:
                message = (
                    f"{tool.name} leaves {table}.{column.name} as it is, though {meant!r} is what its name says."
                )
                yield finding(KIND, "major", f"tools.{tool.name}.params.{name}", message, probe=again(KIND))


def _is_about(tool: ResolvedTool, param: str, table: str) -> bool:
    """Whether the tool is about the rows that a parameter points at: by its name, or since it needs nothing else."""
    words = {stem(word) for word in tool.name.split("_")}
    return {stem(word) for word in table.split("_")} <= words or tool.required == (param,)


def _recorded(context: Context, query: Query, assignment: Assignment) -> Iterator[Finding]:
    given, expected = literal_text(assignment.value), _expected(context, query, assignment)
    if given is not None and expected is not None and expected != given:
        place = f"{assignment.table}.{assignment.column}"
        message = f"{query.tool} records {given!r} in {place}, though {expected!r} is what its name says."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), expected=expected, sets=given)


def _check(context: Context, query: Query, assignment: Assignment) -> Iterator[Finding]:
    given = literal_text(assignment.value)
    expected = _expected(context, query, assignment)
    if given is None or expected is None or expected == given:
        return
    table, column, _ = assignment
    message = f"{query.tool} sets {table}.{column} to {given!r}, though {expected!r} is what its name says."
    key = context.anatomy.tables[table].primary_key[0]
    trial = context.trials.through(
        context.anatomy.tools[query.tool], accept=lambda done: any(change.table == table for change in done.changes)
    )
    probe = None
    if trial is not None:
        changed = next(change for change in trial.outcome.changes if change.table == table)
        literal = exp.convert(changed.key[key]).sql(dialect="sqlite")
        sql = f"SELECT {column} = '{expected}' FROM after.{table} WHERE {key} = {literal}"
        probe = Probe(calls=(trial.step.probe_call(),), expect=(Expectation(sql=sql),))
    yield finding(KIND, "major", query.where, message, probe=probe, expected=expected, sets=given)


def _expected(context: Context, query: Query, assignment: Assignment) -> str | None:
    """The one value of the column's CHECK whose stem the tool's name has."""
    return _meant(context, query.tool, assignment.table, assignment.column)


def _nouns(context: Context, tool: str) -> set[str]:
    """Stems of words behind the first that name a table: in `make_move` a move is a thing."""
    tables = {tuple(map(stem, table.split("_"))) for table in context.anatomy.tables}
    behind = tuple(map(stem, tool.split("_")[1:]))
    return set(behind) if behind in tables else set()


def _meant(context: Context, tool: str, table: str, column: str) -> str | None:
    said = {stem(word) for word in tool.split("_")} - _nouns(context, tool)
    values = checked_values(context.anatomy.tables[table], column)
    meant = [value for value in values if {stem(word) for word in re.split(r"[_\W]+", value) if word} <= said]
    return meant[0] if len(meant) == 1 else None
