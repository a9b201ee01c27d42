"""Proposed tasks: language, variety, determinism, soundness."""

import asyncio
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.agents.procedural.tasks.offers import Offers, offers_of
from envolve.agents.procedural.tasks.plans import plan_of
from envolve.agents.procedural.tasks.writer import propose
from envolve.environments.canonical import sha256
from envolve.environments.gold import run_gold
from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.eval.audit import audit
from envolve.eval.units import units

from .conftest import worlds_offering

WRITER = ProceduralTaskWriter()


def proposed(environment: Environment, count: int = 15, seed: int = 3, known: tuple[Task, ...] = ()) -> list[Task]:
    return asyncio.run(WRITER.propose(environment, count, seed=seed, known=known))


def shapes_of(tasks: Iterable[Task]) -> set[str]:
    return {plan.shape for task in tasks if (plan := plan_of(task))}


def verified(environment: Environment, task: Task) -> Task:
    return asyncio.run(WRITER.write_verifier(environment, task, run_gold(environment, task)))


def test_instructions_read_like_requests(tasks: list[Task]) -> None:
    for task in tasks:
        said = task.instruction
        assert said.lstrip('"')[0].isupper() or said[0] == "$", said
        assert said.removesuffix('"')[-1] in ".?!", said
        assert not re.search(r"[{}$](?!\d)|_|  |\.\.|\bNone\b|\bid\b", said), said
        assert not re.search(r"\b[aA] [aeio]\w+|\ban [bcdfgjklmnpqrstvwxz]\w", said), said
        own = re.sub(r'"[^"]*"', "", said)
        assert not re.search(r"\d{4}-\d{2}-\d{2}|\d{2}:\d{2}:\d{2}", own), said


def test_phrases_stand_in_the_instruction(tasks: list[Task]) -> None:
    for task in tasks:
        for phrase in task.grounding:
            assert phrase.lower() in task.instruction.lower()


def test_proposals_are_varied(tasks: list[Task]) -> None:
    plans = [plan for task in tasks if (plan := plan_of(task))]
    assert len(units(tasks)) == 30
    assert len({plan.shape for plan in plans}) == len({task.id for task in tasks}) == len(tasks)
    assert len({part.workflow for plan in plans for part in plan.parts}) >= 15
    assert len({plan.role for plan in plans}) >= 2
    assert {len(plan.parts) for plan in plans} >= {1, 2}
    asked = sum(task.verifier.answer.kind != "none" for task in tasks)
    assert 2 <= asked <= 20
    assert len({plan.tone for plan in plans}) == 3


def test_known_tasks_are_not_proposed_again(school: Environment) -> None:
    known = tuple(proposed(school, 12))
    again = proposed(school, 12, known=known)
    assert again
    assert shapes_of(known).isdisjoint(shapes_of(again))


def test_most_are_sound_at_first_try(environment: Environment, tasks: list[Task]) -> None:
    grades = Counter(audit(environment.with_tasks(tasks), verified(environment, task)).grade for task in tasks[:3])
    assert grades["sound"] >= 2, grades


def test_the_same_seed_gives_the_same_tasks_in_any_process(school: Environment, tmp_path: Path) -> None:
    folder = school.save(tmp_path)
    script = (
        "import asyncio, sys\n"
        "from envolve.agents.procedural.tasks import ProceduralTaskWriter\n"
        "from envolve.environments.canonical import sha256\n"
        "from envolve.environments.package import Environment\n"
        "environment = Environment.load(sys.argv[1])\n"
        "print(sha256(asyncio.run(ProceduralTaskWriter().propose(environment, 6, seed=5))))\n"
    )
    other = {**os.environ, "PYTHONHASHSEED": "1"}
    told = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, check=True, env=other)
    assert told.stdout.decode().strip() == sha256(proposed(school, 6, seed=5))


def test_other_seeds_give_other_tasks(school: Environment) -> None:
    assert {task.id for task in proposed(school, 8, seed=1)} != {task.id for task in proposed(school, 8, seed=2)}


def test_refusals_come_with_a_twin(composed: dict[str, Environment]) -> None:
    proposals = ((environment, proposed(environment, 30, seed=4)) for environment in composed.values())
    environment, tasks = next(found for found in proposals if any(task.twin for task in found[1]))
    refusals = [task for task in tasks if task.twin is not None]
    for refusal in refusals:
        twin = next(task for task in tasks if task.id == refusal.twin)
        assert refusal.verifier.submit.status == "refused"
        assert refusal.verifier.submit.reason in refusal.verifier.submit.options
        assert len(refusal.verifier.submit.options) >= 4
        assert twin.verifier.submit.options == refusal.verifier.submit.options
        assert twin.verifier.submit.status == "done"
        for task in (verified(environment, refusal), verified(environment, twin)):
            with environment.open(task) as episode:
                run_gold(environment, task, episode=episode)
                assert episode.verify().passed


@pytest.mark.parametrize("gate", ["grounding", "end_state_mutants"])
def test_repair_changes_what_failed(school: Environment, gate: str) -> None:
    tasks = [task for task in proposed(school, 25) if task.grounding and not task.twin]
    task = verified(
        school, next(task for task in tasks if len(task.plan["parts"]) == 1 and not task.plan.get("twinned"))
    )
    report = audit(school, task)
    failed = tuple(
        result.model_copy(update={"status": "failed" if result.gate == gate else "passed"}) for result in report.gates
    )
    other = asyncio.run(WRITER.repair(school, task, report.model_copy(update={"gates": failed}), seed=1))
    assert other is not None
    assert other.instruction != task.instruction
    assert run_gold(school, other).ok


def test_what_tools_do_wrong_is_not_repaired_here(school: Environment) -> None:
    task = verified(school, proposed(school, 1)[0])
    report = audit(school, task)
    failed = tuple(
        result.model_copy(update={"status": "failed"}) if result.gate == "permission" else result
        for result in report.gates
    )
    assert asyncio.run(WRITER.repair(school, task, report.model_copy(update={"gates": failed}), seed=1)) is None


def test_no_two_ask_the_same_of_other_rows(environment: Environment, tasks: list[Task]) -> None:
    plans = [plan for task in tasks if (plan := plan_of(task))]
    assert len({plan.form for plan in plans}) == len(plans)


def test_where_forms_run_out_the_same_is_asked_of_other_rows() -> None:
    school = next(worlds_offering("bookings.confirm"))
    offers = offers_of(school)
    tables = school.tables()
    few = Offers(
        {"bookings.confirm": offers.workflows["bookings.confirm"]},
        {table: offers.refers(table) for table in tables},
        {table: offers.noun(table) for table in tables},
        offers.roles,
    )
    found = [plan for task in propose(school, few, 16, seed=1) if (plan := plan_of(task))]
    assert len({plan.shape for plan in found}) == 16
    fresh = len({plan.form for plan in found})
    assert len({plan.form for plan in found[:fresh]}) == fresh < 16
