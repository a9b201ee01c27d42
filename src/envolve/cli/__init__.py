"""The command line: `envolve …`. Exit codes: 0 done, 1 found problems, 2 usage, 3 environment or service error, 130
interrupted, 141 its reader left."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

DEBUG = "--debug"
JSON = "--json"
INTERRUPTED = 130
READER_LEFT = 141
"""As of a process that SIGPIPE ends."""


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script. Ends the process with an exit code; a traceback is shown only with
    `--debug`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with _streams(), _alone(words):
        try:
            _run(words)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


def _run(words: list[str]) -> None:
    from .app import app
    from .failures import explain

    try:
        _refuse_broken(words)
        try:
            app(args=[word for word in words if word != DEBUG], prog_name="envolve")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        sys.exit(READER_LEFT)
    except SystemExit as end:
        # Typer ends such a command with 1, which here stands for problems that were found.
        if isinstance(end.__context__, BrokenPipeError):
            sys.exit(READER_LEFT)
        raise
    except Exception as error:
        if DEBUG in words:
            import traceback

            traceback.print_exception(error)
        sys.exit(explain(error))


@contextmanager
def _streams() -> Iterator[None]:
    """Standard streams that take any text; those that were closed before the start lead nowhere."""
    closed = [name for name in ("stdout", "stderr") if getattr(sys, name) is None]
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for name in closed:
            setattr(sys, name, nowhere)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            yield
        finally:
            _flush_or_forget(sys.stdout)
            for name in closed:
                setattr(sys, name, None)


def _flush_or_forget(stream: TextIO) -> None:
    """What a full disk or a reader that has left did not take is not tried once more when the interpreter ends."""
    try:
        stream.flush()
    except OSError:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def _alone(words: list[str]) -> AbstractContextManager[None]:
    """What keeps standard output for the one JSON object, where that is asked for."""
    from .output import only_json

    return only_json() if JSON in words and "--help" not in words else nullcontext()


def _refuse_broken(words: list[str]) -> None:
    """Bytes that are no text reach a program as lone surrogates, which no file can hold. An empty word is a shell
    variable that was not set: as a path it would mean the working folder. Errors: InputError."""
    from envolve.environments.errors import InputError

    for number, word in enumerate(words, 1):
        if any("\ud800" <= char <= "\udfff" for char in word):
            raise InputError(f"Argument {number} is not valid UTF-8: {word!r}.", remedy="Write it as UTF-8 text.")
        if not word or (word.startswith("--") and word.endswith("=")):
            after = f" (after {words[number - 2]})" if number > 1 else ""
            raise InputError(
                f"Argument {number} is empty{after}: {word!r}.",
                remedy="Give it a value, or leave it out; a shell variable that is not set looks like this.",
            )
