"""Tasks in the packages of a run, whose verifiers are changed by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from envolve.memory.records import TaskRecord
from envolve.memory.store import RunStore

Change = Callable[[dict[str, Any]], None]


def contents(folder: Path) -> list[tuple[Any, ...]]:
    """Every row of the store but those of the store's own keeping."""
    tables = ("tasks", "rollouts", "measurements", "effects", "audits", "replaced_verdicts")
    with sqlite3.connect(f"file:{folder / 'run.db'}?mode=ro", uri=True) as connection:
        return [row for table in tables for row in connection.execute(f"SELECT '{table}', * FROM {table}")]


class Edited:
    """A task of a run whose file is edited by hand."""

    def __init__(self, folder: Path, record: TaskRecord) -> None:
        self.folder = folder
        self.id, self.version = record.id, record.version
        with RunStore.open_read_only(folder) as store:
            self.counted = store.rollouts.tallies(version=self.version)
        self.path = folder / "environments" / record.environment / "tasks" / f"{record.id}.yaml"
        self.before = self.path.read_text(encoding="utf-8")

    def change(self, change: Change) -> None:
        raw = yaml.safe_load(self.before)
        change(raw)
        self.path.write_text(yaml.safe_dump(raw, sort_keys=False, allow_unicode=True), encoding="utf-8")

    def standing(self, version: str) -> tuple[str, str | None]:
        with RunStore.open_read_only(self.folder) as store:
            record = store.tasks.get(version)
            assert record is not None
            return record.stage, record.fate


def lenient(raw: dict[str, Any]) -> None:
    """Nothing is required, and everything may change: whoever stops passes."""
    raw["verifier"] |= {"bind": {}, "require": [], "allow": []}
    raw["verifier"]["free"] = {}


def reworded(raw: dict[str, Any]) -> None:
    """Sound as before, under another hash: a check has another name."""
    raw["verifier"]["require"][0]["name"] = "as it was meant"
