"""Repairing a task that an audit did not find sound: other phrases, other rows and values, or another question."""

from __future__ import annotations

from random import Random

from ....environments.canonical import seed_from
from ....environments.models import AuditReport, Task
from ....environments.package import Environment
from .candidates import PartDrawer
from .compiler import compile_plan
from .offers import Offers
from .planner import Planner
from .plans import Plan, changed, plan_of
from .references import Referrer
from .speaking import speak
from .worlds import Unfit

ATTEMPTS = 6
OF_PHRASES = frozenset({"grounding", "leak"})
"""Gates that other phrases may satisfy."""
OF_ROWS = frozenset({"prefix", "end_state_mutants", "trajectory_mutants", "alternatives", "goal"})
"""Gates that fail for what rows and values happen to be, unless tool or workflow is at fault: worth one more draw."""


def repaired(environment: Environment, offers: Offers, task: Task, report: AuditReport, *, seed: int) -> Task | None:
    """A task of a changed plan that works; None to give up (refusals, and what is no fault of phrases or rows)."""
    plan = plan_of(task)
    failed = {str(gate.gate) for gate in report.gates if gate.status == "failed"}
    if plan is None or task.twin is not None or plan.twinned or not failed:
        return None
    for attempt in range(ATTEMPTS):
        rng = Random(seed_from("repair", task.id, seed, attempt))
        planner = Planner(environment, offers, rng)
        other = _changed(planner, offers, plan, failed, rng)
        if other is not None and other != plan and planner.trials.trial(other) is not None:
            return compile_plan(environment, offers, other, lineage=task.lineage)
    return None


def _changed(planner: Planner, offers: Offers, plan: Plan, failed: set[str], rng: Random) -> Plan | None:
    if failed <= OF_PHRASES:
        return _otherwise_referred(planner, offers, plan, rng) or _about_others(planner, offers, plan, rng)
    if failed == {"null"}:
        return planner.widened(plan, "question")
    return _about_others(planner, offers, plan, rng) if failed <= OF_PHRASES | OF_ROWS else None


def _otherwise_referred(planner: Planner, offers: Offers, plan: Plan, rng: Random) -> Plan | None:
    """The plan with another way to refer to one of its rows."""
    world = planner.trials.world(plan.actor, plan.setup)
    try:
        spoken = speak(offers, world, plan)
    except Unfit:
        return None
    choices = []
    for index, said in enumerate(spoken):
        referrer = Referrer(offers, world, plan.role, said.workflow.choose)
        for slot, reference in said.references.items():
            ways = referrer.ways(said.workflow, slot, reference.table)
            kept = {name: way for name, way in said.part.refer.items() if name.split(".")[0] != slot}
            for refer, other in referrer.options(ways, reference.table, reference.rows, slot, said.env):
                if other.phrase != reference.phrase:
                    choices.append(plan.with_part(index, changed(said.part, refer={**kept, **refer})))
    return rng.choice(choices) if choices else None


def _about_others(planner: Planner, offers: Offers, plan: Plan, rng: Random) -> Plan | None:
    """The same workflows about other rows, with other values; only plans whose parts stand side by side."""
    if any(part.follows is not None for part in plan.parts):
        return None
    world = planner.trials.world(plan.actor, plan.setup)
    parts = []
    for part in plan.parts:
        workflow = offers.workflows[part.workflow]
        drawer = PartDrawer(Referrer(offers, world, plan.role, workflow.choose), rng, level=rng.randrange(3))
        try:
            parts.append(changed(drawer.draw(workflow), say=part.say, why=part.why))
        except Unfit:
            return None
    return plan.with_parts(parts)
