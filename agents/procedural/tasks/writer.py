"""The procedural task writer: plans drawn, compiled and tried out; verifiers written from the executed run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
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
from .sourced import sourced

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
        """Up to `count` tasks unlike `known`, each of whose gold was executed and reaches its goal by writes that are
        all needed, to an end that has its sources in the request and in rows. A refusal and its twin count as one."""
        return propose(environment, offers_of(environment), count, seed=seed, known=known)

    async def write_verifier(self, environment: Environment, task: Task, run: GoldRun) -> Task:
        return write_verifier(environment, offers_of(environment), task, run)

    async def repair(self, environment: Environment, task: Task, report: AuditReport, *, seed: int) -> Task | None:
        """The task with other phrases, rows or values, depending on the gates that failed; None where none helps."""
        return repaired(environment, offers_of(environment), task, report, seed=seed)


def propose(
    environment: Environment,
    offers: Offers,
    count: int,
    *,
    seed: int,
    known: Sequence[Task] = (),
    refusals: float = REFUSALS,
) -> list[Task]:
    """Tasks of plans that work and can be checked, each asking something else, or by phrases of other forms, than any
    known one. Only where these run out do some ask the same of other rows. `refusals`: the share of draws that try for
    one."""
    rng = Random(seed_from("tasks", environment.hash, seed))
    planner = Planner(environment, offers, rng)
    refuser = Refuser(planner, offers, rng)
    seen = _Seen()
    for plan in (plan for task in known if (plan := plan_of(task))):
        seen.add((plan,))
        planner.count(plan)
    made: list[list[Task]] = []
    repeating: list[list[Task]] = []
    for _ in range(count * ATTEMPTS_PER_TASK):
        if len(made) >= count:
            break
        pair = bool(offers.refusals) and rng.random() < refusals
        plans: tuple[Plan, ...] = (refuser.draw() or ()) if pair else planner.draw()
        trials = [trial for plan in plans if plan.shape not in seen.shapes and (trial := planner.trials.trial(plan))]
        if plans and len(trials) == len(plans) and all(sourced(environment, offers, trial) for trial in trials):
            for plan in plans:
                planner.count(plan)
            (made if seen.of_new_form(plans) else repeating).append(_with_twin([trial.task for trial in trials]))
            seen.add(plans)
    return list(chain.from_iterable([*made, *repeating][:count]))


class _Seen:
    """What was proposed: shapes, none of which comes again, and forms, which come again only where others run out."""

    def __init__(self) -> None:
        self.shapes: set[str] = set()
        self._forms: set[str] = set()

    def of_new_form(self, plans: Sequence[Plan]) -> bool:
        return self._forms.isdisjoint(plan.form for plan in plans)

    def add(self, plans: Sequence[Plan]) -> None:
        self.shapes |= {plan.shape for plan in plans}
        self._forms |= {plan.form for plan in plans}


def _with_twin(tasks: list[Task]) -> list[Task]:
    """Of a pair the first, a refusal, names the other as its twin."""
    if len(tasks) == 2:
        return [tasks[0].model_copy(update={"twin": tasks[1].id}), tasks[1]]
    return tasks
