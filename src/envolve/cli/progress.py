"""What is seen while a run goes: a live panel on a terminal, a line a round elsewhere, nothing with --json."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from envolve.display import counted
from envolve.environments.errors import ServiceError
from envolve.standing import rates_of, simulated_in, status_json, status_of

from .output import print_json, say, warn
from .panel import View
from .summary import funnel, print_summary

if TYPE_CHECKING:
    from rich.live import Live

    from envolve.graph.config import RunConfig
    from envolve.graph.pipeline import Moment
    from envolve.graph.run import RunResult, Started
    from envolve.memory.store import RunStore

REPORT_EVERY = 20.0
"""Seconds between two writings of report.html while the run goes."""
LOOK_EVERY = 0.5
"""Seconds between two looks at the store."""
SHARE = 0.02
"""Part of the run's time that either may take; where it would take more, it is done less often."""


class Progress:
    """A context manager around a run; `start` and `observe` are what the run calls."""

    def __init__(self, folder: Path, config: RunConfig, *, quiet: bool) -> None:
        self._folder = folder
        self._config = config
        self._quiet = quiet
        self._view = View(folder, config)
        self._store: RunStore | None = None
        self._live: Live | None = None
        self._look_due = 0.0
        self._report_due = time.monotonic() + REPORT_EVERY
        self._unwritten = False

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stdout.isatty():
            from rich.live import Live

            self._live = Live(get_renderable=lambda: self._view, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store = None
        if self._live is not None:
            self._live.stop()
        if kind is KeyboardInterrupt:
            warn(f"Stopped at once. {self._how_to_go_on()}")

    def start(self, started: Started) -> None:
        """The run's store is open."""
        self._store = started.store
        status = started.store.progress.status()
        self._view.status = status
        self._view.begun_with = status.tasks.confirmed
        self._view.begun_rollouts = status.rollouts
        if not self._quiet:
            self._say_what_is_wanted()

    def observe(self, moment: Moment) -> None:
        """An item began or ended. What is said of a round is what it left."""
        if self._store is None:
            return
        ended = self._view.moment is not None and moment.round != self._view.moment.round
        if ended or time.monotonic() >= self._look_due:
            self._look(self._store)
        if ended and self._live is None:
            self._say_round()
        self._view.moment = moment
        if time.monotonic() >= self._report_due:
            self._write_report(self._store)

    def finish(self, result: RunResult, *, as_json: bool) -> None:
        """The tables at the end, or the status as one JSON object; report.html in any case."""
        from envolve.memory.store import RunStore

        with RunStore.open_read_only(self._folder) as store:
            self._write_report(store)
            status = status_of(store, self._folder)
            if as_json:
                print_json(status_json(status, store, self._folder))
                return
            self._view.status = status
            if self._live is None and self._view.moment is not None:
                self._say_round()
            print_summary(status, store, self._folder, self._config)
        say(f"{result.ending[:1].upper()}{result.ending[1:]}. {self._what_next(result)}")

    def _look(self, store: RunStore) -> None:
        began = time.monotonic()
        self._view.status = store.progress.status()
        if self._live is not None:
            self._view.rates = rates_of(store)
        self._look_due = _next(began, LOOK_EVERY)

    def _say_what_is_wanted(self) -> None:
        config = self._config
        wanted = f"{counted(config.environments, 'environment')}, {counted(config.tasks, 'confirmed task')} in each"
        say(f"{self._folder}: {wanted}, pass rate of {config.target} in {config.band}")
        simulated = simulated_in(config)
        if simulated:
            say(f"Simulated solvers: {', '.join(simulated)}. Their rates say nothing about models.")

    def _say_round(self) -> None:
        view = self._view
        if self._quiet or view.moment is None or view.status is None:
            return
        status = view.status
        say(
            f"round {view.moment.round}: {counted(len(status.environments), 'environment')}; tasks {funnel(status)};"
            f" {status.rollouts} rollouts, ${status.cost_usd:.2f}; {view.time()}"
        )

    def _what_next(self, result: RunResult) -> str:
        if result.state != "done":
            return self._how_to_go_on()
        more = f"envolve run {shlex.quote(str(self._folder))} --tasks {self._config.tasks + 4}"
        return f"Open {self._folder / 'report.html'}, or ask for more: {more}"

    def _how_to_go_on(self) -> str:
        return f"The same command goes on from here: envolve run {shlex.quote(str(self._folder))}"

    def _write_report(self, store: RunStore) -> None:
        """A report that cannot be written is told once and does not end the run."""
        from envolve.report import write_report

        began = time.monotonic()
        try:
            write_report(store, self._folder)
        except ServiceError as error:
            if not self._unwritten:
                warn(f"The report is not written: {error}")
            self._unwritten = True
        self._report_due = _next(began, REPORT_EVERY)


def _next(began: float, every: float) -> float:
    """When what began then and ends now is due again."""
    now = time.monotonic()
    return now + max(every, (now - began) / SHARE)
