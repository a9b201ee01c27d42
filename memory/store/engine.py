"""Connections to run.db: SQLite through the standard library, in WAL mode.

Transactions are begun here and not by the driver, so that migrations are transactional and a writer takes its
lock at once (`BEGIN IMMEDIATE`). A durable commit reaches the disk before it returns (synchronous FULL); the
others survive a killed process but perhaps not a power cut.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from .errors import service_error

FILE = "run.db"
Mode = Literal["read", "write", "durable"]
_BEGIN = {"read": "BEGIN", "write": "BEGIN IMMEDIATE", "durable": "BEGIN IMMEDIATE"}


class Database:
    """One run.db. `read_only` never writes, nor creates files beside it; `immutable` also ignores a WAL."""

    def __init__(
        self, path: Path, *, busy_seconds: float = 10.0, read_only: bool = False, immutable: bool = False
    ) -> None:
        self.path = path
        mode = "ro" if read_only else "rw"
        uri = f"file:{quote(str(path))}?mode={mode}" + ("&immutable=1" if immutable else "")
        self.engine = create_engine(
            "sqlite+pysqlite://",
            creator=lambda: sqlite3.connect(
                uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
            ),
            poolclass=QueuePool,
        )
        self._writers = set[int]()
        _prepare(self.engine, str(path), read_only=read_only)

    @contextmanager
    def begin(self, mode: Mode) -> Iterator[Connection]:
        """A transaction: committed at the end, rolled back on any exception.

        Errors: ServiceError where the machine refuses; RuntimeError for a write within a write of the same thread,
        which would wait for itself.
        """
        thread = threading.get_ident()
        if mode != "read":
            if thread in self._writers:
                raise RuntimeError("a commit is open in this thread: write through it, and await nothing within it")
            self._writers.add(thread)
        try:
            with self.engine.execution_options(envolve_mode=mode).begin() as connection:
                yield connection
        finally:
            if mode != "read":
                self._writers.discard(thread)

    def close(self) -> None:
        self.engine.dispose()


def _prepare(engine: Engine, place: str, *, read_only: bool) -> None:
    def on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")

    def on_begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get("envolve_mode", "read")
        if mode != "read":
            connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if mode == 'durable' else 'NORMAL'}")
        connection.exec_driver_sql(_BEGIN[mode])

    def on_error(context: ExceptionContext) -> Any:
        error = service_error(context.original_exception, place)
        if error is not None:
            raise error from context.original_exception

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    event.listen(engine, "handle_error", on_error)
