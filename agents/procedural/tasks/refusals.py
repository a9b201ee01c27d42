"""Requests that a rule forbids, each with its twin: the same request where it is legitimate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import NamedTuple

from ....environments.models import Actor
from .offers import Offers
from .planner import Planner
from .plans import Plan, changed
from .sqltext import bound_names
from .voice import TONES
from .workflows import Workflow
from .worlds import Unfit

ACTORS_TRIED = 25


class Twins(NamedTuple):
    """A refusal, and the same request where it is legitimate."""

    refusal: Plan
    twin: Plan


class Refuser:
    """Draws refusals with a planner of the same environment and random numbers."""

    def __init__(self, planner: Planner, offers: Offers, rng: Random) -> None:
        self._planner = planner
        self._offers = offers
        self._rng = rng
        self._trials = planner.trials

    def draw(self) -> Twins | None:
        """A refusal of any kind with its twin; None if this attempt came to nothing."""
        refusal = self._rng.choice(list(self._offers.refusals.values()))
        base = self._offers.workflows[refusal.of or ""]
        role = self._rng.choice(refusal.actors)
        actors = self._planner.actors(role, ACTORS_TRIED)
        # By the same person where that can be: what forbids it may be who asks.
        for anybody in (False, True):
            for actor in actors:
                twins = self._drawn(refusal, base, role, actor, actors if anybody else [actor])
                if twins and self.told_apart(twins):
                    return twins
        return None

    def _drawn(
        self, refusal: Workflow, base: Workflow, role: str, actor: Actor, askers: Sequence[Actor]
    ) -> Twins | None:
        """A refusal of what `actor` asks, with its twin, asked by one of `askers` or by somebody of another role."""
        try:
            part = self._planner.part(refusal, role, actor)
            tone, voice = self._rng.choice(TONES), self._rng.getrandbits(32)
            plan = Plan(actor=actor, role=role, parts=(part,), tone=tone, voice=voice)
            twin = self._legitimate(plan, refusal, base, askers)
            return self._alike(plan, twin) if twin else None
        except Unfit:
            return None

    def _alike(self, plan: Plan, twin: Plan) -> Twins | None:
        """Both in one wording, which takes the phrases of either; None if there is none. Raises Unfit."""
        say, count = plan.parts[0].say, len(self._offers.refusals[plan.parts[0].workflow].say)
        for turn in range(count):
            turned = [one.with_part(0, changed(one.parts[0], say=(say + turn) % count)) for one in (plan, twin)]
            if self._said_alike(Twins(*turned)):
                return Twins(*turned)
        return None

    def _said_alike(self, twins: Twins) -> bool:
        return self._trials.wordings(twins.refusal) == self._trials.wordings(twins.twin)

    def told_apart(self, twins: Twins) -> bool:
        """Whether both work, in the same words, and the tools refuse what the refusal asks for."""
        refusal, twin = twins
        trials = self._trials
        works = trials.trial(refusal) and trials.trial(twin) and self._said_alike(twins)
        return bool(works and trials.refused(refusal))

    def forbidden(self, plan: Plan, index: int) -> Iterator[Plan]:
        """What part `index` asks, alone, where a rule forbids it: by the same person about other rows or values, or by
        somebody who may not ask it."""
        part = plan.parts[index]
        base = self._offers.workflows[part.workflow]
        refusals = [refusal for refusal in self._offers.refusals.values() if refusal.of == part.workflow]
        self._rng.shuffle(refusals)
        for refusal in refusals:
            for role, actor in self._those_refused(plan, refusal):
                drawer = self._planner.drawer(refusal, role, self._trials.world(actor, plan.setup))
                try:
                    drawn = drawer.redraw(refusal, part, _differences(refusal, base))
                except Unfit:
                    continue
                asked = changed(drawn, say=part.say if part.say < len(refusal.say) else 0)
                yield plan.with_parts((asked,)).model_copy(update={"actor": actor, "role": role})

    def _those_refused(self, plan: Plan, refusal: Workflow) -> list[tuple[str, Actor]]:
        """The plan's own actor where the refusal forbids it to such; else some of those to whom it does."""
        if plan.role in refusal.actors:
            return [(plan.role, plan.actor)]
        role = self._rng.choice(refusal.actors)
        return [(role, actor) for actor in self._planner.actors(role)]

    def _legitimate(self, plan: Plan, refusal: Workflow, base: Workflow, askers: Sequence[Actor]) -> Plan | None:
        """The request of a refusal with what makes it forbidden drawn anew, by the first of `askers` for whom there is
        something; or by somebody of a role that may. None if there is nobody."""
        part = plan.parts[0]
        if differing := _differences(refusal, base):
            return next(self._drawn_anew(plan, base, differing, askers), None)
        roles = [role for role in base.actors if role not in refusal.actors]
        if not roles:
            return None
        role = self._rng.choice(roles)
        actors = self._planner.actors(role, 1)
        other = plan.with_parts((changed(part, workflow=base.key),))
        return other.model_copy(update={"actor": actors[0], "role": role, "twinned": True}) if actors else None

    def _drawn_anew(
        self, plan: Plan, base: Workflow, differing: Collection[str], askers: Sequence[Actor]
    ) -> Iterator[Plan]:
        for actor in askers:
            drawer = self._planner.drawer(base, plan.role, self._trials.world(actor))
            try:
                part = drawer.redraw(base, plan.parts[0], differing)
            except Unfit:
                continue
            yield plan.with_parts((part,)).model_copy(update={"actor": actor, "twinned": True})


def _differences(refusal: Workflow, base: Workflow) -> list[str]:
    """The rows and values that make a refusal of its workflow's request, and the values that are drawn for these."""
    found = [name for name in refusal.targets if refusal.targets[name] != base.targets.get(name)]
    found += [name for name in refusal.choose if refusal.choose[name] != base.choose.get(name)]
    for name, choice in refusal.choose.items():
        named = bound_names(choice.sql or "")
        if name not in found and any(bound == one or bound.startswith(f"{one}_") for bound in named for one in found):
            found.append(name)
    return found
