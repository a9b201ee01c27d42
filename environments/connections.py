"""Connections that worlds and checks run on: in memory, bounded, with the world's time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import apsw

from .clock import VFS_NAME, world_vfs
from .limits import PAGE_SIZE, Limits

_QUANTUM = 100
"""Virtual machine steps between two looks at the budget. A function call is one step however long it takes, so there
cannot be many between two looks at the clock."""
_MOST_OPERATIONS = 100_000
"""Instructions of a prepared statement: views and generated columns built on each other multiply them."""
_CACHED_STATEMENTS = 256
"""Enough for every tool of a usual environment; a statement takes about 3 KB once it is used."""
_CACHE_KIB = 64
"""Page cache of a connection. The database is in memory already: a larger cache only holds it twice."""


class StepBudget:
    """Counts SQLite's steps. As a progress handler it says when a call has had enough.

    `spent` is None, `steps` or `seconds`: of processor time of the calling thread, so that no verdict depends on what
    else the machine does. The clock starts at the first look, so short calls never read it.
    """

    __slots__ = ("_deadline", "_left", "quanta", "seconds", "spent")

    def __init__(self, limits: Limits) -> None:
        self.quanta = limits.steps_per_call // _QUANTUM
        self.seconds = limits.seconds_per_call
        self.start()

    def start(self, times: int = 1) -> None:
        """Begin a new call, with `times` the usual steps."""
        self._left = self.quanta * times
        self._deadline = 0.0
        self.spent: Literal["steps", "seconds"] | None = None

    def __call__(self) -> bool:
        self._left -= 1
        if self._left < 0:
            self.spent = "steps"
        elif not self._deadline:
            self._deadline = time.thread_time() + self.seconds
        elif time.thread_time() > self._deadline:
            self.spent = "seconds"
        return self.spent is not None


def connect(
    image: bytes | None = None, *, limits: Limits | None = None, budget: StepBudget | None = None
) -> apsw.Connection:
    """A connection of its own to a copy of `image` (None: empty), with foreign keys on and limits set.

    Callers add functions and an authorizer, in this order: some settings need a connection without one. Time is
    whatever a WorldClock has entered on the calling thread.
    """
    limits = limits or Limits()
    world_vfs()
    connection = apsw.Connection(":memory:", vfs=VFS_NAME, statementcachesize=_CACHED_STATEMENTS)
    try:
        _configure(connection, image, limits, budget)
    except BaseException:
        connection.close(True)
        raise
    return connection


def connect_pages(image: bytes, *, limits: Limits | None = None, budget: StepBudget | None = None) -> apsw.Connection:
    """`connect`, with the image's pages as an ordinary database: serialized it is as it is now. One that was made of an
    image is serialized as it was last committed."""
    connection = connect(limits=limits, budget=budget)
    try:
        with connected(image) as source, connection.backup("main", source, "main") as pages:
            pages.step()
    except BaseException:
        connection.close(True)
        raise
    return connection


def check_references(connection: apsw.Connection) -> None:
    """Raise ConstraintError, as the end of the transaction would, for references that lead nowhere."""
    if connection.status(apsw.SQLITE_DBSTATUS_DEFERRED_FKS)[0]:
        raise apsw.ConstraintError("FOREIGN KEY constraint failed")


def _configure(connection: apsw.Connection, image: bytes | None, limits: Limits, budget: StepBudget | None) -> None:
    if image is None:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    else:
        connection.deserialize("main", image)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # Without these two, "confirmed" in double quotes is a string wherever no such column exists.
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, limits.value_bytes)
    connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, 100_000)
    connection.limit(apsw.SQLITE_LIMIT_COLUMN, 200)
    connection.limit(apsw.SQLITE_LIMIT_EXPR_DEPTH, 200)
    connection.limit(apsw.SQLITE_LIMIT_COMPOUND_SELECT, 100)
    connection.limit(apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200)
    connection.limit(apsw.SQLITE_LIMIT_TRIGGER_DEPTH, 20)
    connection.limit(apsw.SQLITE_LIMIT_VDBE_OP, _MOST_OPERATIONS)
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute(f"PRAGMA max_page_count = {limits.pages}").fetchall()
    connection.set_progress_handler(budget or StepBudget(limits), _QUANTUM)


@contextmanager
def connected(
    image: bytes | None = None, *, limits: Limits | None = None, budget: StepBudget | None = None
) -> Iterator[apsw.Connection]:
    """`connect`, closed at the end."""
    connection = connect(image, limits=limits, budget=budget)
    try:
        yield connection
    finally:
        connection.close(True)
