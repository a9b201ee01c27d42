"""A judge's worth as the figures that benches print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from envolve.agents.judges import Share

from ..figures import Figure, rate_figure
from .suite import JudgeFigures


def rows(judges: Sequence[JudgeFigures]) -> list[Figure]:
    """Rates that something was counted for, by judge."""
    return [figure for judge in judges for figure in _rows(judge)]


def _rows(judge: JudgeFigures) -> Iterator[Figure]:
    found = judge.accuracy
    shares: dict[str, tuple[Share, bool]] = {
        "right, of those decided": (found.right, True),
        "of those ruled not met, not met": (found.not_met.precision, True),
        "of those not met, ruled not met": (found.not_met.recall, True),
        "of those ruled met, met": (found.met.precision, True),
        "of those met, ruled met": (found.met.recall, True),
        "of those met, ruled not met (false alarms)": (found.false_alarms, False),
        "of those not met, ruled met (false passes)": (found.false_passes, False),
        "cannot tell": (found.cannot_tell, False),
        "no ruling": (found.no_ruling, False),
        "another ruling when asked again": (judge.repeated.flips, False),
    }
    for name, (counted, higher) in shares.items():
        if counted.n:
            figure = rate_figure(f"{judge.name}: {name}", counted.count, counted.n)
            yield figure if higher else figure._replace(better="lower")
