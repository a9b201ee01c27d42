"""Whether an environment has defects that were seen before in others."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...environments.canonical import seed_from
from ...environments.models import Expectation, Finding
from ...environments.package import Environment
from ..base import PastDefect
from ..tester.anatomy import Anatomy
from ..tester.fuzzing.campaign import Sighting
from ..tester.fuzzing.findings import shortest
from ..tester.fuzzing.replay import Replay
from ..tester.fuzzing.watchers import watchers
from ..tester.ordering import arranged
from ..tester.probes import confirm
from .playing import Player
from .toollike import fits

SOURCE = "memory"
TRIES = 24
"""How often a probe is played, over all the ways in which it fits."""


def recalled(
    environment: Environment, defects: Sequence[PastDefect], *, seed: int = 0, tries: int = TRIES
) -> list[Finding]:
    """Confirmed findings that calls of past probes showed here, each naming the past defect in its evidence (`past`).
    What does not fit, or shows nothing, is left out. A function of its arguments alone."""
    anatomy = Anatomy(environment)
    found = dict[tuple[str, str], tuple[Sighting, PastDefect]]()
    for number, defect in enumerate(defects):
        sighting = (
            _sighting(anatomy, defect, seed_from("recalled", seed, number), tries) if _watched(defect) else None
        )
        if sighting is not None:
            found.setdefault(sighting.symptom.key, (sighting, defect))
    replay = Replay(environment, lambda: watchers(anatomy))
    claims = [_finding(sighting, defect, replay) for sighting, defect in found.values()]
    return list(arranged(claim for claim in confirm(environment, claims) if claim.confirmed))


def _sighting(anatomy: Anatomy, defect: PastDefect, seed: int, tries: int) -> Sighting | None:
    ways = fits(defect.tools, anatomy.tools)
    if not ways:
        return None
    player = Player(anatomy, random.Random(seed), seed)
    played = (player.play(defect, ways[turn % len(ways)]) for turn in range(tries))
    return next(filter(None, played), None)


def _watched(defect: PastDefect) -> bool:
    """Whether what the probe showed is of a sort that any environment's own text says, and all its tools are known."""
    probe = defect.probe
    if probe is None or not probe.calls or not {call.call for call in probe.calls} <= {t.name for t in defect.tools}:
        return False
    return defect.kind == "result_leaks" or any(_generic(expected) for expected in probe.expect)


def _generic(expected: Expectation) -> bool:
    return bool(expected.foreseen or expected.fits or expected.unchanged or expected.invariants)


def _finding(sighting: Sighting, defect: PastDefect, replay: Replay) -> Finding:
    finding = shortest(sighting, replay, SOURCE)
    past = {"kind": defect.kind, "where": defect.where, "environment": defect.environment}
    return finding.model_copy(update={"evidence": {**finding.evidence, "past": past}})
