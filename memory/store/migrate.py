"""Bringing a store to the current format: numbered Alembic migrations, one transaction, a backup copy first."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, inspect, text

from ...environments.errors import InputError, ServiceError
from .engine import Database
from .errors import service_error

MIGRATIONS = Path(__file__).parent / "migrations"


def current_format() -> str:
    """The format that this version of Envolve writes, such as `0002`."""
    return _revisions()[-1]


def stored_format(connection: Connection) -> str | None:
    """The format of an open store; None if it has none (an empty or foreign database)."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(database: Database, *, to: str | None = None, backup: bool = True, fresh: bool = False) -> Path | None:
    """Migrate to format `to` (absent: the current one). Returns the backup, or None if nothing had to be done.

    Only with `fresh` is an empty file made into a store. Errors: InputError for a newer store or one that is not
    a run store, ServiceError for a damaged one or where the disk refuses.
    """
    target = to or current_format()
    with database.begin("read") as connection:
        found = stored_format(connection)
        if found is None:
            _check_empty(connection, database.path, fresh)
    check_format(found, database.path)
    if found == target:
        return None
    copy = back_up(database.path, found) if backup and found is not None else None
    _migrate(database, target)
    return copy


def _check_empty(connection: Connection, path: Path, fresh: bool) -> None:
    if inspect(connection).get_table_names():
        raise InputError(f"{path} is a database, but not a run store.", remedy="Give the folder of an Envolve run.")
    if not fresh:
        raise ServiceError(
            f"{path} is damaged: it is empty.", remedy="Use a backup (run.db.v*.bak), or start the run anew."
        )


def check_format(found: str | None, path: Path) -> None:
    """Errors: InputError if the store was written by a newer version."""
    if found is not None and found not in _revisions():
        raise InputError(
            f"{path} has format {found}; this version of Envolve reads up to format {current_format()}.",
            remedy="Install the version that wrote it, or a later one.",
        )


def back_up(path: Path, found: str) -> Path:
    """A consistent copy beside the store, `run.db.v<format>.bak`, synced to disk. A damaged store is refused."""
    target = path.with_name(f"{path.name}.v{found}.bak")
    partial = target.with_name(f"{target.name}.part")
    try:
        copy_database(path, partial)
        os.replace(partial, target)
    except sqlite3.DatabaseError as error:
        raise service_error(error, str(path)) or error from error
    except OSError as error:
        raise ServiceError(
            f"{target}: {error.strerror}.", remedy="Free some space; the store is unchanged."
        ) from error
    return target


def copy_database(source: Path, target: Path) -> None:
    """Copy a database with what its WAL holds, check the copy and sync it."""
    target.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as read,
        closing(sqlite3.connect(target)) as write,
    ):
        read.backup(write)
        damage = write.execute("PRAGMA quick_check(1)").fetchone()[0]
    if damage != "ok":
        raise ServiceError(f"{source} is damaged: {damage}.", remedy="Get back what is readable with `.recover`.")
    sync(target)


def sync(path: Path) -> None:
    """Flush a file, or a folder's entries, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _revisions() -> list[str]:
    """Known formats, oldest first: each migration's file begins with the one it leads to."""
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))


def _migrate(database: Database, target: str) -> None:
    from alembic import command
    from alembic.config import Config

    with database.begin("durable") as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        command.upgrade(config, target)
