"""Older stores are upgraded in place after a backup; newer and foreign ones are refused, unharmed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from sqlalchemy.types import TypeDecorator

from envolve.environments.errors import InputError, ServiceError
from envolve.memory import RunStore
from envolve.memory.store.engine import Database
from envolve.memory.store.migrate import MIGRATIONS, current_format, upgrade
from envolve.memory.store.tables import Base

RUN = "INSERT INTO run VALUES ('old', '2026-01-01', '{\"seed\":1}', 'stopped', 3.5, NULL)"
WORK = (
    "INSERT INTO rounds VALUES (0, '{}', 'done')",
    "INSERT INTO items VALUES ('k', 0, 'new', '{}', 'done', NULL, NULL, '', 1, 2.0, 3, 0.25)",
    "INSERT INTO environments VALUES"
    " (1, 'w', 'h', '{}', 'c', 'admitted', '', 1, 2, 3, 't', '{\"parts\":{}}', NULL, '{}', 'train', 0, 'k')",
)
TASK = (
    '\'r\', \'w\', \'audited\', \'broken\', \'\', \'{"id":"r","instruction":"do","actor":{"roles":["host"],"id":1},'
    "\"goal\":{\"text\":\"done\"}}', '{}', NULL, NULL, 0, 't1', 'train', 't', '{\"parts\":{}}', NULL, 1, 'k'"
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder of a run whose store only the first migration has seen."""
    path = tmp_path / "run.db"
    path.touch()
    database = Database(path)
    upgrade(database, to="0001", fresh=True)
    database.close()
    execute(path, RUN, *WORK)
    return tmp_path


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def format_of(path: Path) -> Any:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def test_an_old_store_is_upgraded_after_a_backup(old: Path, make: Any) -> None:
    with RunStore.open(old) as store:
        assert store.info().seconds == 3.5
        assert [card.id for card in store.environments.cards()] == ["w"]
        make.plan(store, "l", number=1)
        with store.commit("l") as tx:
            tx.add_agent_steps([make.step()])
        assert len(store.agents.steps()) == 1
    assert format_of(old / "run.db") == current_format()
    assert format_of(old / "run.db.v0001.bak") == "0001"
    with closing(sqlite3.connect(old / "run.db.v0001.bak")) as backup:
        assert backup.execute("SELECT id FROM environments").fetchall() == [("w",)]


