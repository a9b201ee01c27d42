"""Opening a store for reading only: while a run is live, from a read-only medium, or in an older format."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from ...environments.errors import ServiceError
from .engine import FILE, Database
from .migrate import check_format, copy_database, current_format, stored_format, upgrade


def open_for_reading(path: Path, scratch: Path) -> Database:
    """The database of `path`, or of a copy in the folder `scratch` where it cannot be read in place.

    A folder that cannot be written lacks the shared memory that WAL needs: without a WAL the file is read as
    it is, with one (the run was killed) both are copied. An older format is copied too, and upgraded there.
    """
    database = _in_place(path)
    if database is None:
        copy = scratch / FILE
        for source in (path, _wal(path)):
            shutil.copyfile(source, copy.with_name(source.name))
        return _upgraded(Database(copy))
    found = _format(database)
    if found == current_format():
        return database
    database.close()
    check_format(found, path)
    copy_database(path, scratch / FILE)
    return _upgraded(Database(scratch / FILE))


def _in_place(path: Path) -> Database | None:
    """None where the file can be opened neither with its WAL nor, having none, as it is."""
    for immutable in (False, True):
        if immutable and _wal(path).exists():
            return None
        database = Database(path, read_only=True, immutable=immutable)
        try:
            _format(database)
            return database
        except ServiceError as error:
            database.close()
            if immutable or not _is_refusal(error):
                raise
    return None


def _is_refusal(error: ServiceError) -> bool:
    """Whether the file system refused what WAL needs, rather than the file being damaged."""
    cause = error.__cause__
    name = cause.sqlite_errorname if isinstance(cause, sqlite3.OperationalError) else ""
    return name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


def _format(database: Database) -> str | None:
    with database.begin("read") as connection:
        return stored_format(connection)


def _upgraded(database: Database) -> Database:
    try:
        upgrade(database, backup=False)
    except BaseException:
        database.close()
        raise
    return database


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
