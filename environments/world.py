"""A live world: one SQLite database in memory, its clock, its codes, and what changed in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import apsw

from .changes import ChangeSet, apart, check_texts, decode, net
from .clock import WorldClock
from .connections import StepBudget, connect
from .failures import CallFailed, failure_of, internal
from .fetching import fetched
from .functions import CodeMaker, add_functions
from .guard import Guard
from .limits import Limits
from .models import CallResult, RowChange
from .numbering import Numbers
from .plans import Change, Condition, LookUp, Plan, applies
from .results import read_result
from .schema import TableInfo
from .sql_text import SqlProblem
from .states.rows import ConnectionRows
from .values import SQLiteValue

Bound = dict[str, SQLiteValue]
_MOST_LOOKED_UP = 1 << 20
"""Characters of text that the look-ups of one call may hold."""


class World:
    """One actor's world. Use from one thread at a time; different worlds may run in different threads."""

    __slots__ = (
        "_budget",
        "_changesets",
        "_codes",
        "_connection",
        "_guard",
        "_last",
        "_limits",
        "_numbers",
        "_roles_json",
        "_tables",
        "actor_id",
        "clock",
        "failed",
        "roles",
    )

    def __init__(
        self,
        image: bytes,
        *,
        tables: Mapping[str, TableInfo],
        guard: Guard,
        clock: WorldClock,
        codes: CodeMaker,
        actor_id: int,
        roles: tuple[str, ...],
        limits: Limits,
        numbers: Numbers | None = None,
        changesets: tuple[bytes, ...] = (),
    ) -> None:
        self._tables = tables
        self._guard = guard
        self._codes = codes
        self._limits = limits
        self._changesets = list(changesets)
        self._numbers = numbers or Numbers(())
        self._last: ChangeSet | None = None
        self._budget = StepBudget(limits)
        self.failed: CallFailed | None = None
        """How the last call ended, if it failed in SQL."""
        self.clock = clock
        self.actor_id = actor_id
        self.roles = roles
        self._roles_json = json.dumps(roles)
        self._connection = self._opened(image)
        add_functions(self._connection, codes)
        if self._numbers.watched:
            self._connection.set_update_hook(self._numbers.note)
        self._connection.authorizer = guard

    def _opened(self, image: bytes) -> apsw.Connection:
        return connect(image, limits=self._limits, budget=self._budget)

    def call(self, plan: Plan, args: Mapping[str, Any]) -> tuple[CallResult, bytes]:
        """Call a tool: its result, and the changeset of the rows it changed (empty for reads and failures)."""
        self.failed = None
        problem = plan.arguments.problem(args)
        if problem:
            return CallFailed("invalid_argument", problem).result(), b""
        bound = plan.arguments.bind(args)
        bound["actor_id"] = self.actor_id
        bound["actor_roles"] = self._roles_json
        bound["now"] = self.clock.now
        bound["today"] = self.clock.today
        self.clock.enter()
        self._budget.start()
        try:
            if plan.writes:
                return self._write(plan, bound)
            return CallResult(ok=True, value=self._run(plan, bound)), b""
        except Exception as error:
            # Without the frames it was raised through: they hold the world, and it is kept by the world.
            self.failed = failure_of(error, self._budget).with_traceback(None)
            return self.failed.result(), b""

    def _write(self, plan: Plan, bound: Bound) -> tuple[CallResult, bytes]:
        codes = self._codes.made
        session = apsw.Session(self._connection, "main")
        try:
            session.attach()
            self._begin()
            value = self._run(plan, bound)
            # Before it is kept: collecting the changes may run into a limit too.
            changeset = session.changeset()
            check_texts(changeset)
            self._keep()
        except BaseException:
            self._codes.made = codes
            self._numbers.forget()
            spent = self._budget.spent
            self._budget.start()  # a call that ran out of steps must still be undone
            self._undo()
            self._budget.spent = spent
            raise
        finally:
            session.close()
        self.clock.tick()
        self._numbers.keep()
        if changeset:
            self._changesets.append(changeset)
        return CallResult(ok=True, value=value), changeset

    def _begin(self) -> None:
        self._connection.execute("BEGIN")

    def _keep(self) -> None:
        self._connection.execute("COMMIT")

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _run(self, plan: Plan, bound: Bound) -> Any:
        self._check_references(plan, bound)
        left = _MOST_LOOKED_UP
        for step in plan.steps:
            if isinstance(step, LookUp):
                left -= self._look_up(step, bound)
                if left < 0:
                    raise CallFailed("limit_exceeded", "The call handles too much data.", "look-ups hold too much")
            elif isinstance(step, Change):
                self._change(step, bound)
            elif applies(self.roles, plan.tool.roles, step.roles):
                self._require(step, bound)
        return read_result(plan.result, self._connection, bound, self._limits)

    def _check_references(self, plan: Plan, bound: Bound) -> None:
        execute = self._connection.execute
        for check in plan.references:
            missing = execute(check.found.sql, bound).fetchone()
            if missing:
                raise CallFailed(
                    "not_found", f"{check.param}: there is no {check.column} {missing[0]} in {check.table}."
                )
        for check in plan.references:
            if check.owned is None or not applies(self.roles, plan.tool.roles, check.roles):
                continue
            foreign = execute(check.owned.sql, bound).fetchone()
            if foreign and check.code == "not_found":
                raise CallFailed(
                    "not_found", f"{check.param}: there is no {check.column} {foreign[0]} in {check.table}."
                )
            if foreign:
                raise CallFailed(
                    check.code, f"{check.param}: {check.column} {foreign[0]} in {check.table} is not yours to use."
                )

    def _look_up(self, step: LookUp, bound: Bound) -> int:
        """Bind what a look-up finds; the characters of text in it."""
        row = self._connection.execute(step.statement.sql, bound).fetchone()
        if row is None:
            bound.update(dict.fromkeys(step.names))
            return 0
        bound.update(zip(step.names, row, strict=True))
        return sum(len(value) for value in row if isinstance(value, str | bytes))

    def _require(self, step: Condition, bound: Bound) -> None:
        row = self._connection.execute(step.statement.sql, bound).fetchone()
        if not row or not _true(row[0]):
            raise CallFailed(step.code, step.message.fill(bound), filled=(step.message, bound))

    def _change(self, step: Change, bound: Bound) -> None:
        rows = self._connection.execute(step.statement.sql, bound).fetchall()
        touched = self._connection.changes()
        if step.rows is not None and touched != step.rows:
            raise internal(f"touched {touched} rows instead of {step.rows}: {step.statement.sql}")
        if step.name is not None:
            bound[step.name] = rows[0][0] if rows else None

    def query(self, sql: str, bound: Mapping[str, SQLiteValue]) -> list[tuple[SQLiteValue, ...]]:
        """Rows of a checked read-only query. Raises what SQLite raises, TooBigError for more rows than anybody needs."""
        self.clock.enter()
        self._budget.start()
        try:
            return fetched(self._connection.execute(sql, bound))
        except SqlProblem as problem:
            raise apsw.TooBigError(problem.message) from problem

    def changes(self) -> ChangeSet:
        """What changed since the seed state, net."""
        if self._last is not None:
            return self._last
        found = net(self._changesets, self._tables)
        if not self._numbers.any_again:
            return found
        return ChangeSet(rows=tuple(part for change in found.rows for part in self._parts(change)))

    def _parts(self, change: RowChange) -> tuple[RowChange, ...]:
        """A change as it is; an update of a row whose number was given again as what it really is."""
        if change.op != "update" or not self._numbers.again(change.table, *change.key.values()):
            return (change,)
        columns = self._tables[change.table].stored
        self._budget.start()
        (row,) = ConnectionRows(self._connection).select(change.table, columns, change.key)
        return apart(change, dict(zip(columns, row, strict=True)))

    def rows(self, changeset: bytes) -> tuple[RowChange, ...]:
        """The rows of one call's changeset."""
        return decode(changeset, self._tables) if changeset else ()

    def image(self) -> bytes:
        """The database as it is now."""
        return self._connection.serialize("main")

    def fork(self) -> World:
        """A world of its own in the same state, with the same changes since the seed state behind it."""
        return World(
            self.image(),
            tables=self._tables,
            guard=self._guard,
            clock=WorldClock(self.clock.start, self.clock.seconds),
            codes=CodeMaker(self._codes.seed, self._codes.made),
            actor_id=self.actor_id,
            roles=self.roles,
            limits=self._limits,
            numbers=self._numbers.fork(),
            changesets=tuple(self._changesets),
        )

    def close(self) -> None:
        """Give the memory back. Closing twice is fine."""
        if self._numbers.any_again:
            self._last = self.changes()
        self._connection.close(True)


def _true(value: SQLiteValue) -> bool:
    """Only numbers other than 0 are true: a text is no answer to a condition."""
    return isinstance(value, int | float) and value != 0
