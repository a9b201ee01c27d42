"""In which tables ids can be written as texts: those of which it is certain wherever a player meets an id of theirs.

A table is left out if an id of it may reach a player through something computed (`max(id)`, `'No. ' || id`, an array of
JSON), may be told by a message that cannot tell where it has it from, is kept where no foreign key says what it is, or
may be typed as a parameter without `ref`. What SQLite's own name resolution tells of columns is certain (`origins`); for
the rest, expressions are read and whatever bears a name that may hold an id is taken to hold one. Ids in prose that
people wrote into the seed are not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ..dataflow.sql_shape import parse
from ..plans import Change, Condition, LookUp, Plan
from ..schema import TableInfo
from ..sql_lexemes import COMMENT, QUOTED_NAME, TEXT
from ..statements import Statement
from .origins import Origin, certain_origins, origins, target

if TYPE_CHECKING:
    from sqlglot import exp

Tables = Mapping[str, TableInfo]
Named = frozenset[str]
"""Tables whose ids something may be."""
_MARK: Final = "p_"
"""Put before bound names: some of them are words of SQL."""
_BOUND: Final = re.compile(rf"{TEXT}|{QUOTED_NAME}|{COMMENT}|:(?P<name>[a-z][a-z0-9_]*)")
_NONE: Final[Named] = frozenset()
_NO_IDS: Final = frozenset(
    {"has_word", "same_text", "minutes_between", "length", "count", "sum", "avg", "total", "json_array_length"}
)
"""Functions whose values are no ids whatever they are given."""
_LOOSE: Final[Named] = frozenset({"?"})
"""What a parameter without `ref` may be an id of."""
_LOOSE_TYPES: Final = ("integer", "number", "array", "object")


class Unreadable(Exception):
    """SQL of which nothing can be said."""


def told_origins(plan: Plan, tables: Tables) -> Mapping[str, Origin]:
    """The bound names of a tool that messages may tell, with the column whose ids they hold, where that is certain."""
    doubts = _Doubts(plan, tables, _Names(tables, _NONE))
    for _ in doubts.all():
        pass
    return doubts.told


def certain_tables(plans: Mapping[str, Plan], tables: Tables, actors: Named) -> Named:
    """The tables with numbered rows of which it is certain; none if any SQL cannot be read. `actors` are the tables
    whose rows can act."""
    numbered = frozenset(name for name, table in tables.items() if table.number)
    if any(column.generated for table in tables.values() for column in table.columns):
        return _NONE
    try:
        known = _Names(tables, actors)
        doubtful = [doubt for plan in plans.values() for doubt in _Doubts(plan, tables, known).all()]
    except Unreadable:
        return _NONE
    return numbered.difference(*doubtful)


class _Names:
    """What the names of columns, and of what views compute, may hold."""

    def __init__(self, tables: Tables, actors: Named) -> None:
        from sqlglot import exp

        self.actors = actors
        self.every = frozenset(name for name, table in tables.items() if table.number)
        self.columns: dict[str, Named] = {}
        for table in tables.values():
            for column in table.columns:
                named = target((table.name, column.name), tables)
                if named:
                    self.columns[column.name] = self.columns.get(column.name, _NONE) | {named}
        self.computed: dict[str, Named] = {}
        for table in tables.values():
            if table.view:
                if not isinstance(_tree(table.sql).this, exp.Table):
                    raise Unreadable  # it names its columns apart from the query
                self.computed |= aliases(_tree(table.sql), self.columns | self.computed, self.every)


class _Doubts:
    """Doubts about ids that one tool raises, as the tables that they are about."""

    def __init__(self, plan: Plan, tables: Tables, known: _Names) -> None:
        self._plan = plan
        self._tables = tables
        self._known = known
        self._names: dict[str, Named] = {}
        self.told: dict[str, Origin] = {}
        self._bind_params()

    def all(self) -> Iterator[Named]:
        for step in self._plan.steps:
            if isinstance(step, LookUp):
                yield from self._compared(step.statement)
                self._look_up(step)
            elif isinstance(step, Change):
                yield from self._written(step)
            else:
                yield from self._compared(step.statement)
                yield from self._said(step)
        yield from self._shown()

    def _bind_params(self) -> None:
        self._names[":actor_id"] = self._known.actors
        for name, param in self._plan.arguments.params.items():
            inner = param.items or param
            if inner.ref is None:
                if inner.type in _LOOSE_TYPES and name not in ("limit", "offset"):
                    self._names[f":{name}"] = _LOOSE
                    if param.items:
                        self._names["value"] = self._names.get("value", _NONE) | _LOOSE
                continue
            table, column = inner.ref.split(".")
            named = target((table, column), self._tables)
            self._names[f":{name}"] = frozenset({named} if named else ())
            if param.items:
                self._names["value"] = self._names.get("value", _NONE) | self._names[f":{name}"]
            elif named:
                self.told[name] = (table, column)

    def _look_up(self, step: LookUp) -> None:
        found = certain_origins(step.statement, self._tables)
        for position, name in enumerate(step.names):
            origin = found[position] if position < len(found) else None
            if origin is None:
                self._names[f":{name}"] = self._holds(step.statement, position)
                continue
            named = target(origin, self._tables)
            self._names[f":{name}"] = frozenset({named} if named else ())
            if named:
                self.told[name] = origin

    def _said(self, step: Condition) -> Iterator[Named]:
        told = (self._names.get(f":{name}", _NONE) for name in step.message.names if name not in self.told)
        yield from (named - _LOOSE for named in told)

    def _shown(self) -> Iterator[Named]:
        result = self._plan.result
        if result is None:
            return
        statement = next(iter(result.pages.values()))
        yield from self._compared(statement)
        for position, origin in enumerate(origins(result, self._tables)):
            if origin is None:
                yield self._holds(statement, position) - _LOOSE
            elif result.types.get(position) == "json" and origin[1].endswith(("_id", "ids")):
                yield self._known.every

    def _holds(self, statement: Statement, position: int) -> Named:
        """What a column of a query may hold."""
        tree = _tree(statement.sql)
        names = aliases(tree, self._in(statement), self._known.every)
        return _column(tree, position, statement.columns, names, self._known.every)

    def _in(self, statement: Statement) -> dict[str, Named]:
        """What names may hold in a statement, by the columns that it reads."""
        found = dict(self._names) | self._known.computed
        for place in statement.reads:
            named = target(place, self._tables)
            if named:
                found[place[1]] = found.get(place[1], _NONE) | {named}
        return found

    def _written(self, step: Change) -> Iterator[Named]:
        """Ids that are kept in columns that refer to nothing, and numbers of unknown kind in columns that do."""
        from sqlglot import exp

        tree = _tree(step.statement.sql)
        names = aliases(tree, self._in(step.statement), self._known.every)
        for column, value in _assigned(tree, self._known.every):
            named = self._known.columns.get(column)
            held = holds(value, names, self._known.every)
            if named is None:
                yield held - _LOOSE
            elif held >= _LOOSE:
                yield named
        for part in tree.find_all(exp.Where):
            yield from _compared(part, names, self._known.every)
        if step.name is not None:
            self._returned(step.name, tree, names)

    def _returned(self, name: str, tree: exp.Expr, names: Mapping[str, Named]) -> None:
        from sqlglot import exp

        written, value = tree.find(exp.Table), tree.args["returning"].expressions[0]
        origin = (written.name, value.name) if written and isinstance(value, exp.Column) else None
        named = target(origin, self._tables)
        self._names[f":{name}"] = frozenset({named}) if named else holds(value, names, self._known.every)
        if origin and named:
            self.told[name] = origin

    def _compared(self, statement: Statement) -> Iterator[Named]:
        if any(self._names.get(f":{name}", _NONE) >= _LOOSE for name in statement.names):
            tree = _tree(statement.sql)
            yield from _compared(tree, aliases(tree, self._in(statement), self._known.every), self._known.every)


def _compared(tree: exp.Expr, names: Mapping[str, Named], every: Named) -> Iterator[Named]:
    """Ids that are compared with what may be ids without saying of what."""
    from sqlglot import exp

    for test in tree.find_all(exp.Predicate):
        if isinstance(test, exp.Exists):
            continue
        one = holds(test.this, names, every)
        others = [part for part in test.iter_expressions() if part is not test.this]
        other = frozenset[str]().union(*(holds(part, names, every) for part in others))
        if one >= _LOOSE or other >= _LOOSE:
            yield (one | other) - _LOOSE


def _tree(sql: str) -> exp.Expr:
    tree = parse(_BOUND.sub(lambda found: f":{_MARK}{found['name']}" if found["name"] else found[0], sql))
    if tree is None:
        raise Unreadable
    return tree


def _column(
    tree: exp.Expr, position: int, columns: tuple[str, ...], names: Mapping[str, Named], every: Named
) -> Named:
    """What a column of a query may hold; anything where it cannot be told which expression it is."""
    from sqlglot import exp

    if not isinstance(tree, exp.Select):
        return every
    if len(tree.expressions) == len(columns) and not any(one.is_star for one in tree.expressions):
        return holds(tree.expressions[position].unalias(), names, every)
    inner = tree.args.get("from_")
    only_star = (
        len(tree.expressions) == 1 and isinstance(tree.expressions[0], exp.Star) and not tree.args.get("joins")
    )
    if inner is None or not only_star or not isinstance(inner.this, exp.Subquery):
        return every
    return _column(inner.this.this, position, columns, names, every)


def aliases(tree: exp.Expr, names: Mapping[str, Named], every: Named) -> dict[str, Named]:
    """The names with those that a query gives to what may hold ids."""
    from sqlglot import exp

    if any(alias.columns for alias in tree.find_all(exp.TableAlias)):
        raise Unreadable
    found = dict(names)
    changed = True
    while changed:
        changed = False
        for alias in tree.find_all(exp.Alias):
            named = found.get(alias.alias, _NONE) | holds(alias.this, found, every)
            if named != found.get(alias.alias, _NONE):
                found[alias.alias], changed = named, True
    return found


def holds(value: exp.Expr | None, names: Mapping[str, Named], every: Named) -> Named:
    """Of which tables the value of an expression may be, or contain, an id."""
    from sqlglot import exp

    if value is None or isinstance(value, exp.Predicate | exp.Connector | exp.Not | exp.Literal):
        return _NONE
    if isinstance(value, exp.Column):
        return every if isinstance(value.this, exp.Star) else names.get(value.name, _NONE)
    if isinstance(value, exp.Placeholder):
        return names.get(f":{value.name.removeprefix(_MARK)}", _NONE)
    if isinstance(value, exp.Star):
        return every
    if isinstance(value, exp.Func) and _function(value) in _NO_IDS:
        return _NONE
    return frozenset().union(*(holds(part, names, every) for part in _parts(value)))


def _function(value: exp.Func) -> str:
    from sqlglot import exp

    return (value.name if isinstance(value, exp.Anonymous) else value.sql_name()).lower()


def _parts(value: exp.Expr) -> Iterator[exp.Expr]:
    """Where the value of an expression comes from: of queries what they select, of choices what is chosen."""
    from sqlglot import exp

    if isinstance(value, exp.Select):
        yield from value.expressions
    elif isinstance(value, exp.Case):
        yield from (one.args["true"] for one in value.args["ifs"])
        if value.args.get("default") is not None:
            yield value.args["default"]
    elif isinstance(value, exp.If):
        yield from (value.args[name] for name in ("true", "false") if value.args.get(name) is not None)
    else:
        yield from value.iter_expressions()


def _assigned(tree: exp.Expr, every: Named) -> Iterator[tuple[str, exp.Expr]]:
    """Columns that a statement writes, each with what is written there. Raises Unreadable for an INSERT without names."""
    from sqlglot import exp

    for update in tree.find_all(exp.Update):
        yield from _set(update.expressions)
    for conflict in tree.find_all(exp.OnConflict):
        yield from _set(conflict.expressions)
    for insert in tree.find_all(exp.Insert):
        if not isinstance(insert.this, exp.Schema):
            raise Unreadable
        columns = [column.name for column in insert.this.expressions]
        for row in _rows(insert.expression):
            if len(row) != len(columns):
                raise Unreadable
            yield from zip(columns, row, strict=True)


def _set(assignments: list[exp.Expr]) -> Iterator[tuple[str, exp.Expr]]:
    from sqlglot import exp

    for one in assignments:
        if not isinstance(one, exp.EQ) or not isinstance(one.this, exp.Column | exp.Identifier):
            raise Unreadable
        yield one.this.name, one.expression


def _rows(source: exp.Expr | None) -> Iterator[list[exp.Expr]]:
    from sqlglot import exp

    if isinstance(source, exp.Values):
        yield from (row.expressions for row in source.expressions)
    elif isinstance(source, exp.Query):
        selects = [source] if isinstance(source, exp.Select) else list(source.find_all(exp.Select))
        yield from ([one.unalias() for one in select.expressions] for select in selects)
    elif source is not None:
        raise Unreadable
