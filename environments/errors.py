"""Errors, named by the boundary they cross.

    EnvolveError
    ├── InputError        what the user gave is wrong            (exit code 2)
    │   └── PackageError  an environment package is wrong: file and field are named
    ├── ServiceError      the machine or a service refused       (exit code 3)
    └── WorldError        a world broke for a reason that no argument caused

An agent's mistakes are never exceptions: a tool call answers with a `ToolFailure` value.
"""

from __future__ import annotations

from typing import Any


class EnvolveError(Exception):
    """Base of all errors meant for people: says what happened, where, and what to do.

    `message` says what and where, `remedy` what to do about it (may be empty).
    """

    exit_code = 1

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross from worker processes; the default would call `__init__` without its keywords.
        return _restored, (type(self), self.args), self.__dict__


class InputError(EnvolveError):
    """What the user gave cannot be used."""

    exit_code = 2


class PackageError(InputError):
    """An environment package is wrong. `file` is relative to the package, `field` a dotted path (may be empty),
    `line` counts from 1 where it is known. `problems` holds every problem of the same kind that was found, the
    error itself first; `bare` is the message without the place."""

    def __init__(
        self, message: str, *, file: str, field: str = "", remedy: str = "", line: int | None = None
    ) -> None:
        place = f"{file}:{line}" if line is not None else file
        where = f"{place}: {field}" if field else place
        stop = "." if remedy and not message.endswith((".", "!", "?")) else ""
        super().__init__(f"{where}: {message}{stop}", remedy=remedy)
        self.bare = message
        self.file = file
        self.field = field
        self.line = line
        self.problems: tuple[PackageError, ...] = (self,)


class ServiceError(EnvolveError):
    """The machine or a service refused: disk full, folder locked, endpoint down."""

    exit_code = 3


class WorldError(EnvolveError):
    """A world failed for a reason that no argument caused; the rollout counts as `environment_error`."""

    exit_code = 3


def _restored(kind: type[EnvolveError], args: tuple[Any, ...]) -> EnvolveError:
    return kind.__new__(kind, *args)
