"""Trying a plan out: compile it, execute gold, see that the goal is met and that the parts stand on their own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ....environments.answer_matching import answers_match
from ....environments.canonical import canonical_json
from ....environments.gold import GoldRun, run_gold
from ....environments.models import Actor, Task
from ....environments.package import Environment
from ....environments.sql_text import SqlProblem
from ....environments.verification import StateReader, expected_answer
from ....eval.audit.language import Wording
from .compiler import compile_plan
from .detours import avoidable
from .forbidding import all_the_same, refused_once
from .guessing import guessable
from .needless import needless_write
from .offers import Offers
from .plans import Plan, Rows
from .requests import wording
from .speaking import Spoken, part_goals, speak, speak_part
from .sqltext import STANDING, inline
from .worlds import Unfit, World, seed_image, seed_world

PLANS_KEPT = 12


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
        self._tried: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def world(self, actor: Actor, setup: tuple[str, ...] = ()) -> World:
        key = (actor, setup)
        if key not in self._worlds:
            self._worlds[key] = seed_world(self._environment, actor, setup)
        return self._worlds[key]

    def trial(self, plan: Plan) -> Trial | None:
        """The task of a plan, if gold reaches the goal, each part has something to do that no other does, and none
        depends on another unless it follows from it."""
        found: Trial | None = self._once("trial", plan, self._trial)
        return found

    def _trial(self, plan: Plan) -> Trial | None:
        try:
            spoken = speak(self._offers, self.world(plan.actor, plan.setup), plan)
            task = compile_plan(self._environment, self._offers, plan, spoken=spoken)
            run = run_gold(self._environment, task)
            if not run.ok or _leaks_id(task, spoken, self._environment.spec.clock) or _frees_what_counts(spoken):
                return None
            if not self._independent(plan, spoken):
                return None
            with self._reader(plan) as reader:
                sound = _reached(run, spoken, reader)
                sound = sound and (task.verifier.answer.kind == "none" or self._asks(task, run, spoken, reader))
            sound = sound and not needless_write(self._environment, task, run)
        except (Unfit, SqlProblem):
            return None
        return Trial(task, run) if sound else None

    def refused(self, plan: Plan) -> bool:
        """Whether the tools refuse what a refusal's plan asks for, when it is tried all the same: for one reason, and
        with no way round."""
        try:
            spoken = speak(self._offers, self.world(plan.actor, plan.setup), plan)
            task = all_the_same(compile_plan(self._environment, self._offers, plan, spoken=spoken))
        except Unfit:
            return False
        goals = [sql for said in spoken for sql in part_goals(self._obliging(said))]
        return refused_once(self._environment, task) and not avoidable(self._environment, task, goals)

    def wordings(self, plan: Plan) -> list[str]:
        """The wording of each part, its placeholders still in it. Raises Unfit."""
        return [wording(said).text for said in speak(self._offers, self.world(plan.actor, plan.setup), plan)]

    def _obliging(self, said: Spoken) -> Spoken:
        """A refusal's part as its workflow's, which has a goal."""
        return said._replace(workflow=self._offers.workflows.get(said.workflow.of or "", said.workflow))

    def after(self, plan: Plan) -> After | None:
        """The world once everything that a plan asks is done; None if it cannot be done."""
        found: After | None = self._once("after", plan, self._after)
        return found

    def _after(self, plan: Plan) -> After | None:
        try:
            spoken = speak(self._offers, self.world(plan.actor, plan.setup), plan)
            task = compile_plan(self._environment, self._offers, plan, spoken=spoken)
        except Unfit:
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

    def undoes(self, plan: Plan, longer: Plan) -> bool:
        """Whether what `plan` leaves behind is changed again by the further parts of `longer`."""
        early, late = self.trial(plan), self.trial(longer)
        if early is None or late is None:
            return True
        kept = {(change.table, str(change.key)): change for change in late.run.changes.rows}
        for change in early.run.changes.rows:
            other = kept.get((change.table, str(change.key)))
            if other is None or any(other.new.get(name) != value for name, value in change.new.items()):
                return True
        return False

    def _once(self, name: str, plan: Plan, make: Callable[[Plan], Any]) -> Any:
        """What `make` gives for a plan; of the plans tried last it is kept."""
        key = (name, canonical_json(plan))
        if key not in self._tried:
            self._tried[key] = make(plan)
            if len(self._tried) > PLANS_KEPT:
                self._tried.popitem(last=False)
        return self._tried[key]

    def _independent(self, plan: Plan, spoken: Sequence[Spoken]) -> bool:
        """Whether each part's phrases still mean the same rows when the parts before it are done, and none is about
        a row that another is about."""
        for index in range(1, len(plan.parts)):
            if any(spoken[index].rows() & other.rows() for other in spoken[:index]):
                return False
            before = self.after(plan.with_parts(plan.parts[:index]))
            if before is None:
                return False
            speak_part(self._offers, before.world, plan.role, plan.parts[index], spoken[:index])
        return True

    def _asks(self, task: Task, run: GoldRun, spoken: Sequence[Spoken], reader: StateReader) -> bool:
        """Whether there is an answer to find: one that gold gives, that the instruction does not, that is no guess,
        and that what else is asked for does not change."""
        late = _expected(task, reader)
        given = run.submission.answer if run.submission else None
        if late in (None, [], "") or not answers_match(task.verifier.answer, late, given):
            return False
        if _told(task, late, self._environment.spec.clock):
            return False
        reader.show_seed()
        follows = any(said.workflow.kind == "question" and said.part.follows is not None for said in spoken)
        if not follows and run.changes.rows and _expected(task, reader) != late:
            return False
        return not guessable(self._environment, self.world(task.actor, task.setup), task, run, late)

    def _reader(self, plan: Plan) -> StateReader:
        image = seed_image(self._environment, plan.actor, plan.setup)
        return StateReader(self._environment, image, actor=plan.actor)


def _leaks_id(task: Task, spoken: Sequence[Spoken], now: str) -> bool:
    """Whether a number in the instruction happens to be the id of a row that it speaks of."""
    ids = {row for said in spoken for reference in said.references.values() for row in reference.all_rows()}
    return not ids.isdisjoint(Wording(task.instruction, now).bare_numbers)


def _frees_what_counts(spoken: Sequence[Spoken]) -> bool:
    """Whether one part leaves a column to the solver that another part's goal asks for."""
    return any(
        column in sql
        for said in spoken
        for table, columns in said.workflow.free.items()
        for other in spoken
        if other is not said
        for sql in part_goals(other)
        if table in sql
        for column in columns
    )


def _reached(run: GoldRun, spoken: Sequence[Spoken], reader: StateReader) -> bool:
    """Whether no part's goal holds from the start, and all hold at the end (which the reader then shows)."""
    goals = [sql for said in spoken for sql in part_goals(said)]
    if any(reader.holds(sql) for sql in goals):
        return False
    reader.show(run.after, run.changes)
    return all(reader.holds(sql) for sql in goals)


def _expected(task: Task, reader: StateReader) -> Any:
    return expected_answer(reader, task.verifier.answer, {})


def _told(task: Task, answer: Any, now: str) -> bool:
    """Whether the instruction gives the answer away."""
    wording = Wording(task.instruction, now)
    values = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else [answer]
    return any(wording.says(value) for value in values if isinstance(value, str | int | float))
