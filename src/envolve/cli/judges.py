"""What judges said of rollouts, for people."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.display import percent

from .output import interval, say

if TYPE_CHECKING:
    from envolve.agents.judges import BetweenJudges
    from envolve.judging import Bench


def show_judges(benches: Sequence[Bench], path: Path) -> None:
    """How far each agrees with the verifier, and all with each other; where one differs, what to do."""
    from envolve.judging import between

    for bench in benches:
        _show_agreement(bench)
    if len(benches) > 1:
        say(f"{len(benches)} judges: {kappa_text(between(benches))}")
        say(f"  with the verifier: {kappa_text(between(benches, verifier=True))}")
    for bench in benches:
        for task, where in bench.differing.items():
            say(f"{bench.name}, {task}: {len(where.rollouts)} of {where.judged} ruled otherwise than the verifier.")
    if any(bench.differing for bench in benches):
        say(f"→ Judge or verifier is wrong there. Audit the verifier: envolve audit {shlex.quote(str(path))}")


def kappa_text(found: BetweenJudges) -> str:
    """Fleiss' kappa with its interval, of how many rollouts."""
    kappa = "undefined (all say the same, or nothing was decided by all)"
    if found.kappa is not None:
        spread = f", 95% {interval(found.interval)}" if found.interval else ""
        kappa = f"{found.kappa:.2f}{spread}"
    return f"Fleiss' kappa {kappa}, over {found.n} decided by all {found.raters}, {found.left_out} left out"


def _show_agreement(bench: Bench) -> None:
    found = bench.agreed
    if not found.agreed.n:
        _show_undecided(bench, found.cannot_tell)
        return
    kappa = "" if found.kappa is None else f", kappa {found.kappa:.2f}"
    spread = f", 95% {interval(found.agreed.interval)}" if found.agreed.n else ""
    rate = f"{found.agreed.count} of {found.agreed.n} ({percent(found.agreed.rate)}{spread}{kappa})"
    say(f"{bench.name} agrees with the verifier on {rate}")
    say(
        f"  both met {found.both_met}, both not met {found.both_not_met}, met for the judge only {found.judge_only},"
        f" for the verifier only {found.verifier_only}, cannot tell {found.cannot_tell}; {bench.spent.line}"
    )


def _show_undecided(bench: Bench, cannot_tell: int) -> None:
    """Of a judge that decided nothing; each ruling stands with its rollout."""
    unruled = sum(ruled.judgement is None for ruled in bench.rulings)
    say(f"{bench.name} decided nothing: {cannot_tell} cannot tell, {unruled} without a ruling; {bench.spent.line}")
