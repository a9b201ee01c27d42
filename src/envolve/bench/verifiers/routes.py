"""Other programs for a composed task: the same rows pointed at in another way, the parts in another order.

They come from the workflow that the task was written from, without a search; the verifier has no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from envolve.agents.procedural.tasks.compiler import compile_plan
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.plans import Plan, changed, plan_of
from envolve.agents.procedural.tasks.references import Referrer
from envolve.agents.procedural.tasks.speaking import speak
from envolve.agents.procedural.tasks.worlds import Unfit, seed_world
from envolve.environments.models import Task
from envolve.environments.models.tasks import GoldStep
from envolve.environments.package import Environment

MOST = 4


def other_routes(environment: Environment, task: Task) -> list[tuple[GoldStep, ...]]:
    """At most `MOST` programs unlike gold; none for a task that was not composed."""
    plan = plan_of(task)
    if plan is None:
        return []
    offers = offers_of(environment)
    found: list[tuple[GoldStep, ...]] = []
    for other in _plans(environment, offers, plan):
        try:
            program = compile_plan(environment, offers, other).gold
        except Unfit:
            continue
        if program != task.gold and program not in found:
            found.append(program)
        if len(found) == MOST:
            break
    return found


def _plans(environment: Environment, offers: Offers, plan: Plan) -> Iterator[Plan]:
    if len(plan.parts) > 1 and all(part.follows is None for part in plan.parts):
        yield plan.with_parts(reversed(plan.parts))
    world = seed_world(environment, plan.actor, plan.setup)
    for index, said in enumerate(speak(offers, world, plan)):
        referrer = Referrer(offers, world, plan.role, said.workflow.choose)
        for slot, reference in said.references.items():
            ways = referrer.ways(said.workflow, slot, reference.table)
            for refer, _ in referrer.options(ways, reference.table, reference.rows, slot, said.env):
                yield plan.with_part(index, changed(said.part, refer={**said.part.refer, **refer}))
