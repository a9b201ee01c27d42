"""A confirmed task after another solver's rollouts: audited again if they speak against it, and no longer confirmed if
the audit then finds it unsound. What the target's own rollouts say is dealt with in the task's graph."""

from __future__ import annotations

from collections.abc import Sequence

from ..environments.canonical import seed_from
from ..eval.triggers import SolverCount, Trigger, inversion
from ..memory.records import MeasurementRecord
from ..memory.store import RunStore
from .doubting import LOOKS, told
from .items import Item
from .requests import AuditReply, Doubts, Measured, RateRequest, TaskOutcome, TaskRequest
from .stepping import StepRunner
from .steps import AUDIT
from .task_state import FATE_OF_GRADE, failed_gates

FRESH = frozenset({"confirm", "rate"})
"""Purposes of measurements that chose no task, or only the last of them."""


def rating_look(solver: str, solvers: Sequence[str]) -> int:
    """Which look at a task a rating is: those of the target come first, then the run's solvers in their order."""
    place = solvers.index(solver) if solver in solvers else len(solvers)
    return max(LOOKS.values()) + 1 + place


async def rechecked(
    runner: StepRunner, store: RunStore, item: Item, asked: RateRequest, measured: Measured
) -> tuple[TaskOutcome, ...]:
    """The task as it stands after all if a rating shows that it is unsound; nothing if it does not, as mostly."""
    found = _triggers(store, item, asked, measured)
    if not found:
        return ()
    doubts = measured.doubts or Doubts()
    seed = seed_from(asked.seed, "reaudit")
    request = TaskRequest(
        path=asked.path, task=asked.task, twin=asked.twin, seed=seed, alternatives=doubts.alternatives
    )
    halves = [await runner.run(item.key, AUDIT, request)]
    if asked.twin is not None:
        beside = TaskRequest(path=asked.path, task=asked.twin, seed=seed, alternatives=doubts.twin_alternatives)
        halves.append(await runner.run(item.key, AUDIT, beside))
    return _outcome(halves, found)


def _outcome(halves: Sequence[AuditReply], found: Sequence[Trigger]) -> tuple[TaskOutcome, ...]:
    failed = next((half for half in halves if half.report.grade != "sound"), None)
    if failed is None:
        return ()
    which = "" if len(halves) == 1 else "the refusal: " if failed is halves[0] else "its twin: "
    reason = told(found, f"{which}{failed_gates(failed.report)}")
    task, *twin = (
        TaskOutcome(
            task=half.task,
            version=half.version,
            stage="proposed",
            fate=FATE_OF_GRADE[failed.report.grade],
            reason=reason,
            report=half.report,
        )
        for half in halves
    )
    return (task.model_copy(update={"twin": twin[0]}) if twin else task,)


def _triggers(store: RunStore, item: Item, asked: RateRequest, measured: Measured) -> tuple[Trigger, ...]:
    found = measured.doubts.triggers if measured.doubts else ()
    inverted = inversion(_solver_counts(store, item, measured), look=asked.look)
    return (*found, inverted) if inverted else found


def _solver_counts(store: RunStore, item: Item, measured: Measured) -> tuple[SolverCount, ...]:
    """The solver that was just rated, and those of earlier rounds, each with its fresh rollouts of other tasks. What
    the round itself commits is left out, so that an item comes to the same whenever it is worked."""
    earlier = [m for m in store.tasks.measurements() if m.purpose in FRESH and m.created_round < item.round]
    unsound = store.tasks.unsound(before_round=item.round)
    elsewhere = _totals([m for m in earlier if m.version != item.task and m.version not in unsound])
    here = {m.profile: m for m in earlier if m.version == item.task and m.profile != measured.profile}
    counts = [(measured.profile, measured.solver, measured.passes, measured.n)]
    counts += [(m.profile, m.solver, m.passes, m.n) for m in here.values()]
    return tuple(SolverCount(name, passes, n, *elsewhere.get(profile, (0, 0))) for profile, name, passes, n in counts)


def _totals(measurements: Sequence[MeasurementRecord]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for record in measurements:
        passes, n = found.get(record.profile, (0, 0))
        found[record.profile] = (passes + record.passes, n + record.n)
    return found
