"""A labelled case, and attempts that are played for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from envolve.agents.judges import Case, Label, case_of
from envolve.environments.episode import Episode
from envolve.environments.gold import GoldRun, run_gold
from envolve.environments.limits import Limits
from envolve.environments.models import Trace
from envolve.eval.audit.base import AuditContext, Program

Play = Callable[[Episode], None]


class LabelledCase(NamedTuple):
    """`kind` says how the attempt was made, `label` follows from that."""

    kind: str
    label: Label
    case: Case


class Attempt(NamedTuple):
    """A program of gold's form after it ran: the trace, and where it led."""

    trace: Trace
    run: GoldRun


class Scene(NamedTuple):
    """A task, what its audit shares, and random choices."""

    context: AuditContext
    random: Random

    def labelled(self, kind: str, label: Label, trace: Trace) -> LabelledCase:
        return LabelledCase(kind, label, case_of(self.context.environment, self.context.task, trace))

    def attempt(self, program: Program, *, before: Play | None = None, limits: Limits | None = None) -> Attempt:
        """Run a program in a fresh episode, after what `before` does there."""
        task = self.context.task.model_copy(update={"gold": program})
        with self.context.environment.open(self.context.task, limits=limits) as episode:
            if before is not None:
                before(episode)
            run = run_gold(self.context.environment, task, episode=episode)
            return Attempt(episode.trace, run)

    def played(self, play: Play) -> Trace:
        """The trace of an episode in which just this is done."""
        with self.context.environment.open(self.context.task) as episode:
            play(episode)
            return episode.trace


Maker = Callable[[Scene], Iterator[LabelledCase]]
"""Cases of one kind, or of some, for one task."""


def unknown(value: Any) -> Any:
    """A key that no row has."""
    return 987_654_321 if isinstance(value, int) else f"{value} (none such)"
