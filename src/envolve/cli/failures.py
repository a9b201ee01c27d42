"""Turns an exception into a message for people and an exit code."""

from __future__ import annotations

import errno
import sqlite3
import sys

from envolve.environments.errors import EnvolveError

FULL = "Free some space, then run the same command again: what was written stays readable."
READ_ONLY = "Choose a folder that can be written to."
REPORT_IT = "This is a fault in Envolve. Run it again with --debug to see where."


def explain(error: BaseException) -> int:
    """Print what happened, where and what to do to standard error; return the exit code."""
    message, remedy, code = _describe(error)
    print(f"envolve: {_printable(message)}", file=sys.stderr)  # noqa: T201
    if remedy:
        print(f"  → {_printable(remedy)}", file=sys.stderr)  # noqa: T201
    return code


def _describe(error: BaseException) -> tuple[str, str, int]:
    if isinstance(error, EnvolveError):
        return error.message, error.remedy, max(error.exit_code, 2)
    if isinstance(error, OSError):
        return _describe_os(error)
    if isinstance(error, sqlite3.OperationalError) or type(error).__name__ == "OperationalError":
        return f"The run's store cannot be used: {error}", FULL if "full" in str(error) else READ_ONLY, 3
    return f"{type(error).__name__}: {error}", REPORT_IT, 3


def _describe_os(error: OSError) -> tuple[str, str, int]:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"The disk is full{where}.", FULL, 3
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return f"No permission to write or read{where}.", READ_ONLY, 3
    if isinstance(error, FileNotFoundError):
        return f"There is no such file or folder{where}.", "Check the path.", 2
    return f"{error.strerror or error}{where}", "", 3


def _printable(text: str) -> str:
    """Without control characters: messages may quote what a model or a package wrote."""
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
