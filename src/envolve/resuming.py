"""Resuming a run with other options: what differs, and the two commands between which a user may choose."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envolve.display import counted, shortened
from envolve.environments.errors import InputError

from .runs import STORE

if TYPE_CHECKING:
    from envolve.graph.config import RunConfig

_SINGULAR = {"solvers": "solver", "critics": "critic"}


def check_resumable(folder: Path, asked: RunConfig, words: str) -> None:
    """Whether the run in `folder`, if there is one, may go on as `asked`; `words` are the options as typed.

    Errors: InputError saying what differs and naming both commands.
    """
    from envolve.agents.solvers import solver_named
    from envolve.graph.run import kept_config

    kept = kept_config(folder) if (folder / STORE).exists() else None
    if kept is None:
        return
    named = asked.model_copy(update={"target": solver_named(asked.target).profile.name})
    changed = kept.differences(named)
    if changed:
        told = "; ".join(f"{_name(name)} {_said(old)}, now {_said(new)}" for name, (old, new) in changed.items())
        raise InputError(
            f"{folder} holds a run of other options: {told}.",
            remedy=f"Resume it: envolve run {shlex.quote(str(folder))}\n"
            f"Start another: envolve run {shlex.quote(str(free_beside(folder)))} {words}".rstrip(),
        )


def typed(given: Mapping[str, Any], *, scenario: Sequence[str], scenarios: Path | None, config: Path | None) -> str:
    """The options of `run` as a user would type them."""
    pairs: list[tuple[str, object]] = [("scenario", text) for text in scenario]
    pairs += [(name, path) for name, path in (("scenarios", scenarios), ("config", config)) if path is not None]
    for name, value in given.items():
        pairs += [(_name(name), one) for one in (value if isinstance(value, list) else [value])]
    return " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in pairs)


def free_beside(folder: Path) -> Path:
    """A folder beside this one that is not there yet."""
    number = 2
    while (free := folder.with_name(f"{folder.name}-{number}")).exists():
        number += 1
    return free


def _name(option: str) -> str:
    return _SINGULAR.get(option, option).replace("_", "-")


def _said(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        first = shortened(repr(value[0].get("text", "")), 40)
        return first if len(value) == 1 else f"{counted(len(value), 'text')} ({first}, …)"
    return shortened(value if isinstance(value, str) else repr(value), 40)
