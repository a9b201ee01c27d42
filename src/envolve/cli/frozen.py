"""The warning that a verifier is not the one that was audited: somebody changed it after it was frozen."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .output import warn

if TYPE_CHECKING:
    from envolve.environments.models import Task
    from envolve.environments.package import Environment


def warn_of_edits(path: Path, environment: Environment, task: str | None = None) -> None:
    """Tell standard error which frozen verifiers of a package (or of one task) do not fit their hash."""
    names = _edited(found for name, found in environment.tasks.items() if task in (None, name))
    if names:
        warn(f"{environment.id}: {_told(names)} after the audit froze it: verdicts may be wrong.")
        warn(f"  → Is it sound? envolve audit {shlex.quote(str(path))}")
        warn(
            "    If it is: in a run, envolve regrade RUN --apply takes it over; elsewhere take out its line `frozen:`."
        )


def warn_of_edits_in_run(folder: Path) -> None:
    """Tell standard error which verifiers in the packages of a run were changed: the run goes on with its own. Files are
    read and no world is built: a run has many."""
    from envolve.environments.reading import PackageFiles
    from envolve.packages import packages_inside

    for path in packages_inside(folder) if (folder / "run.db").is_file() else ():
        names = _edited((files := PackageFiles(path)).tasks)
        if names:
            warn(f"{files.spec.id}: {_told(names)} by hand; the run goes on with what it has stored.")
            warn(f"  → To grade its rollouts with the changed one: envolve regrade {shlex.quote(str(folder))}")


def _edited(tasks: Iterable[Task]) -> list[str]:
    """Those whose verifier was frozen and is another now."""
    from envolve.eval.audit.freezing import is_frozen_valid

    return [task.id for task in tasks if task.verifier.frozen is not None and not is_frozen_valid(task)]


def _told(names: list[str]) -> str:
    listed = ", ".join(names)
    return f"the verifier of {listed} was changed" if len(names) == 1 else f"verifiers were changed ({listed})"
