"""Copies of sound environments: clean, with one fault, or with one legitimate change.

Everything in a copy is derived from the copy: contracts, the solutions' runs, verifiers. Nothing says where it comes
from: no design, no lineage, no reports, no frozen hashes; all SQL and the seed are printed in canonical form, in clean
copies too.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Literal, NamedTuple

from envolve.agents.faults import (
    DECOY_KINDS,
    TASK_KINDS,
    Evidence,
    Planted,
    canonical,
    contradiction,
    decoys,
    difference,
    plants,
    task_difference,
    task_plants,
)
from envolve.agents.procedural.tasks import ProceduralTaskWriter
from envolve.environments.canonical import seed_from
from envolve.environments.gold import GoldRun, run_gold
from envolve.environments.models import ProbeCall, Task
from envolve.environments.package import Environment
from envolve.environments.verification import SqlProblem, StateReader

from .worlds import World

WORDS = ("description_contradicts",)
"""Classes that change words and no behaviour: they count by what they say."""
CopyKind = Literal["clean", "plant", "decoy"]


class Copy(NamedTuple):
    """One copy to be reviewed. `fault` is the class of what was planted (empty in clean copies), `shows` how it was
    seen to differ, `contradicts` what of the package's own it contradicts; empty: a reader has to judge."""

    kind: CopyKind
    fault: str
    world: str
    held_out: bool
    environment: Environment
    original: Environment
    where: str = ""
    note: str = ""
    shows: str = ""
    contradicts: str = ""


class Dropped(NamedTuple):
    """A plant that does not count, since no difference was seen."""

    fault: str
    world: str
    where: str
    note: str


def clean_copy(world: World) -> Copy:
    return Copy("clean", "", world.name, world.held_out, world.clean, world.clean)


async def copies_of(world: World, fault: str, seed: int) -> AsyncIterator[Copy | Dropped]:
    """Copies with one fault (or decoy) of a class, drawn by `seed`; among them those that do not count."""
    rng = random.Random(seed_from("copies", seed, fault, world.name))
    for planted in _planted(world, fault, rng):
        if fault in DECOY_KINDS:
            yield await _decoy(world, planted)
        else:
            yield await _fault(world, planted)


def _planted(world: World, fault: str, rng: random.Random) -> Iterator[Planted]:
    if fault in DECOY_KINDS:
        return decoys(world.environment, fault, rng)
    if fault in TASK_KINDS:
        return task_plants(world.environment, fault, rng)
    return plants(world.environment.without_tasks(), fault, rng)


async def _decoy(world: World, planted: Planted) -> Copy:
    tasks = [task for task, _ in await _derived(planted.environment, planted.environment.tasks.values())]
    return _copy("decoy", world, planted, canonical(planted.environment, tasks))


async def _fault(world: World, planted: Planted) -> Copy | Dropped:
    derived = await _derived(planted.environment, _to_derive(world, planted))
    kept = [planted.environment.tasks[planted.task]] if planted.task is not None and not planted.derived else []
    copy = canonical(planted.environment, [*kept, *(task for task, _ in derived)])
    evidence = Evidence(world.clean, copy, planted.kind, planted.where, planted.note, unmet=_unmet(copy, derived))
    if planted.task is not None:
        seen = task_difference(world.clean, copy, planted.task) if planted.task in copy.tasks else None
        shows = seen.says if seen is not None else ""
        evidence = evidence._replace(against_goal=seen is not None and seen.against_goal)
    else:
        calls = difference(world.clean, copy, tasks=world.clean.tasks.values())
        evidence = evidence._replace(calls=calls)
        shows = planted.note if planted.kind in WORDS else _told(calls)
    if not shows:
        return Dropped(planted.kind, world.name, planted.where, planted.note)
    return _copy("plant", world, planted, copy)._replace(shows=shows, contradicts=contradiction(evidence))


def _copy(kind: CopyKind, world: World, planted: Planted, environment: Environment) -> Copy:
    return Copy(
        kind,
        planted.kind,
        world.name,
        world.held_out,
        environment,
        world.clean,
        where=planted.where,
        note=planted.note,
    )


def _to_derive(world: World, planted: Planted) -> list[Task]:
    """The tasks whose solutions are run again: all but a spoilt one that is to stay as it is."""
    tasks = dict(planted.environment.tasks) or dict(world.environment.tasks)
    if planted.task is not None and not planted.derived:
        del tasks[planted.task]
    return list(tasks.values())


async def _derived(environment: Environment, tasks: Iterable[Task]) -> list[tuple[Task, GoldRun]]:
    """The tasks whose solution still runs, each with a verifier written from what it does here."""
    writer, found = ProceduralTaskWriter(), list[tuple[Task, GoldRun]]()
    for task in tasks:
        run = run_gold(environment, task)
        if run.ok:
            written = await writer.write_verifier(environment, _with_answer(task, run), run)
            found.append((written, run))
    return found


def _with_answer(task: Task, run: GoldRun) -> Task:
    """The task with the answer that its solution gives here."""
    answer = task.verifier.answer
    if answer.value is None or run.submission is None:
        return task
    given = answer.model_copy(update={"value": run.submission.answer})
    return task.model_copy(update={"verifier": task.verifier.model_copy(update={"answer": given})})


def _unmet(environment: Environment, derived: list[tuple[Task, GoldRun]]) -> list[str]:
    """The tasks whose goal does not hold after their solution."""
    return [task.id for task, run in derived if task.goal.sql is not None and not _holds(environment, task, run)]


def _holds(environment: Environment, task: Task, run: GoldRun) -> bool:
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        reader.show(run.after, run.changes)
        try:
            return reader.holds(task.goal.sql or "")
        except SqlProblem:
            return False


def _told(calls: tuple[ProbeCall, ...]) -> str:
    return " → ".join(call.call for call in calls)
