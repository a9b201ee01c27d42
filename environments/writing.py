"""Writing a package: whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from .errors import ServiceError
from .models import EnvironmentSpec, Task, ToolsFile
from .yaml_text import dump_yaml

_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})


def package_files(spec: EnvironmentSpec, schema_sql: str, seed_sql: str, tools: ToolsFile) -> dict[str, str]:
    """The files of a package, tasks aside."""
    return {
        "environment.yaml": model_yaml(spec),
        "schema.sql": schema_sql,
        "seed.sql": seed_sql,
        "tools.yaml": model_yaml(tools),
    }


def task_files(tasks: Iterable[Task]) -> dict[str, str]:
    return {f"tasks/{task.id}.yaml": model_yaml(task) for task in tasks}


def model_yaml(model: BaseModel) -> str:
    """A model as YAML: `format` first, fields that were left at their default left out."""
    given: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return dump_yaml({"format": 1} | _kept(model, _whole_bounds(given) if isinstance(model, ToolsFile) else given))


def _whole_bounds(value: Any) -> Any:
    """Bounds of parameters are floats in the model; `minimum: 1` reads better than 1.0."""
    if isinstance(value, list):
        return [_whole_bounds(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: int(item) if key in _BOUNDS and isinstance(item, float) and item.is_integer() else _whole_bounds(item)
        for key, item in value.items()
    }


def _kept(model: BaseModel, given: dict[str, Any]) -> dict[str, Any]:
    """A submission at its defaults would vanish and leave `submit: {}`: say `status: done`."""
    if isinstance(model, Task) and given.get("gold"):
        last = given["gold"][-1]
        given["gold"][-1] = {"submit": {"status": "done"} | last.get("submit", {})}
    return given


def write_new(folder: Path, name: str, files: Mapping[str, str]) -> Path:
    """Write `folder/name` with these files unless it exists: to a temporary folder, synced, renamed.

    Raises ServiceError if the disk refuses.
    """
    target = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            _write_folder(folder, target, files)
    except OSError as error:
        raise ServiceError(
            f"Cannot write {str(target)!r}: {error.strerror or error}.", remedy="Check space and permissions."
        ) from error
    return target


def _write_folder(folder: Path, target: Path, files: Mapping[str, str]) -> None:
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        for name, text in files.items():
            path = temporary / name
            path.parent.mkdir(exist_ok=True)
            _write_synced(path, text)
        for path in {temporary, *(path.parent for path in temporary.rglob("*"))}:
            _sync_folder(path)
        temporary.chmod(0o755)
        _rename(temporary, target)
        _sync_folder(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _rename(temporary: Path, target: Path) -> None:
    try:
        temporary.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def write_beside(target: Path, files: Mapping[str, str]) -> None:
    """Write or replace single files of an existing package, each whole or not at all. Raises ServiceError."""
    try:
        for name, text in files.items():
            path = target / name
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            path.parent.mkdir(exist_ok=True)
            temporary = path.with_name(f".{path.name}.new")
            _write_synced(temporary, text)
            temporary.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        raise ServiceError(
            f"Cannot write into {str(target)!r}: {error.strerror or error}.", remedy="Check space and permissions."
        ) from error


def _write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
