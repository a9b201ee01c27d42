"""Finds environment packages and their tasks where a user points, and says what is there where the pointing missed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.environments.errors import InputError

from .naming import listed, nearest
from .runs import STORE

if TYPE_CHECKING:
    from envolve.environments.package import Environment

SPEC = "environment.yaml"


def environments_in(paths: Sequence[Path]) -> list[Path]:
    """Packages among `paths`: a package itself, a run (its admitted environments), or a folder of packages.

    Errors: InputError for a path that holds none.
    """
    found = list[Path]()
    for path in paths:
        here = [path] if (path / SPEC).is_file() else packages_inside(path)
        if not here:
            raise InputError(
                f"{_absence(path)}.",
                remedy=f"Give a folder with {SPEC}, a folder of such, or a run.{_near(path)}",
            )
        found += here
    return found


def load_one(path: Path, task: str | None, *, again: str) -> Environment:
    """The environment of a package folder, which has `task` if one is named.

    `again` is the command with `{env}` and `{task}`. Errors: InputError listing the environments or tasks that are
    there, with the command to type; PackageError for a package that is wrong.
    """
    from envolve.environments.package import Environment

    if not (path / SPEC).is_file():
        raise _not_a_package(path, task, again)
    environment = Environment.load(path)
    if task is not None and task not in environment.tasks:
        names = list(environment.tasks)
        meant = nearest(task, names) or next(iter(names), "TASK")
        raise InputError(
            f"{environment.id} has no task {task!r}.",
            remedy=f"Tasks: {listed(names)}.\nType: {_command(again, path, meant)}",
        )
    return environment


def packages_inside(path: Path) -> list[Path]:
    """The packages that a run, or a folder of packages, holds."""
    for folder in (path, path / "environments"):
        if folder.is_dir():
            inside = sorted(file.parent for file in folder.glob(f"*/{SPEC}"))
            if inside:
                return inside
    return []


def _not_a_package(path: Path, task: str | None, again: str) -> InputError:
    inside = packages_inside(path)
    if not inside:
        return InputError(
            f"{_absence(path)}.", remedy=f"Give the folder that holds {SPEC}; `envolve new` builds one.{_near(path)}"
        )
    what = "a run" if (path / STORE).is_file() else "a folder of environments"
    chosen, meant = _meant(inside, task)
    return InputError(
        f"{path} is {what}, not one environment.",
        remedy=f"Environments: {listed(folder.name for folder in inside)}.\nType: {_command(again, chosen, meant)}",
    )


def _meant(packages: Sequence[Path], task: str | None) -> tuple[Path, str]:
    """The package and task that a user had in mind: the task itself, one with a name like it, or any."""
    holders = {file.stem: package for package in packages for file in sorted(package.glob("tasks/*.yaml"))}
    name = task if task in holders else nearest(task or "", holders) or next(iter(holders), None)
    return (holders[name], name) if name else (packages[0], "TASK")


def _command(again: str, path: Path, task: str) -> str:
    return again.replace("{env}", shlex.quote(str(path))).replace("{task}", shlex.quote(task))


def _absence(path: Path) -> str:
    if not path.exists():
        return f"There is no {str(path)!r}"
    return f"{path} holds no environment package" if path.is_dir() else f"{path} is a file and no environment package"


def _near(path: Path) -> str:
    """The package beside `path` whose name is most like it, as a further sentence."""
    beside = {package.name: package for package in packages_inside(path.parent)}
    name = nearest(path.name, beside)
    return f" Did you mean {beside[name]}?" if name else ""
