"""Reading a package's files: sizes, text, YAML, models. Whatever is wrong names file, field and line."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from .errors import InputError, PackageError
from .model_errors import model_error
from .models import EnvironmentSpec, Task, ToolsFile
from .resolution import TOOLS_FILE
from .seed_file import SEED_DATABASE, seed_from_database
from .spec_checks import SPEC_FILE, check_clock
from .yaml_text import Document, parse_yaml

_M = TypeVar("_M", bound=BaseModel)
_MEGABYTE = 1 << 20
_SIZES = {".yaml": 4 * _MEGABYTE, ".sql": 32 * _MEGABYTE, ".db": 64 * _MEGABYTE}
_MOST_TASKS = 10_000


class PackageFiles:
    """The content of a package folder, read on construction.

    Raises InputError if there is no such folder, PackageError for what is wrong in it.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(
                f"{str(folder)!r} is no environment package.", remedy="Give the folder that holds environment.yaml."
            )
        self._folder = folder
        self.documents: dict[str, Document] = {}
        """The YAML files by name, for the lines of what is found wrong later."""
        self.spec = self._model(SPEC_FILE, EnvironmentSpec)
        self.tools = self._model(TOOLS_FILE, ToolsFile)
        self.schema_sql = self._text("schema.sql")
        self.seed_sql = self._seed()
        self.tasks = self._tasks()

    def _seed(self) -> str:
        has_sql, has_db = ((self._folder / name).exists() for name in ("seed.sql", SEED_DATABASE))
        if has_sql and has_db:
            raise PackageError("there is a seed.sql too", file=SEED_DATABASE, remedy="Remove one of them.")
        if has_db:
            check_clock(self.spec)
            return seed_from_database(self._bytes(SEED_DATABASE), self.schema_sql, self.spec.clock)
        return self._text("seed.sql")

    def _tasks(self) -> tuple[Task, ...]:
        names = sorted(path.name for path in (self._folder / "tasks").glob("*.yaml"))
        if len(names) > _MOST_TASKS:
            raise PackageError(f"there are more than {_MOST_TASKS:,} tasks", file="tasks")
        return tuple(self._task(f"tasks/{name}") for name in names if not name.startswith("."))

    def _task(self, file: str) -> Task:
        task = self._model(file, Task)
        if f"tasks/{task.id}.yaml" != file:
            line = self.documents[file].line(("id",))
            raise PackageError(
                f"is {task.id!r}, unlike the file's name",
                file=file,
                field="id",
                line=line,
                remedy="Rename one of them.",
            )
        return task

    def _model(self, file: str, model: type[_M]) -> _M:
        document = parse_yaml(self._text(file), file)
        self.documents[file] = document
        _check_format(document, file)
        try:
            return model.model_validate(document.value)
        except ValidationError as error:
            raise model_error(error, document, file) from error

    def _text(self, file: str) -> str:
        try:
            return self._bytes(file).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise PackageError(f"is not UTF-8 text: {error.reason} at byte {error.start}", file=file) from error

    def _bytes(self, file: str) -> bytes:
        path = self._folder / file
        limit = _SIZES[path.suffix]
        try:
            status = path.stat()
            if not path.resolve().is_relative_to(self._folder.resolve()):
                raise PackageError(
                    "is a link that leads out of the package", file=file, remedy="Put the file itself there."
                )
            if not stat.S_ISREG(status.st_mode):
                raise PackageError("is no ordinary file", file=file)
            if status.st_size > limit:
                raise PackageError(f"is larger than {limit // _MEGABYTE} MB", file=file)
            return path.read_bytes()
        except FileNotFoundError as error:
            raise PackageError("the file is missing", file=file, remedy=f"A package has a {file}.") from error
        except OSError as error:
            raise PackageError(f"cannot be read: {error.strerror}", file=file) from error


def _check_format(document: Document, file: str) -> None:
    if not isinstance(document.value, dict):
        raise PackageError("is not a mapping of fields", file=file, line=1)
    given = document.value.get("format")
    if given == 1 and isinstance(given, int) and not isinstance(given, bool):
        return
    what = f"is {given!r}" if "format" in document.value else "the field is missing"
    raise PackageError(
        f"{what}; this version reads format 1",
        file=file,
        field="format",
        line=document.line(("format",)),
        remedy="Begin the file with `format: 1`, or use the version of Envolve that wrote it.",
    )
