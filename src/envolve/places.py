"""Whether something can be written where a user wants it, asked before it is worked, and paid, for."""

from __future__ import annotations

import tempfile
from pathlib import Path

from envolve.environments.errors import ServiceError

_REMEDY = "Choose a place that can be written to."


def require_folder(folder: Path) -> None:
    """Errors: ServiceError for a folder that can neither be written to nor made."""
    nearest = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    _require_writable(nearest, folder)


def require_file(path: Path) -> None:
    """Errors: ServiceError for a file that cannot be written: the folder must be there."""
    if path.is_dir():
        raise ServiceError(f"{path} is a folder.", remedy="Give a file.")
    _require_writable(path.absolute().parent, path)


def _require_writable(folder: Path, wanted: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ServiceError(f"{wanted}: {error.strerror}.", remedy=_REMEDY) from error
