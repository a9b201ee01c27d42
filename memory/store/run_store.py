"""The run store: everything a run knows, in one database. The only truth; all else can be rebuilt from it."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import bindparam, insert, update

from ...environments.errors import InputError, ServiceError
from ..records import RunInfo, RunState, Vector
from .commit import Commit
from .engine import FILE, Database
from .mapping import fetch
from .migrate import sync, upgrade
from .queries import (
    AgentQueries,
    EnvironmentQueries,
    FindingQueries,
    OperatorQueries,
    Progress,
    RolloutQueries,
    TaskQueries,
    VectorKind,
    VectorQueries,
)
from .reading import open_for_reading
from .regrades import Regrades
from .staging import Staging
from .tables import EnvironmentRow, FindingRow, RunRow, TaskRow
from .work import Work, require_pending


class RunStore:
    """Made by `create`, `open` or `open_read_only`; close it when done (`with` does).

    Work and results are written through `work`, `staging`, `commit` and `regrades`; the other attributes only read.
    Errors: ServiceError wherever the machine refuses (disk full, locked, damaged); what is committed stays readable.
    """

    def __init__(self, database: Database, *, scratch: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self._database = database
        self._scratch = scratch
        self.work = Work(database)
        self.staging = Staging(database)
        self.progress = Progress(database)
        self.environments = EnvironmentQueries(database)
        self.tasks = TaskQueries(database)
        self.rollouts = RolloutQueries(database)
        self.operators = OperatorQueries(database)
        self.agents = AgentQueries(database)
        self.findings = FindingQueries(database)
        self.vectors = VectorQueries(database)
        self.regrades = Regrades(database)

    @classmethod
    def create(cls, folder: Path, config: dict[str, Any]) -> RunStore:
        """A new store in `folder` (made if missing). It is there whole or not at all.

        Errors: InputError if there is one already.
        """
        path = folder / FILE
        if path.exists():
            raise InputError(f"{folder} already holds a run.", remedy="Open it, or choose another name.")
        partial = folder / f"{FILE}.new"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for leftover in folder.glob(f"{partial.name}*"):
                leftover.unlink()
            partial.touch()
            _fill(partial, config)
            sync(partial)
            partial.rename(path)
            sync(folder)
        except OSError as error:
            raise ServiceError(f"{path}: {error.strerror}.", remedy="Check the folder's space and rights.") from error
        return cls(Database(path))

    @classmethod
    def open(cls, folder: Path, *, busy_seconds: float = 10.0) -> RunStore:
        """The store of a run, brought to the current format first (after a backup copy).

        Hold the run's lock. Errors: InputError if there is none or it is newer than this version of Envolve.
        """
        database = Database(_existing(folder), busy_seconds=busy_seconds)
        try:
            upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls(database)._checked()

    @classmethod
    def open_read_only(cls, folder: Path) -> RunStore:
        """The store for reading, while a run is live or from a medium that cannot be written.

        A store of an older format, or one whose folder cannot be written and that was not closed cleanly, is
        copied to a temporary folder first.
        """
        path = _existing(folder)
        scratch = tempfile.TemporaryDirectory(prefix="envolve-")
        try:
            return cls(open_for_reading(path, Path(scratch.name)), scratch=scratch)._checked()
        except BaseException:
            scratch.cleanup()
            raise

    @contextmanager
    def commit(self, key: str) -> Iterator[Commit]:
        """`with store.commit(key) as tx: tx.add_task(…)`: all of it is stored and the item closed, or nothing.

        On disk when it returns. Errors: AlreadyDone (with nothing written) if the item is closed, KeyError if it
        was not planned.
        """
        with self._database.begin("durable") as connection:
            commit = Commit(connection, key, require_pending(connection, key))
            yield commit
            commit.close()

    def info(self) -> RunInfo:
        """Errors: InputError if the database holds no run."""
        with self._database.begin("read") as connection:
            found = fetch(connection, RunInfo, RunRow)
        if not found:
            raise InputError(f"{self._database.path} holds no run.", remedy="Give the folder of an Envolve run.")
        return found[0]

    def update(
        self,
        *,
        state: RunState | None = None,
        config: dict[str, Any] | None = None,
        embedder: str | None = None,
        more_seconds: float = 0.0,
    ) -> None:
        """Change what is given; `more_seconds` is added to the run's wall time."""
        values = {"state": state, "config": config, "embedder": embedder}
        given = {name: value for name, value in values.items() if value is not None}
        with self._database.begin("durable") as connection:
            connection.execute(update(RunRow).values(seconds=RunRow.seconds + more_seconds, **given))

    def set_vectors(self, kind: VectorKind, vectors: Mapping[str, Vector]) -> None:
        """Replace stored vectors: environments by id, tasks by version, defects by the finding's number."""
        key = {"environments": EnvironmentRow.id, "tasks": TaskRow.version, "defects": FindingRow.id}[kind]
        change = update(key.class_).where(key == bindparam("named")).values(vector=bindparam("given"))
        rows = [{"named": int(name) if kind == "defects" else name, "given": vectors[name]} for name in vectors]
        if rows:
            with self._database.begin("durable") as connection:
                connection.execute(change, rows)

    def close(self) -> None:
        self._database.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _checked(self) -> RunStore:
        try:
            self.info()
        except BaseException:
            self.close()
            raise
        return self


def _existing(folder: Path) -> Path:
    path = folder / FILE
    if not path.is_file():
        raise InputError(f"There is no run in {folder}.", remedy="Give the folder of a run (it holds run.db).")
    return path


def _fill(path: Path, config: dict[str, Any]) -> None:
    database = Database(path)
    row = {
        "id": secrets.token_hex(8),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "config": config,
        "state": "running",
        "seconds": 0.0,
        "embedder": None,
    }
    try:
        upgrade(database, fresh=True)
        with database.begin("durable") as connection:
            connection.execute(insert(RunRow), [row])
    finally:
        database.close()
