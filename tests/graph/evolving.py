"""An open round in which a written pair is measured and tasks are evolved, whatever the drawn world came to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from envolve.agents.procedural.operators import ProceduralEvolver
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.compiler import compile_plan
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.agents.procedural.tasks.planner import Planner
from envolve.agents.procedural.tasks.plans import plan_of
from envolve.agents.procedural.tasks.refusals import Refuser
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.units import Unit
from envolve.graph.items import Item
from envolve.memory.records import PlannedItem, TaskRecord

from .open_run import Run

HARDEN = ("deepen", "distract", "conceal", "constrain", "aggregate", "widen")
CHANGED = 2
"""How many tasks are evolved otherwise than to refusals."""


def plan_evolution(run: Run, seed: int) -> None:
    """Leaves a planned round open, for a process to work. `seed` is the run's."""
    last = run.store.work.last_round()
    assert last is not None
    number = last.number + 2
    written, *more = islice(drawn_pairs(run.environment), 2)
    asked = run.outcome(verified(run, alone(run.environment, (more or [written])[0])))
    refusal, twin = (run.outcome(verified(run, half)) for half in written if half)
    parents = [record for record in run.store.tasks.all() if record.stage != "proposed" and record.twin_of is None]
    writing = run.plan(last.number + 1, "write", run.environment.id, count=2)
    run.commit(writing, refusal.model_copy(update={"twin": twin}), asked)
    run.store.work.finish_round(writing.round)
    items = [
        Item(round=number, kind="measure", name="a-pair", environment=run.environment.id, task=refusal.version),
        evolution(run, number, asked.version, "refuse"),
        *islice(evolutions(run, number, seed, parents), CHANGED),
    ]
    planned = [
        PlannedItem(key=item.key, kind=item.kind, inputs=item.model_dump(mode="json", exclude_none=True))
        for item in items
    ]
    run.store.work.plan_round(number, {"items": [item.key for item in items]}, planned)


def drawn_pairs(environment: Environment) -> Iterator[Unit]:
    """Refusals with their twins, without verifiers, of different requests; there is one at least."""
    offers, rng = offers_of(environment), Random(4)
    refuser = Refuser(Planner(environment, offers, rng), offers, rng)
    found = set[str]()
    for drawn in (refuser.draw() for _ in range(40)):
        if drawn:
            refusal, twin = (compile_plan(environment, offers, plan) for plan in drawn)
            if refusal.id not in found:
                yield Unit(refusal.model_copy(update={"twin": twin.id}), twin)
            found.add(refusal.id)
    assert found, "no rule of this world forbids anything"


def alone(environment: Environment, pair: Unit) -> Task:
    """What the twin of a pair asks, as a task of its own."""
    plan = plan_of(pair.twin or pair.task)
    assert plan is not None
    plain = compile_plan(environment, offers_of(environment), plan.model_copy(update={"twinned": False}))
    return plain.model_copy(update={"id": "asked-alone"})


def evolutions(run: Run, number: int, seed: int, parents: Sequence[TaskRecord]) -> Iterator[Item]:
    """Items that come to something: of each parent by the first operator that applies."""
    for parent in parents:
        possible = (evolution(run, number, parent.version, operator) for operator in HARDEN)
        item = next((item for item in possible if applies(run, item, parent.task, seed)), None)
        if item is not None:
            yield item


def evolution(run: Run, number: int, version: str, operator: str) -> Item:
    return Item(
        round=number,
        kind="evolve",
        name=f"{version[:16]}/{operator}",
        environment=run.environment.id,
        task=version,
        operator=operator,
        direction="harden",
    )


def applies(run: Run, item: Item, parent: Task, seed: int) -> bool:
    made = ProceduralEvolver().evolve(run.environment, parent, str(item.operator), seed=item.seed(seed))
    return asyncio.run(made) is not None


def verified(run: Run, task: Task) -> Task:
    return asyncio.run(ProceduralTaskWriter().write_verifier(run.environment, task, run_gold(run.environment, task)))
