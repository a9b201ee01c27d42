"""Which columns a parameter is about: those that its value is compared with or stored in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sqlglot import exp

from .names import Names
from .queries import Query
from .trees import ColumnPlace, Tables, assignments, place_of

_HOPS = 4
_TYING = (exp.Binary, exp.Func, exp.Paren, exp.Between)
_PREFIXES = ("new_", "min_", "max_", "from_", "to_", "since_", "until_", "before_", "after_", "start_", "end_")


def related_columns(names: Names, queries: Iterable[Query], tables: Tables) -> Mapping[str, tuple[ColumnPlace, ...]]:
    """By parameter, without repeats: columns that the SQL ties it to first, then columns of its name in the tables
    that the tool touches."""
    found: dict[str, dict[ColumnPlace, None]] = {name: {} for name in names.params}
    touched: dict[str, None] = {}
    for query in queries:
        for name, place in _ties(query, tables):
            for param in _params_behind(name, names):
                found[param].setdefault(place)
        touched.update((table.name.lower(), None) for table in _tables_of(query))
    for name, places in found.items():
        places.update((place, None) for place in _named(name, touched, tables))
    return {name: tuple(places) for name, places in found.items()}


def _params_behind(name: str, names: Names) -> Iterator[str]:
    return (behind for behind in sorted(names.behind(name)) if behind in names.params)


def _tables_of(query: Query) -> Iterator[exp.Table]:
    return query.tree.find_all(exp.Table) if query.tree is not None else iter(())


def _ties(query: Query, tables: Tables) -> Iterator[tuple[str, ColumnPlace]]:
    if query.tree is None:
        return
    for assignment in assignments(query.tree):
        for node in _placeholders(assignment.value):
            yield node.name, ColumnPlace(assignment.table, assignment.column)
    for node in query.tree.find_all(exp.Placeholder):
        yield from ((node.name, place) for place in _beside(node, tables))


def _placeholders(node: exp.Expr) -> Iterator[exp.Placeholder]:
    found = [node] if isinstance(node, exp.Placeholder) else node.find_all(exp.Placeholder)
    return (each for each in found if isinstance(each, exp.Placeholder))


def _beside(node: exp.Placeholder, tables: Tables) -> Iterator[ColumnPlace]:
    """Columns in the comparison or function that the name stands in."""
    around: exp.Expr | None = node.parent
    for _ in range(_HOPS):
        if not isinstance(around, _TYING) or isinstance(around, exp.Connector):
            return
        columns = [column for column in around.find_all(exp.Column) if column.find_ancestor(exp.Select) is not None]
        places = [place for column in columns if (place := place_of(column, tables)) is not None]
        if places:
            yield from places[:2]
            return
        around = around.parent


def _named(name: str, touched: Iterable[str], tables: Tables) -> Iterator[ColumnPlace]:
    wanted = {name, *(name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix))}
    for table in touched:
        info = tables.get(table)
        if info is not None:
            yield from (ColumnPlace(table, column.name) for column in info.columns if column.name in wanted)
