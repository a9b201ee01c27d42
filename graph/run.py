"""Opens or resumes a run's folder, works it, and leaves it in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ..agents.llm.connecting import check_key
from ..agents.llm.pricing import no_price, price_of
from ..agents.solvers import solver_named
from ..agents.team import assemble
from ..environments.canonical import canonical_json
from ..environments.errors import InputError, PackageError, ServiceError
from ..environments.yaml_text import parse_yaml
from ..memory.records import RunState
from ..memory.store import RunLock, RunStore
from .config import RunConfig

CONFIG_FILE = "config.yaml"
STORE_FILE = "run.db"


class RunResult(NamedTuple):
    """`ending` says why the run ended; `asked_to_stop` is true for Ctrl-C, budgets and time."""

    folder: Path
    state: RunState
    ending: str
    asked_to_stop: bool


class Started(NamedTuple):
    """What an observer gets when work begins: the open store and the way to stop."""

    store: RunStore
    stop: Callable[[str], None]


def kept_config(folder: Path) -> RunConfig | None:
    """The configuration of the run in `folder`; None if there is none. Where config.yaml is gone, the store has it.

    Errors: InputError for a damaged config.yaml or one of another format.
    """
    path = folder / CONFIG_FILE
    if not path.exists():
        return _stored_config(folder)
    try:
        values = parse_yaml(path.read_text(encoding="utf-8"), str(path)).value
        _check_format(values, path)
        return RunConfig.model_validate(_of_its_time(values))
    except (ValueError, PackageError) as error:
        first = str(error).splitlines()[0]
        raise InputError(
            f"{path} cannot be read: {first}", remedy="Restore the file, or start another run in a new folder."
        ) from error


def _stored_config(folder: Path) -> RunConfig | None:
    if not (folder / STORE_FILE).exists():
        return None
    with RunStore.open_read_only(folder) as store:
        return RunConfig.model_validate(_of_its_time(store.info().config))


def _of_its_time(values: Any) -> Any:
    """The options of a run that was begun when there was but the plain surface do not name it."""
    return {"surface": "plain", **values} if isinstance(values, dict) else values


def _check_format(values: Any, path: Path) -> None:
    known, found = (
        RunConfig.model_fields["format"].default,
        values.get("format") if isinstance(values, dict) else None,
    )
    if found is not None and found != known:
        raise InputError(
            f"{path} has format {found}; this version reads format {known}.",
            remedy="Use the version of Envolve that wrote it, or start another run in a new folder.",
        )


def run(
    config: RunConfig,
    folder: Path,
    *,
    observe: Callable[[Any], None],
    on_start: Callable[[Started], None],
) -> RunResult:
    """Work until the target, a limit or a signal; the same call resumes.

    Call from the main thread: Ctrl-C drains (a second one ends at once, with KeyboardInterrupt), and workers follow
    this thread. Errors: InputError (changed options, another version's folder), ServiceError (folder in use, disk full).
    """
    from .session import Sitting, work

    config = _checked(config)
    _prepare(folder)
    with RunLock(folder) as lock, _store(config, folder) as store:
        started = time.perf_counter()
        store.update(state="running")
        state: RunState = "failed"
        try:
            sitting = Sitting(config, folder, store, lock)
            ending, asked = asyncio.run(work(sitting, observe, lambda stop: on_start(Started(store, stop))))
            state = "done" if ending == "target reached" else "stopped"
        except (KeyboardInterrupt, asyncio.CancelledError):
            state = "stopped"
            raise
        finally:
            store.update(state=state, more_seconds=time.perf_counter() - started)
        return RunResult(folder, state, ending, asked)


def _prepare(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file.", remedy="Give a folder for the run.")
    if folder.exists() and any(folder.iterdir()) and not (folder / STORE_FILE).exists() and not _fresh(folder):
        raise InputError(f"{folder} holds other files and no run.", remedy="Give an empty or a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServiceError(
            f"{folder}: {error.strerror}.", remedy="Choose a folder that can be written to."
        ) from error


def _fresh(folder: Path) -> bool:
    """Whether a run was begun here and killed before its store was made."""
    ours = {"run.lock", "run.owner", CONFIG_FILE, f"{CONFIG_FILE}.new"}
    return all(path.name in ours or path.name.startswith(f"{STORE_FILE}.new") for path in folder.iterdir())


def _store(config: RunConfig, folder: Path) -> RunStore:
    if not (folder / STORE_FILE).exists():
        _write_config(config, folder)
        return RunStore.create(folder, config.model_dump(mode="json"))
    store = RunStore.open(folder)
    try:
        _check_same(RunConfig.model_validate(store.info().config), config)
        _write_config(config, folder)
        store.update(config=config.model_dump(mode="json"))
    except BaseException:
        store.close()
        raise
    return store


def _check_same(kept: RunConfig, asked: RunConfig) -> None:
    changed = kept.differences(asked)
    if changed:
        listed = "; ".join(f"{name}: {_short(old)} → {_short(new)}" for name, (old, new) in changed.items())
        raise InputError(
            f"This run was started with other options ({listed}).",
            remedy="Leave them as they were, or start a new run in another folder.",
        )


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _write_config(config: RunConfig, folder: Path) -> None:
    text = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
    partial = folder / f"{CONFIG_FILE}.new"
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(folder / CONFIG_FILE)
    except OSError as error:
        raise ServiceError(f"{partial}: {error.strerror}.", remedy="Free some space, or make it writable.") from error


def _checked(config: RunConfig) -> RunConfig:
    """The configuration with solvers by their own names (`slip:1.0` is `slip:1`).

    Errors: InputError for unknown solvers, critics and roles, for models without a key, and for those without a price
    under a budget in dollars, before anything is written.
    """
    assemble(config.team)
    for name in config.models:
        check_key(name)
    _check_prices(config)
    target = solver_named(config.target).profile
    if target.deterministic:
        raise InputError(
            f"{config.target} is deterministic: it passes a task always or never, so no band can be held.",
            remedy="Choose another --target, for example slip:1.",
        )
    if config.engine != "local" or config.supervisor != "uniform":
        raise InputError(
            f"Engine {config.engine!r} with supervisor {config.supervisor!r} is not available.",
            remedy="Use --engine local and --supervisor uniform.",
        )
    solvers = tuple(dict.fromkeys(solver_named(name).profile.name for name in config.solvers))
    return config.model_copy(update={"target": target.name, "solvers": solvers})


def _check_prices(config: RunConfig) -> None:
    if config.budget_usd is None:
        return
    for name in config.models:
        if price_of(name) is None:
            raise no_price(name)
