"""A value that one tool stores and a sibling would refuse.

Stands for dropped guards: booking asks that the start is not in the past, moving does not. A sibling's guard counts
if it holds the value of one column, which both tools write from what the caller gives, against the clock or a
constant, and the tool has no such guard. A successful call that stores what the sibling refuses is the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Expectation, Finding, Probe
from ...tester.anatomy import Anatomy
from ...tester.conditions import condition_of
from ...tester.queries import Query, bound_names
from ...tester.stage import Outcome
from ...tester.trees import ColumnPlace, assignments, render
from ..reading.base import Context, finding

KIND = "unguarded_sibling"
_COMPOUND = ("array", "object")
_CLOCK = frozenset({"now", "today"})


class _Rule(NamedTuple):
    """A guard as a condition on a column: `value` stands for what is stored."""

    place: ColumnPlace
    condition: str


def check(context: Context) -> Iterator[Finding]:
    anatomy = context.anatomy
    stored = {name: _stored(anatomy, name) for name in anatomy.tools}
    rules = {name: frozenset(_rules(anatomy, name, stored[name])) for name in anatomy.tools}
    for name in anatomy.tools:
        theirs = {rule: other for other, found in rules.items() if other != name for rule in sorted(found)}
        for rule, other in sorted(theirs.items()):
            if rule.place in stored[name].values() and rule not in rules[name]:
                yield from _check(context, name, other, rule)


def _stored(anatomy: Anatomy, tool: str) -> Mapping[str, ColumnPlace]:
    """By name bound in the tool: the column that its value is stored in as it is, if it comes from a parameter that
    points at nothing."""
    names = anatomy.names[tool]
    found: dict[str, ColumnPlace] = {}
    for query in anatomy.queries[tool]:
        for table, column, value in assignments(query.tree) if query.kind == "do" else ():
            for bound in sorted(bound_names(value)) if isinstance(value, exp.Placeholder | exp.Coalesce) else ():
                params = [names.params[name] for name in names.behind(bound) if name in names.params]
                if any(param.ref is None and param.type not in _COMPOUND for param in params):
                    found[bound] = ColumnPlace(table, column)
    for bound, place in list(found.items()):
        found.update((behind, place) for behind in names.behind(bound) if behind in names.params)
    return found


def _rules(anatomy: Anatomy, tool: str, stored: Mapping[str, ColumnPlace]) -> Iterator[_Rule]:
    for query in anatomy.queries[tool]:
        condition = condition_of(query.tree) if query.kind == "require" and query.roles is None else None
        if condition is None or condition.find(exp.Select) is not None or condition.find(exp.Column) is not None:
            continue
        bound = bound_names(condition) - _CLOCK
        places = {stored[name] for name in bound if name in stored}
        if len(bound) == 1 and len(places) == 1:
            yield _Rule(places.pop(), _about(condition, next(iter(bound))))


def _about(condition: exp.Expr, name: str) -> str:
    """The condition, written over the column `value`."""
    copied = exp.Paren(this=condition.copy())
    for node in list(copied.find_all(exp.Placeholder)):
        if node.name == name:
            node.replace(exp.column("value"))
    return render(copied.this)


def _check(context: Context, tool: str, other: str, rule: _Rule) -> Iterator[Finding]:
    table, column = rule.place
    message = f"{tool} stores {table}.{column} without the guard of {other}: {rule.condition}."
    where = next(query.where for query in context.anatomy.queries[tool] if _writes(query, rule.place))
    yield finding(KIND, "major", where, message, probe=_probe(context, tool, rule), guard=rule.condition)


def _writes(query: Query, place: ColumnPlace) -> bool:
    return query.kind == "do" and any((found.table, found.column) == place for found in assignments(query.tree))


def _probe(context: Context, tool: str, rule: _Rule) -> Probe | None:
    """A call that stores what the guard refuses."""
    table, column = rule.place
    key = context.anatomy.tables[table].primary_key
    if len(key) != 1:
        return None
    test = f"SELECT NOT ({rule.condition}) FROM (SELECT :stored AS value)"

    def refused(done: Outcome) -> bool:
        values = [change.new[column] for change in done.changes if change.table == table and column in change.new]
        return any(value is not None and context.anatomy.seed_rows(test, stored=value)[0][0] for value in values)

    trial = context.trials.through(context.anatomy.tools[tool], accept=refused)
    if trial is None:
        return None
    changed = next(change for change in trial.outcome.changes if change.table == table and column in change.new)
    literal = exp.convert(changed.key[key[0]]).sql(dialect="sqlite")
    row = f"SELECT {column} AS value FROM after.{table} WHERE {key[0]} = {literal}"
    refusing = Expectation(sql=f"SELECT NOT EXISTS (SELECT 1 FROM ({row}) WHERE NOT ({rule.condition}))")
    return Probe(calls=(trial.step.probe_call(),), expect=(refusing,))
