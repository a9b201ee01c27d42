"""checkpoints.db: where the graphs of unfinished items stand. It holds nothing that run.db does not, so whatever is
wrong with it is put aside, and each item goes on from what it has staged.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from ..memory.notices import Notice, Notify, log_notice
from ..memory.store.errors import service_error

if TYPE_CHECKING:
    from ..memory.store import RunStore

FILE = "checkpoints.db"

_REFUSALS = ("SQLITE_FULL", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR")
"""The machine's, which making the file anew would not help."""

_THREADS = "SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes"


@asynccontextmanager
async def checkpoints(folder: Path, *, notify: Notify = log_notice) -> AsyncIterator[AsyncSqliteSaver]:
    """The checkpointer of the run in `folder`. Nothing but plain values is ever read back from it.

    A damaged file is renamed to checkpoints.db.damaged and made anew, which `notify` hears of.
    Errors: ServiceError where the machine refuses.
    """
    path = folder / FILE
    async with AsyncExitStack() as stack:
        try:
            saver = await stack.enter_async_context(_opened(path))
        except sqlite3.Error as error:
            _put_aside(path, error, notify)
            saver = await stack.enter_async_context(_opened(path))
        yield saver


async def forget_closed(saver: AsyncSqliteSaver, store: RunStore) -> None:
    """Drop the threads of items that are closed: a kill between a commit and the forgetting leaves them."""
    pending = {item.key for item in store.work.items(status="pending")}
    for (thread,) in await saver.conn.execute_fetchall(_THREADS):
        if item_of(thread) not in pending:
            await saver.adelete_thread(thread)


def thread_of(key: str, number: int) -> str:
    """The thread of one of the tasks that an item works one after the other."""
    return f"{key}#{number}"


def item_of(thread: str) -> str:
    return thread.partition("#")[0]


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """Errors: sqlite3.Error for a file that is damaged or not of this kind."""
    async with aiosqlite.connect(path) as connection:
        await connection.execute("PRAGMA busy_timeout = 10000")
        saver = AsyncSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        await saver.setup()
        await _check(connection)
        yield saver


async def _check(connection: aiosqlite.Connection) -> None:
    found = [str(row[0]) for row in await connection.execute_fetchall("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise sqlite3.DatabaseError(found[0])
    await connection.execute_fetchall(_THREADS)


def _put_aside(path: Path, error: sqlite3.Error, notify: Notify) -> None:
    if getattr(error, "sqlite_errorname", "").startswith(_REFUSALS):
        raise service_error(error, str(path)) or error from error
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    aside = path.with_name(f"{path.name}.damaged")
    path.replace(aside)
    told = f"{path} was damaged ({error}); it is put aside as {aside.name}, and the run goes on without it."
    notify(Notice(kind="checkpoints", message=told))
