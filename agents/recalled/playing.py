"""Playing a past probe in another environment: its calls in their order, by like actors, on rows and values of here.

What the old arguments had in common the new ones have too: one row stays one row, one moment one moment, as far from
the world's time as it was there. Everything else is drawn as the fuzzer draws it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ...environments.models import Actor, Param, ProbeCall, Tool
from ...environments.resolution import ResolvedTool
from ..base import PastDefect
from ..tester.actors import actors_by_role
from ..tester.anatomy import Anatomy
from ..tester.fuzzing.arguments import Composer
from ..tester.fuzzing.campaign import Sighting
from ..tester.fuzzing.material import Material
from ..tester.fuzzing.replay import watched_call
from ..tester.fuzzing.scene import Scene
from ..tester.fuzzing.steps import Step, rows_made
from ..tester.fuzzing.symptoms import Symptom
from ..tester.fuzzing.watchers import watchers
from ..tester.ownership import admitted
from ..tester.stage import Stage
from .toollike import Fit, param_pairs, table_of

_ATTEMPTS = 4
"""Arguments tried for a call that guards refuse."""
_KEPT, _MADE, _EXTRA = 0.6, 0.7, 0.25
"""How often a value is taken over where it can be, a row is taken that the calls made, an argument is given that the
probe did not give."""
_DATE = len("2026-03-02")
_CAST = 4
"""Actors of each role to choose from."""


class Player:
    """Plays probes in one environment. Everything random comes from `rng`."""

    def __init__(self, anatomy: Anatomy, rng: random.Random, seed: int) -> None:
        self.anatomy = anatomy
        self._rng = rng
        self._material = Material(anatomy, seed)
        self._actors = actors_by_role(anatomy, _CAST)
        self._watchers = watchers(anatomy)

    def play(self, defect: PastDefect, fit: Fit) -> Sighting | None:
        """What is wrong after one of the calls, with the calls up to there; None if nothing is."""
        assert defect.probe is not None
        part = _Part(defect, fit, self._rng, self.anatomy.spec.clock)
        with Stage(self.anatomy.environment, seed=self._rng.randrange(1 << 16)) as stage:
            cast = self._cast(defect, fit)
            scene = Scene(self.anatomy, stage, tuple(dict.fromkeys(cast)), self._rng)
            composer = Composer(self._material, scene, stage.now, self._rng)
            steps = list[Step]()
            for call, actor in zip(defect.probe.calls, cast, strict=True):
                symptoms, done = self._call(stage, scene, composer, part, call, actor, steps)
                if symptoms:
                    return Sighting(symptoms[0], tuple(steps))
                if not done:
                    return None
        return None

    def _cast(self, defect: PastDefect, fit: Fit) -> Sequence[Actor]:
        """An actor for each call: one for each old one, of the same role where there is one that may make the call."""
        probe, chosen, cast = defect.probe, dict[tuple[Any, ...], Actor](), list[Actor]()
        for call in probe.calls if probe is not None else ():
            old = call.actor or (probe.actor if probe is not None else None)
            tool = fit.tools[call.call]
            may = [role for role in admitted(self.anatomy.spec, tool) if self._actors.get(role)]
            same = [role for role in may if old is not None and role in old.roles]
            role = self._rng.choice(same or may) if may else ""
            key = (old.id if old is not None else None, role)
            if key not in chosen and role:
                chosen[key] = self._rng.choice(self._actors[role])
            cast.append(chosen[key] if role else Actor(roles=(), id=0))
        return cast

    def _call(
        self,
        stage: Stage,
        scene: Scene,
        composer: Composer,
        part: _Part,
        call: ProbeCall,
        actor: Actor,
        steps: list[Step],
    ) -> tuple[tuple[Symptom, ...], bool]:
        """The call with arguments of here, again with others while it is refused; what is wrong, and whether one
        succeeded. `steps` grows by the call that counts."""
        tool = part.tool(call)
        for _ in range(_ATTEMPTS):
            args = part.arguments(call, composer.draw(tool, actor, spoil=False), scene)
            outcome, symptoms = watched_call(stage, Step(tool.name, args, actor), self._watchers)
            step = Step(tool.name, args, actor, rows_made(outcome.changes))
            if symptoms:
                steps.append(step)
                return symptoms, True
            if outcome.result.ok:
                steps.append(step)
                part.note(call, args, step.made)
                scene.used(args)
                scene.note(outcome.changes)
                return (), True
        return (), False


class _Part:
    """One playing of a probe: which value stands for which. `clock` is the new world's time."""

    def __init__(self, defect: PastDefect, fit: Fit, rng: random.Random, clock: str) -> None:
        self._fit = fit
        self._old = {tool.name: tool for tool in defect.tools}
        self._clocks = defect.clock, clock
        self._rng = rng
        self._values: dict[tuple[str, Any], Any] = {}
        self._made: dict[str, list[Any]] = {}

    def tool(self, call: ProbeCall) -> ResolvedTool:
        return self._fit.tools[call.call]

    def arguments(self, call: ProbeCall, drawn: Mapping[str, Any], scene: Scene) -> dict[str, Any]:
        """`drawn` arguments, with what the probe gave in their place."""
        tool, old = self.tool(call), self._old[call.call]
        pairs = {new: before for before, new in param_pairs(old, tool).items() if before in call.args}
        args = {
            name: value
            for name, value in drawn.items()
            if name in tool.required or name in pairs or self._rng.random() < _EXTRA
        }
        for name, before in pairs.items():
            value = self._value(tool.params[name], _param(old, before), call.args[before], drawn.get(name))
            if value is not None:
                args[name] = value
        return args

    def note(self, call: ProbeCall, args: Mapping[str, Any], made: Sequence[tuple[str, Any]]) -> None:
        """Remember of a call that succeeded what stands for what, and the rows that it made."""
        tool, old = self.tool(call), self._old[call.call]
        for before, new in param_pairs(old, tool).items():
            if before in call.args and new in args and _plain(call.args[before]):
                self._values.setdefault((_about(_param(old, before)), call.args[before]), args[new])
        for table, key in made:
            self._made.setdefault(table, []).append(key)

    def _value(self, new: Param, old: Param, value: Any, drawn: Any) -> Any:
        """What stands for an old value; None to leave the argument as it is."""
        known = self._values.get((_about(old), value)) if _plain(value) else None
        if known is not None:
            return known
        made = self._made.get(table_of(new), ())
        if made and new.ref is not None:
            return made[-1] if self._rng.random() < _MADE else drawn
        if new.ref is not None or new.type in ("array", "object") or self._rng.random() > _KEPT:
            return drawn
        return self._taken_over(new, value, drawn)

    def _taken_over(self, new: Param, value: Any, drawn: Any) -> Any:
        """The old value itself where it means something here."""
        if new.enum is not None:
            return value if value in new.enum else drawn
        if new.format in ("date", "date-time") and isinstance(value, str):
            return _shifted(value, *self._clocks) or drawn
        if new.type == "string":
            return drawn
        return value


def _shifted(value: str, old_clock: str, new_clock: str) -> str | None:
    """A date or moment as far from the new world's time as it was from the old one's; None if it is neither."""
    try:
        moment, old, new = map(datetime.fromisoformat, (value, old_clock, new_clock))
        if len(value) == _DATE:
            return (moment + (new.date() - old.date())).date().isoformat()
        return (moment + (new - old)).isoformat(sep=" ", timespec="seconds")
    except (ValueError, OverflowError, TypeError):  # not a moment, out of range, or with a zone
        return None


def _param(tool: Tool, name: str) -> Param:
    param = tool.params[name]
    assert isinstance(param, Param)
    return param


def _about(param: Param) -> str:
    """What values of a parameter are told apart by: rows by their table, others by their type."""
    return table_of(param) or f"{param.type} {param.format or ''}"


def _plain(value: Any) -> bool:
    """Whether a value can stand for another: lists and objects do not."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)
