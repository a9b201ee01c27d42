"""What a verifier's constants tell a search: which rows it is about, and which values it asks for. Privileged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import exp

from ...environments.models import Verifier
from ...environments.package import Environment
from ...environments.sql_text import SqlProblem
from ...environments.verification import StateReader
from ..audit.sql_literals import Constant, compared_column, constants, owners
from ..sql_trees import parsed

_QUERIES = (exp.Subquery, exp.Paren, exp.Add, exp.Sub, exp.Mul)
_LATER = ("after.", "inserted.", "deleted.")


class Constants(NamedTuple):
    """`rows`: values by what they point at (`table.column`); `values`: all others, by the column that they are
    compared with (empty: with none); `unset`: columns that are to be NULL."""

    rows: dict[str, dict[Any, None]]
    values: dict[str, dict[Any, None]]
    unset: frozenset[str] = frozenset()


def constants_of(environment: Environment, verifier: Verifier, reader: StateReader) -> Constants:
    """`reader` is over the task's seed state: what requirements compute from it is as good as written out."""
    trees = [tree for check in verifier.require if (tree := parsed(check.sql)) is not None]
    found = Constants({}, {}, frozenset(name for tree in trees for name in _unset(tree)))
    told = [constant for sql in _texts(verifier) for constant in constants(sql)]
    told += [constant for tree in trees for constant in _computed(tree, reader)]
    columns = {name: tuple(table.by_name) for name, table in environment.tables().items()}
    for constant in told:
        compared = constant.compared
        table = next(iter(owners(compared, columns)), None) if compared else None
        if compared is None or table is None:
            found.values.setdefault(compared.column if compared else "", {})[constant.value] = None
        else:
            _put(found, environment, table, compared.column, constant.value)
    for allow in verifier.allow:
        for column, value in (allow.key or {}).items():
            _put(found, environment, allow.table, column, value)
    return found


def _put(found: Constants, environment: Environment, table: str, column: str, value: Any) -> None:
    info = environment.tables()[table]
    target = info.by_name[column].references or (f"{table}.{column}" if column in info.primary_key else None)
    if target is not None:
        found.rows.setdefault(target, {})[value] = None
    else:
        found.values.setdefault(column, {})[value] = None


def _unset(tree: exp.Expr) -> Iterator[str]:
    """Columns of the outermost query that are asked to be NULL."""
    for test in tree.find_all(exp.Is):
        column = test.this
        outermost = test.find_ancestor(exp.Select) is tree and test.find_ancestor(exp.Not) is None
        if outermost and isinstance(column, exp.Column) and isinstance(test.expression, exp.Null):
            yield column.name


def _computed(tree: exp.Expr, reader: StateReader) -> Iterator[Constant]:
    """What a query of the seed state gives, where the outermost query compares a column with it."""
    for test in tree.find_all(exp.EQ):
        column, told = test.this, test.expression
        if isinstance(column, exp.Column) and isinstance(told, _QUERIES) and test.find_ancestor(exp.Select) is tree:
            value = _of_the_seed(told.sql(dialect="sqlite"), reader)
            if value is not None:
                yield Constant(value, compared_column(column))


def _of_the_seed(sql: str, reader: StateReader) -> Any:
    if "before." not in sql or any(layer in sql for layer in _LATER):
        return None
    try:
        return reader.value(f"SELECT {sql}")
    except SqlProblem:
        return None


def _texts(verifier: Verifier) -> Iterator[str]:
    yield from verifier.bind.values()
    yield from (check.sql for check in verifier.require)
    limits = (allow.insert or allow.delete for allow in verifier.allow)
    yield from (limit.where for limit in limits if limit and limit.where)
    if verifier.answer.sql:
        yield verifier.answer.sql
