"""Drawing whole plans: who asks, what for, in how many parts, and how these hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from ....environments.models import Actor
from ....environments.package import Environment
from .candidates import PartDrawer
from .offers import Offers
from .plans import Part, Plan, changed
from .references import Referrer
from .sequences import contrary
from .sqltext import bound_names
from .trials import Trials
from .voice import TONES
from .workflows import Follow, Workflow
from .worlds import Unfit, World

ACTORS_TRIED = 6
LEVELS = (0, 0, 1, 1, 2, 2, 2)
"""How indirect phrases are to be, drawn per part."""
PART_COUNTS = (1, 2, 2, 2, 3, 3)
"""How many parts a plan is to have."""
QUESTIONS = 0.25
"""Share of plans that begin with a question."""
ONLY_ASKED = 0.8
"""Share of those in which nothing is to be changed."""
ASKED_COUNTS = (1, 1, 2)
"""How many parts these are to have."""
REASONS = 0.3
SAME_MATTER = 0.6
"""How often a further part is of the same archetype or link as the first."""
WIDENINGS_TRIED = 4
FOLLOW_UPS_TRIED = 6


class Planner:
    """Draws plans for one environment. The same random seed gives the same plans."""

    def __init__(self, environment: Environment, offers: Offers, rng: Random) -> None:
        self._environment = environment
        self._offers = offers
        self._rng = rng
        self.trials = Trials(environment, offers)
        self._used: Counter[str] = Counter()

    def count(self, plan: Plan) -> None:
        """Takes note of a plan that became a task: its workflows are drawn less often from now on."""
        self._used.update(part.workflow for part in plan.parts)

    def draw(self) -> tuple[Plan, ...]:
        """One plan, or none if this attempt came to nothing."""
        workflow = self._workflow()
        role = self._rng.choice(workflow.actors)
        for actor in self.actors(role):
            try:
                part = self.part(workflow, role, actor)
            except Unfit:
                continue
            plan = self._telling(self._plan(actor, role, part), workflow)
            if workflow.kind == "question" and self._rng.random() < ONLY_ASKED:
                return (self._asking(plan, self._rng.choice(ASKED_COUNTS)),)
            return (self._grown(plan, self._rng.choice(PART_COUNTS)),)
        return ()

    def _asking(self, plan: Plan, count: int) -> Plan:
        """The plan with up to `count` parts, all of them questions."""
        return (self.widened(plan, "question") or plan) if len(plan.parts) < count else plan

    def _telling(self, plan: Plan, workflow: Workflow) -> Plan:
        """A question whose answer could be guessed is asked together with another one."""
        if workflow.kind != "question" or self.trials.trial(plan) is not None:
            return plan
        return self.widened(plan, "question") or plan

    # What and who

    def _workflow(self, kinds: Sequence[str] = ()) -> Workflow:
        wanted = kinds or (("question",) if self._rng.random() < QUESTIONS else ("change",))
        offered = [workflow for workflow in self._offers.workflows.values() if workflow.kind in wanted]
        offered = offered or list(self._offers.workflows.values())
        least = min(self._used[workflow.key] for workflow in offered)
        fresh = [workflow for workflow in offered if self._used[workflow.key] <= least]
        return self._rng.choice(fresh if self._rng.random() < 0.75 else offered)

    def actors(self, role: str, count: int = ACTORS_TRIED) -> list[Actor]:
        """Some of those who hold a role."""
        name = self._offers.roles[role]
        spec = self._environment.spec.roles[name]
        nobody = Actor(roles=(name,), id=0)
        world = self.trials.world(nobody)
        found = world.rows(f'SELECT id FROM "{spec.table}" WHERE {spec.where or 1} ORDER BY id')
        ids = [row[0] for row in found]
        self._rng.shuffle(ids)
        return [Actor(roles=(name,), id=row) for row in ids[:count]]

    def _plan(self, actor: Actor, role: str, part: Part) -> Plan:
        tone, voice = self._rng.choice(TONES), self._rng.getrandbits(32)
        return Plan(actor=actor, role=role, parts=(part,), tone=tone, voice=voice)

    # Parts

    def part(self, workflow: Workflow, role: str, actor: Actor, world: World | None = None) -> Part:
        """A part drawn whole. Raises Unfit."""
        return self._dressed(self.drawer(workflow, role, world or self.trials.world(actor)).draw(workflow), workflow)

    def drawer(self, workflow: Workflow, role: str, world: World) -> PartDrawer:
        return PartDrawer(
            Referrer(self._offers, world, role, workflow.choose), self._rng, level=self._rng.choice(LEVELS)
        )

    def _dressed(self, part: Part, workflow: Workflow) -> Part:
        """A part with a wording and perhaps a reason. Added clauses need a wording that is a clause."""
        added = any(workflow.choose[name].optional for name in part.choices if name in workflow.choose)
        says = [index for index, say in enumerate(workflow.say) if not (added and say.sentences)]
        why = self._rng.randrange(len(workflow.why)) if workflow.why and self._rng.random() < REASONS else None
        return changed(part, say=self._rng.choice(says or [0]), why=why)

    def _grown(self, plan: Plan, count: int) -> Plan:
        """The plan with up to `count` parts: what may follow first, then something else that the actor may ask."""
        while len(plan.parts) < count:
            longer = self.followed(plan) if self._rng.random() < 0.6 else None
            longer = longer or self.widened(plan)
            if longer is None:
                break
            plan = longer
        return plan

    def followed(self, plan: Plan) -> Plan | None:
        """The plan with a further part on rows of an earlier one: what its workflow names as next, else whatever can
        be asked of the same row. None if nothing can follow."""
        for steps, named in ((self._named_next(plan), True), (self._possible_next(plan), False)):
            self._rng.shuffle(steps)
            for index, follow in steps[:FOLLOW_UPS_TRIED]:
                longer = self._following(plan, index, follow, named=named)
                if longer is not None and (named or not self.trials.undoes(plan, longer)):
                    return longer
        return None

    def _named_next(self, plan: Plan) -> list[tuple[int, Follow]]:
        return [
            (index, follow)
            for index in _pointed_at(plan)
            for follow in self._offers.workflows[plan.parts[index].workflow].next
        ]

    def _possible_next(self, plan: Plan) -> list[tuple[int, Follow]]:
        """Changes with one slot of the kind of row that a part is about."""
        found = []
        for index in _pointed_at(plan):
            workflow = self._offers.workflows[plan.parts[index].workflow]
            for slot in (*workflow.slots[:1], *workflow.creates):
                table = workflow.table(slot)
                for other in self._offers.workflows.values():
                    theirs = [name for name in other.targets if other.table(name) == table]
                    if len(theirs) == 1 and other.kind == "change":
                        found.append((index, Follow(workflow=other.key, rows={theirs[0]: slot}, join="and")))
        return found

    def _following(self, plan: Plan, index: int, follow: Follow, *, named: bool) -> Plan | None:
        earlier = self._offers.workflows[plan.parts[index].workflow]
        workflow = self._offers.workflow(follow.workflow, earlier)
        if workflow is None or plan.role not in workflow.actors or self._asks_twice(plan, workflow):
            return None
        if any(part.workflow == workflow.key for part in plan.parts):
            return None
        after = self.trials.after(plan)
        if after is None:
            return None
        given = after.rows_of(index, follow.rows)
        if given is None or not self._fits(workflow, given, plan.role, after.world):
            return None
        if contrary(self._offers, workflow, given, after.spoken, after.created, named_by=index if named else None):
            return None
        try:
            part = self.drawer(workflow, plan.role, after.world).draw(workflow, given)
        except Unfit:
            return None
        part = changed(self._dressed(part, workflow), follows=index, taken=follow.rows, join=follow.join)
        return self._accepted(plan.with_parts((*plan.parts, part)))

    def _fits(self, workflow: Workflow, given: dict[str, Any], role: str, world: World) -> bool:
        """Whether the rows taken over are candidates of the workflow, as the world then is."""
        known = {*world.names, *given}
        for slot, row in given.items():
            query = workflow.targets[slot].query(role) if slot in workflow.targets else None
            if (
                query is None
                or not bound_names(query) <= known
                or (row,) not in [found[:1] for found in world.rows(query, given)]
            ):
                return False
        return True

    def _asks_twice(self, plan: Plan, workflow: Workflow) -> bool:
        """A second answer that cannot stand beside the first, or the same workflow again on the same rows."""
        asked = [self._offers.workflows[part.workflow] for part in plan.parts]
        answers = [one.answer for one in (*asked, workflow) if one.answer is not None]
        return len(answers) > 1 and any(answer.kind not in ("text", "number", "date", "choice") for answer in answers)

    def widened(self, plan: Plan, kind: str | None = None) -> Plan | None:
        """The plan with a further part that has nothing to do with the others; None if none was found."""
        for _ in range(WIDENINGS_TRIED):
            workflow = self._beside(plan, kind)
            if workflow is None:
                return None
            try:
                part = self.part(workflow, plan.role, plan.actor, self.trials.world(plan.actor, plan.setup))
            except Unfit:
                continue
            longer = self._accepted(plan.with_parts((*plan.parts, part)))
            if longer is not None:
                return longer
        return None

    def _beside(self, plan: Plan, kind: str | None) -> Workflow | None:
        """Something else that the same person may ask, mostly of the same matter."""
        asked = {part.workflow for part in plan.parts}
        wanted = kind or ("question" if self._rng.random() < QUESTIONS else "change")
        offered = [
            workflow
            for workflow in self._offers.workflows.values()
            if plan.role in workflow.actors and workflow.key not in asked and workflow.kind == wanted
            if not self._asks_twice(plan, workflow)
        ]
        matter = self._offers.workflows[plan.parts[0].workflow].stem
        near = [workflow for workflow in offered if workflow.stem == matter]
        offered = near if near and self._rng.random() < SAME_MATTER else offered
        least = min((self._used[workflow.key] for workflow in offered), default=0)
        fresh = [workflow for workflow in offered if self._used[workflow.key] <= least + 1]
        return self._rng.choice(fresh) if fresh else None

    def _accepted(self, plan: Plan) -> Plan | None:
        return plan if self.trials.trial(plan) else None


def _pointed_at(plan: Plan) -> list[int]:
    """Parts that a further one can point back at with "that": nothing of another matter stands behind them."""
    last = max(index for index, part in enumerate(plan.parts) if part.follows is None)
    return list(range(last, len(plan.parts)))
