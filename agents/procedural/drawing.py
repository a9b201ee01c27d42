"""From a scenario's text to a design: archetypes, variants, links and words are drawn, by suitability and seed.

A retry keeps away from what the attempts before it took and from what its neighbours are like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ...environments.canonical import seed_from
from ..base import Brief
from .design import Design
from .library import Library, library
from .matching import Embed, archetype_scores
from .reading import read
from .sizes import size_of
from .structures import Structure, Wanted, drawn_structure, wanted
from .suitability import field_of, odds_of
from .wording import Settled, worded

_MORE_TOOLS = 4
"""With less room fewer archetypes fit, and more worlds repeat another's structure."""


def draw(brief: Brief, *, source: Library | None = None, embed: Embed | None = None) -> Design:
    """The design for a brief. Depends on nothing but the brief, the library and `embed`, which is asked about texts of
    no known category: the others are told in the library's words."""
    source = source or library()
    text = f"{brief.scenario.name}. {brief.scenario.text}"
    field = field_of(read(text, brief.scenario.category, source), source)
    scores = archetype_scores(text, source, None if brief.scenario.category in source.lexicons else embed)
    goal = wanted(brief.size, more_tools=_MORE_TOOLS)
    before: list[Structure] = []
    for attempt in range(brief.attempt + 1):
        random = Random(seed_from("design", brief.seed, brief.scenario.name, brief.scenario.text, attempt))
        weights = odds_of(brief, field.weighed(scores, first=attempt == 0), source)
        odds = _lowered(weights, before, random)
        before.append(drawn_structure(source, random, odds, field.variants, goal))
    return completed(brief, source, before[-1], goal)


def completed(
    brief: Brief, source: Library, structure: Structure, goal: Wanted, settled: Settled | None = None
) -> Design:
    """The design of a structure: with words for all that is not `settled`, without as many of the optional tools as
    takes it into the `goal`'s bounds."""
    seed = seed_from("words", brief.seed, brief.scenario.name, brief.attempt)
    left_out = _left_out(source, structure, Random(seed), goal)
    text = f"{brief.scenario.name}. {brief.scenario.text}"
    design = worded(brief, source, structure, seed, text, settled)
    return design.model_copy(update={"left_out": left_out, "rows": brief.size.get("rows", 0)})


def _lowered(weights: Mapping[str, float], before: Sequence[Structure], random: Random) -> dict[str, float]:
    """The odds, less for what earlier attempts took, and next to none for some of what the last one took."""
    last = sorted(weights.keys() & before[-1].archetypes.keys()) if before else []
    barred = random.sample(last, min(2, len(last)))
    return {
        name: weight * 0.25 ** sum(name in done.archetypes for done in before) * (0.001 if name in barred else 1)
        for name, weight in weights.items()
    }


def _left_out(source: Library, structure: Structure, random: Random, goal: Wanted) -> tuple[str, ...]:
    """Optional tools to do without, so that their number is a drawn one within the bounds."""
    size = size_of(source, structure.choice, structure.fills)
    excess = size.tools - random.randint(sum(goal.tools) // 2, goal.tools[1])
    return tuple(sorted(random.sample(size.optional, min(max(0, excess), len(size.optional)))))
