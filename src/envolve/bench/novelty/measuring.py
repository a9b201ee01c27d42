"""Labelled pairs and their similarities in both views, base world by base world, in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment
from envolve.memory.embedders import Embedder, embedder_named
from envolve.memory.novelty import Candidate
from envolve.memory.pool import Alike, alike
from envolve.memory.signatures import environment_signature
from envolve.memory.texts import environment_text

from ..side_by_side import side_by_side
from .composing import design_for, other_scenarios, partners, scenarios, world_of
from .copying import copies


class Pair(NamedTuple):
    """A base world and another, with the label that follows from how the other was made. `share`: of the tools of the
    smaller one that both have, told in the same words (1 for near-copies, by construction)."""

    base: int
    kind: str
    near: bool
    share: float
    text: float
    structure: float
    parts: dict[str, float]


class BaseResult(NamedTuple):
    """All pairs of one base world. `neither`: pairs that share too much to be distinct, and were left out."""

    number: int
    environment: str
    category: str
    pairs: tuple[Pair, ...]
    neither: int


def measured(worlds: int, distinct: int, seed: int, jobs: int) -> Iterator[BaseResult]:
    """One result a base world, as they come. The numbers depend on `worlds`, `distinct` and `seed` alone."""
    wanted = [partial(base_result, number, distinct, seed) for number in range(worlds)]
    if min(jobs, worlds) == 1:
        yield from (job() for job in wanted)
        return
    yield from (result for _, result in side_by_side(wanted, jobs))


def base_result(number: int, distinct: int, seed: int) -> BaseResult:
    """The base world of a number, its near-copies of all kinds and `distinct` worlds that were composed apart."""
    scenario, own = scenarios(seed)[number], seed_from("novelty base", seed, number)
    design = design_for(scenario, own)
    base = world_of(design, own)
    remembered = _remembered(base)
    found, neither = list[Pair](), 0
    for copy in copies(base, other_scenarios(scenario, seed, alike=False)[-1], own):
        found.append(_pair(number, copy.kind, True, 1.0, alike(remembered, _remembered(copy.environment))))
    for partner in partners(scenario, design, distinct, seed_from("partner", own)):
        if not partner.is_distinct:
            neither += 1
            continue
        likeness = alike(remembered, _remembered(partner.environment))
        found.append(_pair(number, partner.kind, False, partner.share, likeness))
    return BaseResult(number, base.id, scenario.category, tuple(found), neither)


def _pair(number: int, kind: str, near: bool, share: float, likeness: Alike) -> Pair:
    return Pair(number, kind, near, share, likeness.text, likeness.structure, likeness.parts)


def _remembered(environment: Environment) -> Candidate:
    vector = embedder().embed([environment_text(environment)])[0]
    return Candidate(vector, environment_signature(environment))


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """The one that runs take by default."""
    return embedder_named()
