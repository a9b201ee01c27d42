"""Finds environment packages where a user points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envolve.environments.errors import InputError

SPEC = "environment.yaml"


def environments_in(paths: Sequence[Path]) -> list[Path]:
    """Packages among `paths`: a package itself, a run (its admitted environments), or a folder of packages.

    Errors: InputError for a path that holds none.
    """
    found = list[Path]()
    for path in paths:
        here = [path] if (path / SPEC).is_file() else _inside(path)
        if not here:
            raise InputError(
                f"{path} holds no environment package.",
                remedy=f"Give a folder with {SPEC}, a folder of such, or a run.",
            )
        found += here
    return found


def _inside(path: Path) -> list[Path]:
    for folder in (path, path / "environments"):
        if folder.is_dir():
            inside = sorted(file.parent for file in folder.glob(f"*/{SPEC}"))
            if inside:
                return inside
    return []
