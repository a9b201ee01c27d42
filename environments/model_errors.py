"""Where in a YAML file a problem lies: from Pydantic's locations and dotted fields to places and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .errors import PackageError
from .yaml_text import Document
from .yaml_text import Path as Place

_LONGEST_VALUE = 80


def model_error(error: ValidationError, document: Document, file: str) -> PackageError:
    """The first problem; all of them are its `problems`."""
    found = [(_walk(document.value, details), details) for details in error.errors(include_url=False)]
    problems = tuple(_problem(path, details, document, file) for path, details in _telling(found))
    problems[0].problems = problems
    return problems[0]


def _telling(found: list[tuple[Place, ErrorDetails]]) -> Iterator[tuple[Place, ErrorDetails]]:
    """Without "is no text" where another reading of the same value got further."""
    for path, details in found:
        others = [other for other, said in found if said is not details and other[: len(path)] == path]
        if not others or not details["type"].endswith("_type"):
            yield path, details


def located(error: PackageError, documents: Mapping[str, Document]) -> PackageError:
    """The error with its line, as far as its field can be found in its file."""
    problems = tuple(_with_line(problem, documents) for problem in error.problems)
    problems[0].problems = problems
    return problems[0]


def _with_line(error: PackageError, documents: Mapping[str, Document]) -> PackageError:
    document = documents.get(error.file)
    if error.line is not None or document is None:
        return error
    line = document.line(_find(document.value, error.field))
    return PackageError(error.bare, file=error.file, field=error.field, remedy=error.remedy, line=line)


def _find(value: Any, field: str) -> Place:
    """The longest part of a dotted field that leads somewhere in the data. Keys may hold dots themselves."""
    path: list[str | int] = []
    parts = field.split(".")
    while parts:
        taken, key = _step_into(value, parts)
        if key is None:
            break
        path.append(key)
        value = _inside(value, key)
        parts = parts[taken:]
    return tuple(path)


def _step_into(value: Any, parts: list[str]) -> tuple[int, str | int | None]:
    """(how many parts lead one level down, the key or index there)."""
    if isinstance(value, dict):
        keys = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
        key = next((key for key in keys if key in value), None)
        return (0, None) if key is None else (key.count(".") + 1, key)
    if isinstance(value, list):
        index = next((i for i, item in enumerate(value) if _name(item) == parts[0]), None)
        if index is None and parts[0].isdecimal() and int(parts[0]) < len(value):
            index = int(parts[0])
        return 1, index
    return 0, None


def _name(item: Any) -> str | None:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def _problem(path: Place, details: ErrorDetails, document: Document, file: str) -> PackageError:
    message = str(details["msg"]).removeprefix("Value error, ")
    remedy = ""
    if details["type"] == "missing":
        message = "the field is missing"
    elif details["type"] == "extra_forbidden":
        message, remedy = "there is no such field", "Remove it, or correct its name."
    elif details["type"] not in ("unknown_step", "unknown_gold_step", "value_error"):
        message = f"{message}, not {_shortened(details['input'])}"
    return PackageError(
        message, file=file, field=_dotted(document.value, path), line=document.line(path), remedy=remedy
    )


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def _walk(value: Any, details: ErrorDetails) -> Place:
    """The place in the data that a Pydantic location means: without the names of union members."""
    path: list[str | int] = []
    for part in details["loc"]:
        if _holds(value, part):
            path.append(part)
            value = value[part]
    return (*path, details["loc"][-1]) if details["type"] == "missing" else tuple(path)


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _dotted(value: Any, path: Place) -> str:
    """The path with members of lists called by their name, where they have one."""
    parts = []
    for part in path:
        value = _inside(value, part)
        parts.append((_name(value) if isinstance(part, int) else None) or str(part))
    return ".".join(parts)


def _inside(value: Any, part: str | int) -> Any:
    return value[part] if _holds(value, part) else None
