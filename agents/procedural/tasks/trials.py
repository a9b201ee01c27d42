"""Trying a plan out: compile it, execute gold, see that the goal is met and that the parts stand on their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ....environments.answer_matching import answers_match
from ....environments.gold import GoldRun, run_gold
from ....environments.models import Actor, Task
from ....environments.package import Environment
from ....environments.sql_text import SqlProblem
from ....environments.verification import StateReader, expected_answer
from ....eval.audit.language import Wording
from .compiler import Spoken, Unusable, compile_plan, part_goals, speak, speak_part
from .offers import Offers
from .plans import Plan, Rows
from .sqltext import STANDING, inline
from .worlds import World, seed_image, seed_world


class After(NamedTuple):
    """The world after a plan's gold. `created`: (part, slot) → the row that it made."""

    world: World
    spoken: list[Spoken]
    created: dict[tuple[int, str], int]

    def rows_of(self, index: int, on: Mapping[str, str]) -> dict[str, Rows] | None:
        """The rows that a follow-up takes over from part `index`, by its own slots; None if one is missing."""
        found: dict[str, Rows] = {}
        for slot, theirs in on.items():
            row = self.created.get((index, theirs), self.spoken[index].env.get(theirs))
            if not isinstance(row, int):
                return None
            found[slot] = row
        return found


class Trial(NamedTuple):
    """A plan that works: its task (without verifier) and gold's run."""

    task: Task
    run: GoldRun


class Trials:
    """Tries plans in one environment. Worlds of actors are kept for the next plan."""

    def __init__(self, environment: Environment, offers: Offers) -> None:
        self._environment = environment
        self._offers = offers
        self._worlds: dict[tuple[Actor, tuple[str, ...]], World] = {}

    def world(self, actor: Actor, setup: tuple[str, ...] = ()) -> World:
        key = (actor, setup)
        if key not in self._worlds:
            self._worlds[key] = seed_world(self._environment, actor, setup)
        return self._worlds[key]

    def trial(self, plan: Plan) -> Trial | None:
        """The task of a plan, if gold reaches the goal, each part has something to do, and none depends on another
        unless it follows from it."""
        try:
            spoken = speak(self._offers, self.world(plan.actor, plan.setup), plan)
            task = compile_plan(self._environment, self._offers, plan)
            run = run_gold(self._environment, task)
            if not run.ok or not self._independent(plan, spoken):
                return None
            with self._reader(plan) as reader:
                sound = _sound(task, run, spoken, reader, self._environment.spec.clock)
        except (Unusable, SqlProblem):
            return None
        return Trial(task, run) if sound else None

    def after(self, plan: Plan) -> After | None:
        """The world once everything that a plan asks is done; None if it cannot be done."""
        try:
            spoken = speak(self._offers, self.world(plan.actor, plan.setup), plan)
            task = compile_plan(self._environment, self._offers, plan)
        except Unusable:
            return None
        run = run_gold(self._environment, task)
        if not run.ok:
            return None
        with self._reader(plan) as reader:
            reader.show(run.after, run.changes)
            created = {
                (index, slot): reader.value(inline(made.sql, said.env, keep=STANDING))
                for index, said in enumerate(spoken)
                for slot, made in said.workflow.creates.items()
            }
        return After(World(run.after, plan.actor, self._environment.spec.clock), spoken, created)

    def _independent(self, plan: Plan, spoken: Sequence[Spoken]) -> bool:
        """Whether each part's phrases still mean the same rows when the parts before it are done."""
        for index in range(1, len(plan.parts)):
            before = self.after(plan.with_parts(plan.parts[:index]))
            if before is None:
                return False
            speak_part(self._offers, before.world, plan.role, plan.parts[index], spoken[:index])
        return True

    def _reader(self, plan: Plan) -> StateReader:
        image = seed_image(self._environment, plan.actor, plan.setup)
        return StateReader(self._environment, image, actor=plan.actor)


def _sound(task: Task, run: GoldRun, spoken: Sequence[Spoken], reader: StateReader, now: str) -> bool:
    """Whether no part's goal held from the start, all hold at the end, and a question has an answer to find."""
    goals = [sql for said in spoken for sql in part_goals(said)]
    if any(reader.holds(sql) for sql in goals):
        return False
    early = _expected(task, reader)
    reader.show(run.after, run.changes)
    if not all(reader.holds(sql) for sql in goals):
        return False
    if task.verifier.answer.kind == "none":
        return True
    late = _expected(task, reader)
    given = run.submission.answer if run.submission else None
    follows = any(said.workflow.kind == "question" and said.part.follows is not None for said in spoken)
    if late in (None, [], "") or not (follows or early == late) or _told(task, late, now):
        return False
    return answers_match(task.verifier.answer, late, given)


def _expected(task: Task, reader: StateReader) -> Any:
    return expected_answer(reader, task.verifier.answer, {})


def _told(task: Task, answer: Any, now: str) -> bool:
    """Whether the instruction gives the answer away."""
    wording = Wording(task.instruction, now)
    values = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else [answer]
    return any(wording.says(value) for value in values if isinstance(value, str | int | float))
