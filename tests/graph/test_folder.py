"""What a run's folder refuses, with a way out."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from pathlib import Path

from envolve.memory.store import RunStore

from .conftest import SMALL, contents, finish, start
from .moments import kill, wait_until


def refused(process: subprocess.Popen[str], code: int) -> str:
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "Traceback" not in err
    return err


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = start(folder, *SMALL)
    wait_until(first, (folder / "run.db").exists)
    assert str(first.pid) in refused(start(folder, *SMALL), 3)
    kill(first)


def test_changed_options_are_named(undisturbed: Path) -> None:
    err = refused(start(undisturbed, "--seed", "12", "--band", "0.3:0.7"), 2)
    assert "seed 11, now 12" in err
    assert "band 0.2:0.6, now 0.3:0.7" in err
    assert f"Start another: envolve run {undisturbed}-2" in err


def test_more_may_be_asked_for(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    with RunStore.open_read_only(folder) as store:
        (held,) = store.tasks.in_band().values()
    status = finish(start(folder, "--tasks", str(held + 1), "--json"))
    assert status["environments"][0]["in_band"] > held


def test_a_finished_run_has_nothing_to_do(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    assert finish(start(folder, "--json"))["state"] == "done"
    assert contents(folder) == contents(undisturbed)


def test_a_store_of_a_newer_version_is_refused(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    connection = sqlite3.connect(folder / "run.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    assert "9999" in refused(start(folder), 2)


def test_other_peoples_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("chapter one", encoding="utf-8")
    assert "other files" in refused(start(tmp_path), 2)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_a_kill_at_the_very_beginning_leaves_is_no_obstacle(tmp_path: Path) -> None:
    for left in ("run.lock", "config.yaml.new", "run.db.new", "run.db.new-wal", "run.db.new-shm"):
        (tmp_path / left).touch()
    process = start(tmp_path, *SMALL, "--max-time", "1s")
    assert finish(process)["state"] == "stopped"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("", encoding="utf-8")
    assert "is a file" in refused(start(tmp_path / "run"), 2)


def test_a_damaged_config_is_named(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    layers = "\n".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 12))
    for text in ("environments: [", f"b0: &b0 [x, x]\n{layers}\n"):
        (folder / "config.yaml").write_text(text, encoding="utf-8")
        assert "config.yaml" in refused(start(folder), 2)


def test_a_lost_config_is_that_of_the_store(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    (folder / "config.yaml").unlink()
    assert finish(start(folder, "--json"))["state"] == "done"
    assert "seed: 11" in (folder / "config.yaml").read_text(encoding="utf-8")
