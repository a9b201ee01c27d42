"""Optional choices (constrain, relax) and sets of rows (widen, narrow), added to a composed environment's offers."""

import asyncio
from random import Random
from typing import Protocol

import pytest

from envolve.agents.procedural.operators import ProceduralEvolver
from envolve.agents.procedural.tasks import ProceduralTaskWriter, offers
from envolve.agents.procedural.tasks.candidates import PartDrawer
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.plans import Plan, plan_of
from envolve.agents.procedural.tasks.references import Referrer
from envolve.agents.procedural.tasks.trials import Trials
from envolve.agents.procedural.tasks.workflows import Choice, GoalTemplate, Refer, Workflow
from envolve.environments.gold import run_gold
from envolve.environments.keeping import Latest
from envolve.environments.models import Actor, Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

NOTE = "bring the long ladder"


class Made(Protocol):
    environment: Environment


def with_note(workflow: Workflow, table: str) -> Workflow:
    """A workflow that makes a booking, with a note that may be asked for."""
    *steps, call = workflow.gold
    goal = workflow.goal
    assert goal is not None
    assert goal.sql is not None
    return workflow.model_copy(
        update={
            "choose": {
                **workflow.choose,
                "note": Choice(one_of=(NOTE,), optional=True, add='and put down the note "{note}"'),
            },
            "gold": (*steps, {**call, "args": {**call["args"], "note": "{note}"}}),
            "goal": GoalTemplate(text=goal.text, sql=goal.sql.replace("note IS NULL", "note IS :note")),
        }
    )


def all_of(table: str, one: str, fk: str) -> Refer:
    """All bookings of a customer that are still to come."""
    to_come = "status IN ('held', 'confirmed') AND starts_at > {now}"
    where = f"{fk} = :person AND {to_come.format(now=':now')}"
    return Refer.model_validate(
        {
            "phrase": f"all {table} to come of {{person}}",
            "expect": "many",
            "actors": ("staff", "manager"),
            "uses": {"person": {"table": "PEOPLE", "sql": f"SELECT {fk} FROM {table} WHERE id = :id"}},
            "sql": f"SELECT id FROM {table} WHERE {where}",
            "find": (
                {"find": "person"},
                {
                    "call": f"list_{table}",
                    "args": {fk: "$person.id", "status": "confirmed", "limit": 100},
                    "as": "found",
                },
                {
                    "pick": "some",
                    "many": True,
                    "sql": "SELECT id FROM $found WHERE status IN ('held', 'confirmed') AND starts_at > {now}",
                },
            ),
        }
    )


@pytest.fixture
def environment(made: list[Made], monkeypatch: pytest.MonkeyPatch) -> Environment:
    environment = made[0].environment
    real = offers_of(environment)
    table = real.workflows["bookings.cancel"].table("booking")
    fk = next(column.name for column in environment.tables()[table].columns if column.references)
    people = environment.spec.roles[real.roles["customer"]].table
    way = all_of(table, table, fk).model_copy()
    way = way.model_copy(update={"uses": {"person": way.uses["person"].model_copy(update={"table": people})}})
    workflows = {**real.workflows, "bookings.book": with_note(real.workflows["bookings.book"], table)}
    refers = {name: real.refers(name) for name in environment.tables()}
    changed = Offers(
        workflows,
        {**refers, table: (*refers[table], way)},
        {name: real.noun(name) for name in environment.tables()},
        real.roles,
    )
    monkeypatch.setattr(offers, "offers_in", lambda *composed: changed)
    monkeypatch.setattr(offers, "_OFFERS", Latest(1))
    return environment


def tasks_of(environment: Environment, workflow: str, count: int = 25) -> list[Task]:
    """Tasks of one workflow for a member of staff."""
    offered = offers_of(environment)
    name = offered.roles["staff"]
    role = environment.spec.roles[name]
    trials = Trials(environment, offered)
    nobody = Actor(roles=(name,), id=0)
    actor = nobody.model_copy(
        update={"id": trials.world(nobody).value(f"SELECT min(id) FROM {role.table} WHERE {role.where}")}
    )
    flow = offered.workflows[workflow]
    found = []
    for seed in range(count):
        referrer = Referrer(offered, trials.world(actor), "staff", flow.choose)
        part = PartDrawer(referrer, Random(seed), level=0, constrained=0).draw(flow)
        trial = trials.trial(Plan(actor=actor, role="staff", parts=(part,)))
        if trial is not None:
            found.append(trial.task)
    return found


def evolved(environment: Environment, task: Task, operator: str) -> Task | None:
    for seed in range(6):
        child = asyncio.run(ProceduralEvolver().evolve(environment, task, operator, seed=seed))
        if isinstance(child, Task):
            return child
    return None


def grade(environment: Environment, task: Task) -> str:
    run = run_gold(environment, task)
    assert run.ok, run.failure
    return audit(environment, asyncio.run(ProceduralTaskWriter().write_verifier(environment, task, run))).grade


def test_constrain_names_one_more_thing_and_relax_one_less(environment: Environment) -> None:
    plain = tasks_of(environment, "bookings.book", 1)[0]
    assert NOTE not in plain.instruction
    harder = evolved(environment, plain, "constrain")
    assert harder is not None
    assert f'note "{NOTE}"' in harder.instruction
    assert grade(environment, harder) == "sound"
    easier = evolved(environment, harder, "relax")
    assert easier is not None
    assert NOTE not in easier.instruction
    assert grade(environment, easier) == "sound"
    assert evolved(environment, easier, "relax") is None


def test_widen_asks_the_same_for_a_set_and_narrow_for_one(environment: Environment) -> None:
    for task in tasks_of(environment, "bookings.cancel"):
        for seed in range(4):
            wider = asyncio.run(ProceduralEvolver().evolve(environment, task, "widen", seed=seed))
            plan = plan_of(wider) if isinstance(wider, Task) else None
            if not isinstance(wider, Task) or plan is None or len(plan.parts) > 1:
                continue
            rows = plan.parts[0].rows["booking"]
            assert isinstance(rows, tuple)
            assert sum(step.each is not None for step in wider.gold if hasattr(step, "each")) == 1
            assert len(run_gold(environment, wider).changes.rows) >= len(rows)
            assert grade(environment, wider) == "sound"
            one = evolved(environment, wider, "narrow")
            assert one is not None
            narrowed = plan_of(one)
            assert narrowed is not None
            assert isinstance(narrowed.parts[0].rows["booking"], int)
            return
    pytest.fail("no customer has several bookings to come")