def test_when_fates_were_set_is_told_from_measurements(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    path.touch()
    database = Database(path)
    upgrade(database, to="0002", fresh=True)
    database.close()
    execute(
        path,
        RUN,
        *WORK,
        *(f"INSERT INTO tasks VALUES ({n}, 't{n}', {TASK})" for n in (1, 2)),
        "INSERT INTO measurements VALUES (1, 't1', 'p', 's', 'measure', 0, 6, 0, 'too_hard', '{}', 0, 4, 'k')",
    )
    with RunStore.open(tmp_path) as store:
        found = {row.key: row.settled_round for row in store.vectors.rows("tasks")}
        assert found == {"t1": 4, "t2": 1}
        assert [row.settled_round for row in store.vectors.rows("environments")] == [0]


@pytest.mark.parametrize("way", [("0003", "0004", "0005"), ("0005",), ()])
def test_tasks_of_older_stores_stand_alone(tmp_path: Path, way: tuple[str, ...]) -> None:
    """However many versions were used since: a refusal and its twin were two tasks, and no verdict was replaced."""
    path = tmp_path / "run.db"
    path.touch()
    database = Database(path)
    upgrade(database, to="0002", fresh=True)
    execute(path, RUN, *WORK, *(f"INSERT INTO tasks VALUES ({n}, 't{n}', {TASK})" for n in (1, 2)))
    for version in way:
        upgrade(database, to=version)
    database.close()
    with RunStore.open(tmp_path) as store:
        assert [record.twin_of for record in store.tasks.all()] == [None, None]
        assert (store.progress.funnel().proposed, store.progress.funnel().pairs) == (2, 0)
        assert store.regrades.replaced() == []
        assert store.rollouts.stored("t1") == []
    assert format_of(path) == current_format()


def test_a_current_store_is_not_copied(store: RunStore, folder: Path) -> None:
    RunStore.open(folder).close()
    assert not list(folder.glob("*.bak"))


def test_an_old_store_is_read_without_touching_it(old: Path) -> None:
    before = (old / "run.db").read_bytes()
    with RunStore.open_read_only(old) as store:
        assert store.progress.status().state == "stopped"
        assert store.agents.steps() == []
    assert (old / "run.db").read_bytes() == before
    assert format_of(old / "run.db") == "0001"


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    execute(old / "run.db", "CREATE TABLE effects (surprise TEXT)")
    with pytest.raises(Exception, match="effects already exists"):
        RunStore.open(old)
    with closing(sqlite3.connect(old / "run.db")) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "agent_steps" not in names
    assert format_of(old / "run.db") == "0001"


@pytest.mark.parametrize("opening", [RunStore.open, RunStore.open_read_only])
def test_a_newer_store_is_refused_by_name(store: RunStore, folder: Path, opening: Any) -> None:
    execute(folder / "run.db", "UPDATE alembic_version SET version_num = '0907'")
    with pytest.raises(InputError) as refused:
        opening(folder)
    assert "format 0907" in refused.value.message
    assert f"up to format {current_format()}" in refused.value.message
    assert "Install the version" in refused.value.remedy
    assert not list(folder.glob("*.bak"))


def test_another_database_is_refused(tmp_path: Path) -> None:
    execute(tmp_path / "run.db", "CREATE TABLE other (x)")
    with pytest.raises(InputError, match="not a run store"):
        RunStore.open(tmp_path)


def test_a_damaged_old_store_is_not_migrated(old: Path) -> None:
    path = old / "run.db"
    execute(path, *(f"INSERT INTO rounds VALUES ({n}, '{'x' * 500}', 'done')" for n in range(1, 200)))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = b"\xff" * 8192
    path.write_bytes(data)
    with pytest.raises(ServiceError, match="damaged"):
        RunStore.open(old)
    assert not list(old.glob("*.bak"))


def test_migrations_make_the_tables_of_the_code(folder: Path, store: RunStore) -> None:
    engine = create_engine(f"sqlite:///{folder / 'run.db'}")

    def same_type(_context: Any, _inspected: Any, _metadata: Any, inspected: Any, declared: Any) -> bool:
        storage = declared.impl_instance if isinstance(declared, TypeDecorator) else declared
        return inspected._type_affinity is not storage._type_affinity

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": same_type})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_files_are_numbered_as_their_migrations() -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    found = [(revision.revision, Path(revision.path).name[:4]) for revision in script.walk_revisions()]
    assert all(number == revision for revision, number in found)
    assert found[0][0] == current_format()


def test_the_tables_are_plain_enough_for_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # untyped in SQLAlchemy
    for table in Base.metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))


def test_versions_that_were_replaced_count_no_more(tmp_path: Path) -> None:
    """Before they had a fate of their own they were told as duplicates, or by what their verifiers got wrong."""
    path = tmp_path / "run.db"
    path.touch()
    database = Database(path)
    upgrade(database, to="0002", fresh=True)
    execute(path, RUN, *WORK, *(f"INSERT INTO tasks VALUES ({n}, 't{n}', {TASK})" for n in (1, 2)))
    upgrade(database, to="0006")
    database.close()
    changed = "stage = 'proposed', fate = 'duplicate', reason = 'its verifier was changed: t2'"
    execute(path, f"UPDATE tasks SET {changed} WHERE version = 't1'")
    with RunStore.open(tmp_path) as store:
        assert [record.fate for record in store.tasks.all()] == ["replaced", "broken"]
        assert (store.progress.funnel().proposed, store.progress.funnel().rejected) == (1, {"broken": 1})
