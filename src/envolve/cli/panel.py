"""The live panel of a run on a terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from envolve.display import one_line, percent, shortened
from envolve.standing import Rate, is_simulated

from .summary import fates, funnel

if TYPE_CHECKING:
    from rich.panel import Panel

    from envolve.graph.config import RunConfig
    from envolve.graph.pipeline import Moment
    from envolve.memory.store.queries import Status

_BAR = 30


@dataclass
class View:
    """What the panel shows; whoever observes the run updates it, the terminal's own thread draws it."""

    folder: Path
    config: RunConfig
    started: float = field(default_factory=monotonic)
    status: Status | None = None
    moment: Moment | None = None
    rates: list[Rate] = field(default_factory=list)
    begun_with: int = 0
    """Confirmed tasks and rollouts that there were when this sitting began."""
    begun_rollouts: int = 0

    @property
    def wanted(self) -> int:
        return self.config.environments * self.config.tasks

    @property
    def elapsed(self) -> float:
        return monotonic() - self.started

    def time(self) -> str:
        """So far, and what is left by how fast this sitting has confirmed tasks."""
        confirmed = self.status.tasks.confirmed if self.status else 0
        done, missing = confirmed - self.begun_with, self.wanted - confirmed
        left = f", about {duration(missing * self.elapsed / done)} left" if done > 0 and missing > 0 else ""
        return duration(self.elapsed) + left

    def __rich__(self) -> Panel:
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in self.lines():
            grid.add_row(name, Text(one_line(value)))
        return Panel(grid, title=Text(one_line(self.folder)), title_align="left")

    def lines(self) -> list[tuple[str, str]]:
        status, moment = self.status, self.moment
        if status is None:
            return [("now", "starting")]
        share = min(1.0, status.tasks.confirmed / self.wanted)
        filled = round(share * _BAR)
        now = ", ".join(moment.current[:3]) if moment and moment.current else "planning and committing"
        if moment and moment.stopping:
            now = f"stopping, after {now}"
        more = f" and {len(moment.current) - 3} more" if moment and len(moment.current) > 3 else ""
        return [
            ("in the band", f"{'█' * filled}{'░' * (_BAR - filled)} {status.tasks.confirmed} of {self.wanted} tasks"),
            ("tasks", funnel(status)),
            ("not kept", fates(status)),
            ("environments", f"{len(status.environments)} of {self.config.environments}"),
            ("pass rates", self._rates()),
            ("rollouts", f"{status.rollouts} ({self._speed(status):.1f} a second)"),
            ("cost", f"${status.cost_usd:.2f}, {status.tokens} tokens"),
            ("time", self.time()),
            ("round", f"{moment.round}, {moment.worked} of {moment.items} items worked" if moment else "planning"),
            ("now", shortened(now + more, 200)),
        ]

    def _rates(self) -> str:
        shown = [f"{rate.solver} {percent(rate.rate)} of {rate.n}" for rate in self.rates]
        names = {rate.solver.partition(":")[0] for rate in self.rates if is_simulated(rate.solver)}
        note = f" ({' and '.join(sorted(names))} simulated)" if names else ""
        return " · ".join(shown) + note if shown else "none yet"

    def _speed(self, status: Status) -> float:
        return (status.rollouts - self.begun_rollouts) / max(self.elapsed, 0.001)


def duration(seconds: float) -> str:
    """`8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
