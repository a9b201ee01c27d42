"""Branches of a tool's SQL, and which of them calls took: arms of CASE, alternatives that a guard joins by OR.

The SQL is given a function around each branch that notes its number and hands the value on. Only counting uses such
SQL: what is found with it is shown again with the tools as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import apsw
from sqlglot import exp

from ...environments.connections import connected
from ...environments.functions import CodeMaker, add_functions
from ...environments.guard import Guard
from ...environments.plans import Plan, Result
from ...environments.statements import Statement
from ...environments.values import SQLiteValue
from .anatomy import Anatomy
from .queries import Query
from .trees import render

_FUNCTION = "branch_taken"


class Branches:
    """All branches of an environment. `plans` are its tools with their branches noted, `taken` the places of those
    that were."""

    def __init__(self, anatomy: Anatomy) -> None:
        self.taken: set[str] = set()
        self._places: dict[int, str] = {}
        self._guard = _allowing(anatomy.environment.kit.guard)
        self.plans: dict[str, Plan] = dict(anatomy.environment.plans)
        with connected(anatomy.environment.image) as connection:
            add_functions(connection, CodeMaker(0))
            self.watch(connection)
            for tool, queries in anatomy.queries.items():
                noting = {query.sql.strip(): sql for query in queries if (sql := self._noting(query, connection))}
                self.plans[tool] = _exchanged(self.plans[tool], noting)

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(self._places.values())

    @property
    def guard(self) -> Guard:
        """The authorizer of worlds whose branches are noted."""
        return self._guard

    def watch(self, connection: apsw.Connection) -> None:
        """Give a connection the function that notes."""
        connection.create_scalar_function(_FUNCTION, self.note, 2)

    def note(self, *given: SQLiteValue) -> SQLiteValue:
        """The value, which follows the branch's number. An alternative (a negative number) is taken where it is
        true: only then does it let a call pass."""
        number, value = given
        assert isinstance(number, int)
        if number > 0 or value:
            self.taken.add(self._places[abs(number)])
        return value

    def _noting(self, query: Query, connection: apsw.Connection) -> str | None:
        """The statement with its branches noted; None for one without branches, or that does not prepare so."""
        if query.tree is None or not (query.kind == "require" or "case" in query.sql.lower()):
            return None
        copied, places = query.tree.copy(), dict[int, str]()
        nodes = [*_arms(copied), *(_alternatives(copied) if query.kind == "require" else ())]
        for number, (name, node) in enumerate(sorted(nodes, key=lambda each: -each[1].depth), len(self._places) + 1):
            places[number] = f"{query.where}.{name}"
            signed = -number if name.startswith("or.") else number
            node.replace(exp.Anonymous(this=_FUNCTION, expressions=[exp.convert(signed), node.copy()]))
        if not places or not _prepares(connection, render(copied)):
            return None
        self._places.update(places)
        return render(copied)


def _arms(tree: exp.Expr) -> Iterator[tuple[str, exp.Expr]]:
    """What the arms of CASE give."""
    for index, case in enumerate(tree.find_all(exp.Case)):
        for arm, branch in enumerate(case.args["ifs"]):
            yield f"case.{index}.{arm}", branch.args["true"]
        if case.args.get("default") is not None:
            yield f"case.{index}.else", case.args["default"]


def _alternatives(tree: exp.Expr) -> Iterator[tuple[str, exp.Expr]]:
    """The operands of each chain of OR."""
    chains = [node for node in tree.find_all(exp.Or) if not isinstance(node.parent, exp.Or)]
    for index, chain in enumerate(chains):
        for place, operand in enumerate(_operands(chain)):
            yield f"or.{index}.{place}", operand


def _operands(chain: exp.Expr) -> Iterator[exp.Expr]:
    for side in (chain.this, chain.expression):
        yield from _operands(side) if isinstance(side, exp.Or) else (side,)


def _prepares(connection: apsw.Connection, sql: str) -> bool:
    try:
        connection.execute(f"EXPLAIN {sql}", _Anything())
    except apsw.Error:
        return False
    return True


class _Anything(dict[str, None]):
    def __missing__(self, name: str) -> None:
        return None


def _exchanged(plan: Plan, noting: Mapping[str, str]) -> Plan:
    if not noting:
        return plan
    steps = tuple(replace(step, statement=_noted(step.statement, noting)) for step in plan.steps)
    return replace(plan, steps=steps, result=_result(plan.result, noting) if plan.result is not None else None)


def _noted(statement: Statement, noting: Mapping[str, str]) -> Statement:
    return replace(statement, sql=noting.get(statement.sql.strip(), statement.sql))


def _result(result: Result, noting: Mapping[str, str]) -> Result:
    """The queries of all orders hold the tool's own query."""
    pages = dict(result.pages)
    for sort, statement in pages.items():
        own = next((sql for sql in noting if sql in statement.sql), None)
        if own is not None:
            pages[sort] = replace(statement, sql=statement.sql.replace(own, noting[own], 1))
    return replace(result, pages=pages)


def _allowing(guard: Guard) -> Guard:
    def allowed(action: int, first: str | None, second: str | None, schema: str | None, origin: str | None) -> int:
        if action == apsw.SQLITE_FUNCTION and second == _FUNCTION:
            return apsw.SQLITE_OK
        return guard(action, first, second, schema, origin)

    return allowed
