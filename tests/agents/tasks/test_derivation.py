"""Verifiers written from executed runs."""

from random import Random

from envolve.agents.procedural.coder import render
from envolve.agents.procedural.library import library
from envolve.agents.procedural.linting import design_of, structures_of
from envolve.agents.procedural.tasks.derivation import write_verifier
from envolve.agents.procedural.tasks.offers import offers_of
from envolve.agents.procedural.tasks.planner import Planner
from envolve.agents.procedural.tasks.plans import Plan
from envolve.agents.procedural.tasks.schemas import shapes
from envolve.agents.procedural.tasks.workflows import Choice
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit

ASKED = ("people.suspend", "catalogue.reprice_category")


def shop() -> Environment:
    """A catalogue that keeps its price changes, and in which prices can be changed and people suspended."""
    source = library()
    histories = [one for one in structures_of(source, "catalogue") if one.choice["catalogue"]["pricing"] == "history"]
    worlds = (render(design_of(source, histories[0], seed), source=source) for seed in range(20))
    return next(world for world in worlds if offers_of(world).workflows.keys() >= {*ASKED})


def suspend_then_reprice(environment: Environment) -> Task:
    """A request to suspend somebody, and to change the prices of a whole category."""
    offers = offers_of(environment)
    planner = Planner(environment, offers, Random(0))
    workflows = [offers.workflows[name] for name in ASKED]
    actor = planner.actors("manager", 1)[0]
    for voice in range(20):
        parts = tuple(planner.part(workflow, "manager", actor) for workflow in workflows)
        trial = planner.trials.trial(Plan(actor=actor, role="manager", parts=parts, tone="plain", voice=voice))
        if trial is not None:
            return write_verifier(environment, offers, trial.task, trial.run)
    raise AssertionError("no such request came about")


def test_what_is_looked_up_after_a_write_is_a_source_too() -> None:
    """The second part's rows are found after the first part's write; what is worked out of them names them."""
    environment = shop()
    task = suspend_then_reprice(environment)
    [grounding] = [gate for gate in audit(environment.with_tasks([task]), task).gates if gate.gate == "grounding"]
    assert grounding.status == "passed", grounding.message


def test_a_row_that_is_deleted_besides_is_named_by_what_leads_to_it() -> None:
    """What is upheld is unpinned: the pin is two references away from the report that is decided on."""
    source = library()
    wanted = {"pins": "pins", "moderation": "reports"}
    structures = [
        one for one in structures_of(source, "channels") if wanted.items() <= one.choice["channels"].items()
    ]
    environment = render(design_of(source, structures[0], 1), source=source)
    offers = offers_of(environment)
    decide = offers.workflows["channels.decide"]
    decide = decide.model_copy(update={"choose": {**decide.choose, "decision": Choice(one_of=("upheld",))}})
    planner = Planner(environment, offers, Random(0))
    actor = planner.actors("staff", 1)[0]
    message, pin, report = (decide.tables[entity] for entity in ("message", "pin", "report"))
    fk = next(name for name, table in shapes(environment)[pin].references.items() if table == message)
    setup = (
        f"DELETE FROM {pin}",
        f"INSERT INTO {pin} (id, {fk}, pinned_by) SELECT 7000 + min(id), {fk}, {actor.id} FROM {report} GROUP BY {fk}",
    )
    part = planner.part(decide, "staff", actor, planner.trials.world(actor, setup))
    plan = Plan(actor=actor, role="staff", parts=(part,), tone="plain", voice=1, setup=setup)
    trial = planner.trials.trial(plan)
    assert trial is not None
    task = write_verifier(environment, offers, trial.task, trial.run)
    assert [allow.table for allow in task.verifier.allow if allow.delete] == [pin]
    [grounding] = [gate for gate in audit(environment.with_tasks([task]), task).gates if gate.gate == "grounding"]
    assert grounding.status == "passed", grounding.message
