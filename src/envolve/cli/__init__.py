"""The command line: `envolve …`. Exit codes: 0 done, 1 found problems, 2 usage, 3 environment or service error."""

from __future__ import annotations

import io
import sys

DEBUG = "--debug"


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script. Ends the process with an exit code; a traceback is shown only with
    `--debug`."""
    from .app import app
    from .failures import explain

    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        _refuse_broken(words)
        app(args=[word for word in words if word != DEBUG], prog_name="envolve")
    except Exception as error:
        if DEBUG in words:
            import traceback

            traceback.print_exception(error)
        sys.exit(explain(error))


def _refuse_broken(words: list[str]) -> None:
    """Bytes that are no text reach a program as lone surrogates, which no file can hold."""
    from envolve.environments.errors import InputError

    for number, word in enumerate(words, 1):
        if any("\ud800" <= char <= "\udfff" for char in word):
            raise InputError(f"Argument {number} is not valid UTF-8: {word!r}.", remedy="Write it as UTF-8 text.")
