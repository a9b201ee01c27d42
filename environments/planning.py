"""Making plans: everything that can be wrong with a tool short of its meaning is found here, before any call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from .arguments import Arguments
from .errors import PackageError
from .models import Do, Let, OrderOptions, Param, Require, Returns, Scope
from .models.tools import RowQuery
from .param_checks import param_problems
from .plans import Change, Condition, LookUp, Message, Plan, ReferenceCheck, Result, Step
from .resolution import TOOLS_FILE, ResolvedTool
from .schema import TableInfo
from .sql_text import SqlProblem
from .statements import Statement, StatementChecker

AMBIENT = ("actor_id", "actor_roles", "now", "today")
"""Names that are bound in every statement of a tool."""
RESERVED_TOOLS = ("submit", "say")
_T = TypeVar("_T")


class Context(NamedTuple):
    """What tools are checked against."""

    checker: StatementChecker
    tables: Mapping[str, TableInfo]
    roles: frozenset[str]


def plan_tool(tool: ResolvedTool, context: Context) -> tuple[Plan | None, list[PackageError]]:
    """The plan of a tool, or None with all problems that were found."""
    planner = _Planner(tool, context)
    plan = planner.plan()
    return (None if planner.problems else plan), planner.problems


class _Planner:
    def __init__(self, tool: ResolvedTool, context: Context) -> None:
        self.tool = tool
        self.context = context
        self.problems: list[PackageError] = []
        self.params = self._all_params()
        self.known = [*self.params, *(f"given_{name}" for name in self.params), *AMBIENT]
        self.always = {name for name, param in self.params.items() if param.default is not None}
        self.always |= {*tool.required, *AMBIENT}

    def plan(self) -> Plan | None:
        self._check_names()
        for name, param in self.params.items():
            for field, problem in param_problems(param, self.context.tables):
                self._note(SqlProblem(problem), f"params.{name}{field}")
        if self.problems:
            return None
        references = tuple(self._references())
        placed = zip(self.tool.places, self.tool.steps, strict=True)
        steps = tuple(step for place, raw in placed for step in self._step(place, raw))
        result = self._result(self.tool.returns) if self.tool.returns else None
        self._check_contract()
        return Plan(self.tool, Arguments(self.params, self.tool.required), references, steps, result)

    def _note(self, problem: SqlProblem, field: str) -> None:
        """`field` is below the tool, or below `shared`."""
        shared = field.startswith("shared.")
        place = field if shared else f"tools.{self.tool.name}.{field}"
        message = f"{problem.message} (in the tool {self.tool.name})" if shared else problem.message
        self.problems.append(PackageError(message, file=TOOLS_FILE, field=place, remedy=problem.remedy))

    def _try(self, field: str, check: Callable[[], _T]) -> _T | None:
        try:
            return check()
        except SqlProblem as problem:
            self._note(problem, field)
            return None

    def _all_params(self) -> dict[str, Param]:
        """The declared parameters, and those that `order` and `page` add."""
        added = _paging_params(self.tool.returns) if self.tool.returns else {}
        for name in added.keys() & self.tool.params.keys():
            self._note(
                SqlProblem(f"{name!r} is added by the runtime", remedy="Rename the parameter."), f"params.{name}"
            )
        return {**self.tool.params, **added}

    def _check_names(self) -> None:
        tool = self.tool
        if tool.name in RESERVED_TOOLS:
            self._note(SqlProblem(f"{tool.name!r} is a tool of the runtime", remedy="Rename it."), "name")
        for role in [r for r in tool.roles or () if r not in self.context.roles]:
            self._note(self._unknown_role(role), "roles")
        for name in [n for n in tool.required if n not in tool.params]:
            self._note(SqlProblem(f"{name!r} is no parameter"), "required")
        for name in tool.params:
            if name in AMBIENT or name.startswith("given_"):
                self._note(SqlProblem(f"{name!r} is a name of the runtime", remedy="Rename it."), f"params.{name}")
        if tool.kind == "read" and any(isinstance(step, Do) for step in tool.steps):
            self._note(SqlProblem("a read tool has no `do`", remedy="Declare it `kind: write`."), "kind")
        if tool.kind == "write" and not any(isinstance(step, Do) for step in tool.steps):
            self._note(SqlProblem("a write tool has a `do`", remedy="Declare it `kind: read`."), "kind")

    def _unknown_role(self, role: str) -> SqlProblem:
        listed = ", ".join(sorted(self.context.roles))
        return SqlProblem(f"{role!r} is no role", remedy=f"Roles: {listed}.")

    def _references(self) -> Iterator[ReferenceCheck]:
        for name, param in self.params.items():
            target, items = (param, False) if param.ref or not param.items else (param.items, True)
            if target.ref:
                check = self._reference(name, target.ref, target.scope, items)
                if check:
                    yield check

    def _reference(self, name: str, ref: str, scope: Scope | None, items: bool) -> ReferenceCheck | None:
        table, column = ref.split(".")
        field = f"params.{name}.items" if items else f"params.{name}"
        value = "item.value" if items else f":{name}"
        source = f" FROM json_each(:{name}) AS item" if items else ""
        test = f'EXISTS (SELECT 1 FROM "{table}" WHERE "{table}"."{column}" = {value}{{}})'
        query = f"SELECT {value}{source} WHERE :{name} IS NOT NULL AND NOT {test} LIMIT 1"
        found = self._try(f"{field}.ref", lambda: self._query(query.format("")))
        if scope is None:
            return ReferenceCheck(name, table, column, found) if found else None
        for role in [r for r in scope.roles or () if r not in self.context.roles]:
            self._note(self._unknown_role(role), f"{field}.scope.roles")
        owned = self._try(f"{field}.scope.where", lambda: self._query(query.format(f" AND ({scope.where}\n)")))
        if not found or not owned:
            return None
        return ReferenceCheck(name, table, column, found, owned, scope.roles, scope.code)

    def _query(self, sql: str, columns: int | None = None) -> Statement:
        return self.context.checker.query(sql, self.known, columns=columns, codes=self.tool.kind == "write")

    def _step(self, place: str, raw: Let | Require | Do) -> Iterator[Step]:
        field = place.removeprefix(f"tools.{self.tool.name}.")
        if isinstance(raw, Let):
            for name, source in raw.let.items():
                yield from self._look_up(f"{field}.let.{name}", name, source)
        elif isinstance(raw, Require):
            yield from self._condition(field, raw)
        else:
            yield from self._change(field, raw)

    def _look_up(self, field: str, name: str, source: str | RowQuery) -> Iterator[LookUp]:
        if isinstance(source, RowQuery):
            statement = self._try(f"{field}.row", lambda: self._query(source.row))
            names = tuple(f"{name}_{column}" for column in statement.columns) if statement else ()
        else:
            statement = self._try(field, lambda: self._query(source, 1))
            names = (name,)
        for bound in names:
            self._bind(field, bound)
        if statement:
            yield LookUp(names, statement)

    def _bind(self, field: str, name: str) -> None:
        if name in self.params or name in AMBIENT or name.startswith("given_"):
            self._note(SqlProblem(f"{name!r} is bound already", remedy="Take another name."), field)
        if not name.isidentifier():
            self._note(SqlProblem(f"{name!r} cannot be bound", remedy="Name the column with AS."), field)
        self.known.append(name)
        self.always.add(name)

    def _condition(self, field: str, raw: Require) -> Iterator[Condition]:
        for role in [r for r in raw.roles or () if r not in self.context.roles]:
            self._note(self._unknown_role(role), f"{field}.roles")
        message = Message(raw.error.message)
        for name in message.names:
            if name not in self.always:
                listed = ", ".join(sorted(self.always))
                self._note(
                    SqlProblem(f"{{{name}}} is not always bound", remedy=f"Bound here: {listed}."),
                    f"{field}.error.message",
                )
        statement = self._try(f"{field}.require", lambda: self._query(raw.require))
        if statement:
            yield Condition(statement, raw.error.code, message, raw.roles)

    def _change(self, field: str, raw: Do) -> Iterator[Change]:
        statement = self._try(f"{field}.do", lambda: self.context.checker.write(raw.do, self.known))
        if raw.as_ is not None:
            self._bind(f"{field}.as", raw.as_)
            if statement and not statement.columns:
                self._note(SqlProblem("`as` needs a RETURNING clause"), f"{field}.as")
        if statement:
            yield Change(statement, raw.rows, raw.as_)

    def _result(self, returns: Returns) -> Result | None:
        kind = next(kind for kind in ("one", "many", "value") if getattr(returns, kind) is not None)
        field = f"returns.{kind}"
        sql: str = getattr(returns, kind)
        base = self._try(field, lambda: self._query(sql, 1 if kind == "value" else None))
        if base is None:
            return None
        self._check_columns(base.columns, returns, field)
        if returns.page and not returns.order:
            self._note(SqlProblem("page needs an order", remedy="Name a total order."), "returns.page")
            return None
        pages = self._pages(base, returns)
        count = f"SELECT count(*) FROM (\n{base.sql}\n)"
        return Result(
            kind=kind,
            columns=base.columns,
            pages=pages,
            count=self._try(field, lambda: self._query(count)) if returns.page else None,
            types=_typed(base.columns, returns),
            after_write=self.tool.kind == "write",
        )

    def _check_columns(self, columns: tuple[str, ...], returns: Returns, field: str) -> None:
        twice = sorted({name for name in columns if columns.count(name) > 1})
        if twice:
            self._note(SqlProblem(f"returns two columns named {twice[0]!r}", remedy="Name one with AS."), field)
        for name in returns.types:
            if name not in columns and not (returns.value is not None and name == "value"):
                self._note(
                    SqlProblem(f"{name!r} is no column of the result", remedy=f"Columns: {', '.join(columns)}."),
                    f"returns.types.{name}",
                )

    def _pages(self, base: Statement, returns: Returns) -> dict[str | None, Statement]:
        orders: list[tuple[str | None, str | None]] = [
            (None, returns.order if isinstance(returns.order, str) else None)
        ]
        if isinstance(returns.order, OrderOptions):
            orders = [*returns.order.options.items()]
        found: dict[str | None, Statement] = {}
        for sort, order in orders:
            if order is None:
                found[sort] = base
                continue
            sql = f"SELECT * FROM (\n{base.sql}\n) ORDER BY {order}\n" + (
                " LIMIT :limit OFFSET :offset" if returns.page else ""
            )
            field = f"returns.order.options.{sort}" if sort else "returns.order"
            statement = self._try(field, partial(self._query, sql))
            if statement:
                found[sort] = statement
        return found

    def _check_contract(self) -> None:
        for name, contract in self.tool.contract.items():
            table = self.context.tables.get(name)
            if table is None or table.view:
                self._note(SqlProblem(f"{name!r} is no table"), f"contract.{name}")
                continue
            for column in [c for c in contract.update if c not in table.by_name]:
                self._note(SqlProblem(f"{name} has no column {column!r}"), f"contract.{name}.update")


def _typed(columns: tuple[str, ...], returns: Returns) -> dict[int, str]:
    """Position → type; the column of `value` also answers to the name `value`."""
    positions = {name: index for index, name in enumerate(columns)} | ({"value": 0} if returns.value else {})
    return {positions[name]: type_ for name, type_ in returns.types.items() if name in positions}


def _paging_params(returns: Returns) -> dict[str, Param]:
    params: dict[str, Param] = {}
    if isinstance(returns.order, OrderOptions):
        params["sort"] = Param(
            type="string",
            enum=tuple(returns.order.options),
            default=returns.order.default,
            description="Order of the items",
        )
    if returns.page:
        params["limit"] = Param(
            type="integer",
            minimum=1,
            maximum=returns.page.max,
            default=returns.page.default,
            description="Items to return",
        )
        params["offset"] = Param(type="integer", minimum=0, default=0, description="Items to skip")
    return params
