"""What a database error means to a person: which error, and what to do."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import OperationalError as DriverOperationalError

from ...environments.errors import ServiceError

_KEPT = "What was committed before is kept: run the same command again to go on."
_BY_NAME = (
    (("SQLITE_FULL",), "the disk is full", f"Free some space. {_KEPT}"),
    (("SQLITE_READONLY",), "the file or its folder is read-only", "Make the run's folder writable, or copy it."),
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        "another process holds the database",
        f"Find it with `fuser`, let it finish or end it. {_KEPT}",
    ),
    (
        ("SQLITE_CORRUPT", "SQLITE_NOTADB"),
        "the file is damaged",
        "Keep a copy; get back what is readable with `sqlite3 run.db .recover`, or use a backup (run.db.v*.bak).",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"),
        "the file cannot be opened",
        "Check that it exists and is yours.",
    ),
    (("SQLITE_IOERR",), "the disk refused to read or write", f"Check space, quota and limits of the disk. {_KEPT}"),
)


class AlreadyDone(Exception):
    """The work key was closed before: its results are in the store and nothing is written again."""

    def __init__(self, key: str) -> None:
        super().__init__(f"work item {key!r} is already closed")
        self.key = key


def service_error(error: BaseException, place: str) -> ServiceError | None:
    """The error for people, or None where `error` is a programming mistake (a broken constraint, wrong SQL)."""
    if isinstance(error, sqlite3.DatabaseError):
        return _from_sqlite(error, place)
    if isinstance(error, DriverOperationalError):
        return ServiceError(f"{place}: {error.orig}", remedy="Check that the database server is up and reachable.")
    if isinstance(error, DBAPIError) and isinstance(error.orig, BaseException):
        return service_error(error.orig, place)
    return None


def _from_sqlite(error: sqlite3.DatabaseError, place: str) -> ServiceError | None:
    name = getattr(error, "sqlite_errorname", "")
    for prefixes, meaning, remedy in _BY_NAME:
        if name.startswith(prefixes):
            return ServiceError(f"{place}: {meaning} ({error}).", remedy=remedy)
    return None
