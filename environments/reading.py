"""Reading a package's files: sizes, text, YAML, models. Whatever is wrong names file, field and line."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from .errors import InputError, PackageError
from .models import EnvironmentSpec, Task, ToolsFile
from .resolution import TOOLS_FILE
from .seed_file import seed_from_database
from .spec_checks import SPEC_FILE
from .yaml_text import Document, parse_yaml
from .yaml_text import Path as Place

_M = TypeVar("_M", bound=BaseModel)
_MEGABYTE = 1 << 20
_SIZES = {".yaml": 4 * _MEGABYTE, ".sql": 32 * _MEGABYTE, ".db": 64 * _MEGABYTE}
_MOST_TASKS = 10_000


class Files(NamedTuple):
    """The content of a package folder."""

    spec: EnvironmentSpec
    schema_sql: str
    seed_sql: str
    tools: ToolsFile
    tasks: tuple[Task, ...]


def read_package(folder: Path) -> Files:
    """Raises InputError if there is no such folder, PackageError for what is wrong in it."""
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is no environment package.", remedy="Give the folder of environment.yaml.")
    spec = read_model(folder, SPEC_FILE, EnvironmentSpec)
    tools = read_model(folder, TOOLS_FILE, ToolsFile)
    schema_sql = _text(folder, "schema.sql")
    return Files(spec, schema_sql, _seed(folder, schema_sql, spec.clock), tools, _tasks(folder))


def _seed(folder: Path, schema_sql: str, clock: str) -> str:
    has_sql, has_db = ((folder / name).exists() for name in ("seed.sql", "seed.db"))
    if has_sql and has_db:
        raise PackageError("there are both seed.sql and seed.db", file="seed.db", remedy="Remove one.")
    if has_db:
        return seed_from_database(_bytes(folder, "seed.db"), schema_sql, clock)
    return _text(folder, "seed.sql")


def _tasks(folder: Path) -> tuple[Task, ...]:
    names = sorted(path.name for path in (folder / "tasks").glob("*.yaml"))
    if len(names) > _MOST_TASKS:
        raise PackageError(f"there are more than {_MOST_TASKS:,} tasks", file="tasks")
    tasks = []
    for name in names:
        task = read_model(folder, f"tasks/{name}", Task)
        if f"{task.id}.yaml" != name:
            raise PackageError(
                f"is {task.id!r}, unlike the file's name",
                file=f"tasks/{name}",
                field="id",
                remedy="Rename one of them.",
            )
        tasks.append(task)
    return tuple(tasks)


def read_model(folder: Path, file: str, model: type[_M]) -> _M:
    """A YAML file of the package as a model."""
    document = parse_yaml(_text(folder, file), file)
    if not isinstance(document.value, dict):
        raise PackageError("is not a mapping of fields", file=file, line=1)
    _check_format(document, file)
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        raise _first_problem(error, document, file) from error


def _check_format(document: Document, file: str) -> None:
    given = document.value.get("format")
    if given != 1:
        what = "is missing" if "format" not in document.value else f"is {given!r}"
        raise PackageError(
            f"{what}; this version reads format 1",
            file=file,
            field="format",
            line=document.line(("format",)),
            remedy="Begin the file with `format: 1`, or use the version that wrote it.",
        )


def _first_problem(error: ValidationError, document: Document, file: str) -> PackageError:
    problems = tuple(_problem(details, document, file) for details in error.errors(include_url=False))
    problems[0].problems = problems
    return problems[0]


def _problem(details: Any, document: Document, file: str) -> PackageError:
    path = _walk(document.value, details["loc"])
    message = str(details["msg"]).removeprefix("Value error, ")
    remedy = ""
    if details["type"] == "missing":
        message = "the field is missing"
    elif details["type"] == "extra_forbidden":
        message, remedy = "there is no such field", "Remove it, or correct its name."
    elif details["type"] not in ("unknown_step", "unknown_gold_step", "value_error"):
        message = f"{message}, not {_shortened(details['input'])}"
    return PackageError(
        message, file=file, field=_named(document.value, path), line=document.line(path), remedy=remedy
    )


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "…"


def _walk(value: Any, loc: tuple[str | int, ...]) -> Place:
    """The place in the data that a Pydantic location means: without the names of union members."""
    path: list[str | int] = []
    for index, part in enumerate(loc):
        inside = (isinstance(value, dict) and part in value) or (isinstance(value, list) and isinstance(part, int))
        if inside:
            path.append(part)
            value = value[part]
        elif index == len(loc) - 1 and isinstance(value, dict):
            path.append(part)
    return tuple(path)


def _named(value: Any, path: Place) -> str:
    """The path with tools called by their name, as findings call them."""
    parts = []
    for part in path:
        value = _inside(value, part)
        named = isinstance(part, int) and isinstance(value, dict) and isinstance(value.get("name"), str)
        parts.append(str(value["name"] if named else part))
    return ".".join(parts)


def _inside(value: Any, part: str | int) -> Any:
    """The value at `part` of a mapping or list; None if there is none."""
    if isinstance(value, dict):
        return value.get(part)
    return value[part] if isinstance(value, list) and isinstance(part, int) and part < len(value) else None


def _text(folder: Path, file: str) -> str:
    try:
        return _bytes(folder, file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackageError(f"is not UTF-8 text: {error.reason} at byte {error.start}", file=file) from error


def _bytes(folder: Path, file: str) -> bytes:
    path = folder / file
    limit = _SIZES[path.suffix]
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise PackageError("is no ordinary file", file=file)
        if status.st_size > limit:
            raise PackageError(f"is larger than {limit // _MEGABYTE} MB", file=file)
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PackageError("the file is missing", file=file, remedy=f"A package has a {file}.") from error
    except OSError as error:
        raise PackageError(f"cannot be read: {error.strerror}", file=file) from error
