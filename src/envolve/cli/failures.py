"""Turns an exception into a message for people and an exit code."""

from __future__ import annotations

import errno
from typing import NamedTuple

from envolve.environments.errors import EnvolveError, PackageError

from .output import warn

FULL = "Free some space, then run the same command again: what was written stays readable."
READ_ONLY = "Choose a place that can be read and written, or change its permissions."
REPORT_IT = "This is a fault in Envolve. Run it again with --debug to see where."

_MOST_PROBLEMS = 20
_SCHEMAS = {"environment.yaml": "environment", "tools.yaml": "tools", "tasks/": "task"}
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM}


class Failure(NamedTuple):
    """What to tell: what happened and where, what to do about it (may be empty), and the exit code."""

    message: str
    remedy: str
    code: int


def explain(error: BaseException) -> int:
    """Tell standard error what happened, where and what to do; return the exit code."""
    failure = describe(error)
    warn(f"envolve: {failure.message}")
    for problem in _others(error):
        warn(f"  also {problem.message}")
    if failure.remedy:
        warn("  → " + failure.remedy.replace("\n", "\n    "))
    return failure.code


def describe(error: BaseException) -> Failure:
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return describe(error.exceptions[0])
    if isinstance(error, EnvolveError):
        remedy = error.remedy or (_mending(error) if isinstance(error, PackageError) else "")
        return Failure(error.message, remedy, max(error.exit_code, 2))
    if isinstance(error, OSError):
        return _of_system(error)
    if isinstance(error, MemoryError):
        return Failure("The machine has no memory left for this.", "Use fewer --jobs, or a larger machine.", 3)
    refusal = _of_store(error)
    if refusal is not None:
        return Failure(refusal.message, refusal.remedy, 3)
    return Failure(f"{type(error).__name__}: {error}", REPORT_IT, 3)


def _mending(error: PackageError) -> str:
    schema = next((name for start, name in _SCHEMAS.items() if error.file.startswith(start)), None)
    return f"Mend the file; `envolve schema {schema}` says what it may hold." if schema else "Mend the file."


def _of_system(error: OSError) -> Failure:
    where = f": {error.filename}" if error.filename else ""
    if error.errno in _DISK:
        return Failure(f"The disk is full, or its limit is reached{where}.", FULL, 3)
    if error.errno in _REFUSED:
        return Failure(f"No permission to read or write{where}.", READ_ONLY, 3)
    if isinstance(error, FileNotFoundError):
        return Failure(f"There is no such file or folder{where}.", "Check the path.", 2)
    if isinstance(error, IsADirectoryError | NotADirectoryError):
        return Failure(f"{error.strerror}{where}.", "Check the path.", 2)
    return Failure(f"{error.strerror or error}{where}.", "", 3)


def _of_store(error: BaseException) -> EnvolveError | None:
    """What a database's refusal means. Only a process that uses a database can have raised one."""
    if type(error).__module__.partition(".")[0] not in {"sqlite3", "sqlalchemy"}:
        return None
    from envolve.memory.store.errors import service_error

    return service_error(error, "the run's store")


def _others(error: BaseException) -> tuple[PackageError, ...]:
    """Further problems of the same kind in a package."""
    return error.problems[1 : _MOST_PROBLEMS + 1] if isinstance(error, PackageError) else ()
