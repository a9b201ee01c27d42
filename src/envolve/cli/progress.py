"""What is seen while a run goes: the funnel, band occupancy, rates, cost, time left."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .output import interval, percent, print_json, print_table, printable, say

if TYPE_CHECKING:
    from envolve.graph.config import RunConfig
    from envolve.graph.pipeline import Moment
    from envolve.graph.run import RunResult, Started
    from envolve.memory.store.queries import Status

REPORT_EVERY = 20.0
"""Seconds between two writings of report.html while the run goes."""


class Progress:
    """A context manager around a run. On a terminal a live panel, elsewhere a line a round, with --json nothing."""

    def __init__(self, folder: Path, config: RunConfig, *, quiet: bool) -> None:
        self._folder = folder
        self._config = config
        self._quiet = quiet
        self._started = time.monotonic()
        self._store: Any = None
        self._live: Any = None
        self._round = 0
        self._status: Status | None = None
        self._begun_with = 0
        self._reported = time.monotonic()

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stdout.isatty():
            from rich.live import Live

            self._live = Live(self._panel(None), refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store = None
        if self._live is not None:
            self._live.stop()

    def start(self, started: Started) -> None:
        """The run's store is open."""
        self._store = started.store
        self._status = started.store.progress.status()
        self._begun_with = self._status.tasks.confirmed
        if not self._quiet:
            wanted = f"{self._config.environments} environments × {self._config.tasks} confirmed tasks"
            say(f"{self._folder}: {wanted} with a pass rate of {self._config.target} in {self._config.band}")
            simulated = [name for name in (self._config.target, *self._config.solvers) if name.startswith("slip")]
            if simulated:
                say(f"Simulated solvers: {', '.join(simulated)}. Their rates say nothing about models.")

    def observe(self, moment: Moment) -> None:
        """An item began or ended."""
        if self._store is None:
            return
        new_round = moment.round != self._round
        if new_round or not moment.current:
            self._status = self._store.progress.status()
        if self._live is not None:
            self._live.update(self._panel(moment))
        elif new_round and not self._quiet and self._status is not None:
            say(self._line(moment, self._status))
        self._round = moment.round
        if time.monotonic() - self._reported > REPORT_EVERY:
            self._write_report()

    def finish(self, result: RunResult, *, as_json: bool) -> None:
        """The table at the end, or the status as one JSON object; report.html in any case."""
        from envolve.memory.store import RunStore

        with RunStore.open_read_only(self._folder) as store:
            self._store = store
            status = store.progress.status()
            self._write_report()
            self._store = None
            if as_json:
                print_json({"run": str(self._folder), **status.model_dump(mode="json")})
                return
            print_final(status, store, self._config)
        say(f"{result.ending[:1].upper()}{result.ending[1:]}. {self._how_to_go_on(result)}")

    def _how_to_go_on(self, result: RunResult) -> str:
        if result.state == "done":
            more = f"envolve run {self._folder} --tasks {self._config.tasks + 4}"
            return f"Open {self._folder / 'report.html'}, or ask for more: {more}"
        return f"The same command goes on from here: envolve run {self._folder}"

    def _write_report(self) -> None:
        from envolve.report import write_report

        self._reported = time.monotonic()
        write_report(self._store, self._folder)

    def _line(self, moment: Moment, status: Status) -> str:
        return (
            f"round {moment.round}: {len(status.environments)} environments, tasks {_funnel(status)};"
            f" {status.rollouts} rollouts, ${status.cost_usd:.2f}, {time.monotonic() - self._started:.0f} s"
        )

    def _panel(self, moment: Moment | None) -> Any:
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        status = self._status
        if status is None or moment is None:
            grid.add_row(Text("starting …"))
        else:
            wanted = self._config.environments * self._config.tasks
            tasks = status.tasks
            grid.add_row("round", Text(f"{moment.round}, item {moment.worked} of {moment.items}"))
            grid.add_row("environments", Text(f"{len(status.environments)} of {self._config.environments}"))
            grid.add_row("tasks", Text(_funnel(status)))
            grid.add_row("in the band", Text(f"{tasks.confirmed} of {wanted} ({percent(tasks.confirmed / wanted)})"))
            grid.add_row("rollouts", Text(f"{status.rollouts} ({self._rate(status):.0f}/s)"))
            grid.add_row("cost", Text(f"${status.cost_usd:.2f}, {status.tokens} tokens"))
            grid.add_row("time", Text(f"{time.monotonic() - self._started:.0f} s, {self._eta(status, wanted)} to go"))
            grid.add_row("now", Text(printable(", ".join(moment.current[:3]) or "committing")))
        return Panel(grid, title=Text(str(self._folder)), width=100)

    def _rate(self, status: Status) -> float:
        return status.rollouts / max(status.seconds + time.monotonic() - self._started, 0.001)

    def _eta(self, status: Status, wanted: int) -> str:
        done = status.tasks.confirmed - self._begun_with
        if done <= 0:
            return "?"
        left = (wanted - status.tasks.confirmed) * (time.monotonic() - self._started) / done
        return f"about {left:.0f} s"


def print_final(status: Status, store: Any, config: RunConfig) -> None:
    """Environments, fates, and how the confirmed tasks do for each solver."""
    print_table(
        "Environments",
        ("environment", "scenario", "tables", "tools", "rows", "tasks", "in band"),
        [
            (line.id, line.scenario, line.tables, line.tools, line.rows, line.tasks, line.in_band)
            for line in status.environments
        ],
    )
    print_table("Pass rates on confirmed tasks", ("solver", "passes", "rollouts", "rate", "95%"), solver_rows(store))
    tasks = status.tasks
    fates = ", ".join(f"{count} {fate.replace('_', ' ')}" for fate, count in tasks.rejected.items()) or "none"
    say(
        f"Tasks: {tasks.proposed} proposed, {tasks.audited} audited, {tasks.accepted} accepted,"
        f" {tasks.confirmed} confirmed in {config.band}; not kept: {fates}."
    )
    say(f"{status.rollouts} rollouts, ${status.cost_usd:.2f}, {status.tokens} tokens, {status.seconds:.0f} s.")


def solver_rows(store: Any) -> list[tuple[str, int, int, str, str]]:
    """Pass rates on confirmed tasks, by solver: fresh rollouts only for the target."""
    from envolve.eval.intervals import wilson

    confirmed = {task.version for task in store.tasks.all(fate="confirmed")}
    totals: dict[str, list[int]] = {}
    for record in store.tasks.measurements():
        if record.version in confirmed and record.purpose in {"confirm", "rate"}:
            total = totals.setdefault(record.solver, [0, 0])
            total[0] += record.passes
            total[1] += record.n
    rows = list[tuple[str, int, int, str, str]]()
    for solver, (passes, n) in sorted(totals.items()):
        bounds = wilson(passes, n) if n else None
        rows.append((solver, passes, n, percent(passes / n if n else None), interval(bounds)))
    return rows


def _funnel(status: Status) -> str:
    tasks = status.tasks
    return (
        f"{tasks.proposed} proposed → {tasks.audited} audited → {tasks.accepted} accepted"
        f" → {tasks.confirmed} confirmed"
    )
