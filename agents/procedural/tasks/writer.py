"""The procedural task writer: plans drawn, compiled and tried out; verifiers written from the executed run."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ....environments.canonical import seed_from
from ....environments.gold import GoldRun
from ....environments.models import AuditReport, Task
from ....environments.package import Environment
from .derivation import write_verifier
from .offers import Offers, offers_of
from .planner import Planner
from .plans import Plan, plan_of
from .refusals import Refuser
from .repairs import repaired

ATTEMPTS_PER_TASK = 12
"""Plans drawn for a wanted task before no more are drawn."""
REFUSALS = 0.14
"""Share of draws that try for a request which a rule forbids, with its twin. Fewer of these come to something than of
others: about a tenth of what is proposed are refusals."""


class ProceduralTaskWriter:
    """Writes tasks for composed environments. Draws everything from the seed given.

    Every method raises InputError for an environment that was not composed.
    """

    async def propose(
        self, environment: Environment, count: int, *, seed: int, known: Sequence[Task] = ()
    ) -> list[Task]:
        """Up to `count` tasks unlike `known`, each of whose gold was executed and reaches its goal. A refusal and its
        twin count as one."""
        return propose(environment, offers_of(environment), count, seed=seed, known=known)

    async def write_verifier(self, environment: Environment, task: Task, run: GoldRun) -> Task:
        return write_verifier(environment, offers_of(environment), task, run)

    async def repair(self, environment: Environment, task: Task, report: AuditReport, *, seed: int) -> Task | None:
        """The task with other phrases, rows or values, depending on the gates that failed; None where none helps."""
        return repaired(environment, offers_of(environment), task, report, seed=seed)


def propose(
    environment: Environment, offers: Offers, count: int, *, seed: int, known: Sequence[Task] = ()
) -> list[Task]:
    """Tasks of plans that work, each of another shape or about other rows than any known one."""
    rng = Random(seed_from("tasks", environment.hash, seed))
    planner = Planner(environment, offers, rng)
    refuser = Refuser(planner, offers, rng)
    seen: set[str] = set()
    for plan in (plan for task in known if (plan := plan_of(task))):
        seen.add(plan.shape)
        planner.count(plan)
    tasks: list[Task] = []
    made = 0
    for _ in range(count * ATTEMPTS_PER_TASK):
        if made >= count:
            break
        pair = bool(offers.refusals) and rng.random() < REFUSALS
        plans: tuple[Plan, ...] = (refuser.draw() or ()) if pair else planner.draw()
        trials = [trial for plan in plans if plan.shape not in seen and (trial := planner.trials.trial(plan))]
        if plans and len(trials) == len(plans):
            seen |= {plan.shape for plan in plans}
            for plan in plans:
                planner.count(plan)
            tasks += _with_twin([trial.task for trial in trials])
            made += 1
    return tasks


def _with_twin(tasks: list[Task]) -> list[Task]:
    """Of a pair the first, a refusal, names the other as its twin."""
    if len(tasks) == 2:
        return [tasks[0].model_copy(update={"twin": tasks[1].id}), tasks[1]]
    return tasks
