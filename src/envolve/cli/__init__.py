"""The command line: `envolve …`. Exit codes: 0 done, 1 found problems, 2 usage, 3 environment or service error."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script. Ends the process with an exit code; never shows a bare traceback
    unless `--debug` is given."""
    from .app import app
    from .failures import explain

    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        app(args=words, prog_name="envolve")
    except Exception as error:
        if debug:
            raise
        sys.exit(explain(error))
