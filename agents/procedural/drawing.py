"""From a scenario's text to a design: archetypes, variants, links and words are drawn, by suitability and seed.

The best-suited archetype is always taken, others with odds that grow with how well they suit; what an archetype
needs comes with it. A retry keeps away from what the attempts before it took and from what its neighbours are like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from ...environments.canonical import seed_from
from ..base import Brief
from .contexts import PERSON
from .countries import drawn_country
from .design import BASE, ROLE_KEYS, Design, RoleKey
from .library import Library, library
from .matching import Embed, archetype_scores
from .naming import Called, called
from .reading import Reading, read
from .sizes import Choice, Size, choices_of, entities_of, part_of, size_of
from .vocabulary import Vocabulary

_TABLES, _TOOLS = (11, 17), (24, 38)
"""Wanted numbers when the brief says nothing."""
_COUNTS = (3, 4, 4, 4, 5)
"""How many archetypes besides people to try for."""
_LINKS = (2, 2, 3, 3, 4)
"""How many links to try for at least."""
_ORDERS, _TRIES = 2, 12
"""Orders of archetypes, and draws of variants before one archetype more or less is tried."""
_NEARLY = 0.7
"""Share of the best odds with which an archetype may come first."""
_LINKED = 1.5
"""How much the odds of an archetype grow with each link to those already chosen."""
_FLOOR, _USUAL, _OWN, _ASKED = 0.16, 0.1, 0.35, 4.0
"""Added to the score of every archetype, of one that is usual in the scenario's category, in its trade, and of one
that its text asks for."""


class Wanted(NamedTuple):
    """Bounds of the numbers of tables and tools."""

    tables: tuple[int, int]
    tools: tuple[int, int]

    def distance(self, size: Size) -> tuple[int, int]:
        """How much is missing, and how much is too much once optional tools are gone; (0, 0) is wanted."""
        needed = size.tools - len(size.optional)
        missing = max(0, self.tables[0] - size.tables) + max(0, self.tools[0] - size.tools)
        return missing, max(0, size.tables - self.tables[1]) + max(0, needed - self.tools[1])


class Settled(NamedTuple):
    """What is settled before a design is worded. `nouns`: `archetype.entity` → noun; all roles have theirs."""

    category: str
    trade: str
    nouns: Mapping[str, str]
    roles: Mapping[str, str]


class Structure(NamedTuple):
    """Archetypes and links with their variants, and who fills which need."""

    archetypes: dict[str, dict[str, str]]
    links: dict[str, dict[str, str]]
    fills: dict[str, str]

    @property
    def choice(self) -> Choice:
        return {**self.archetypes, **self.links}


def draw(brief: Brief, *, source: Library | None = None, embed: Embed | None = None) -> Design:
    """The design for a brief. Depends on nothing but the brief, the library and `embed`."""
    source = source or library()
    text = f"{brief.scenario.name}. {brief.scenario.text}"
    field = _field(read(text, brief.scenario.category, source), source)
    scores = archetype_scores(text, source, embed)
    before: list[Structure] = []
    for attempt in range(brief.attempt + 1):
        random = Random(seed_from("design", brief.seed, brief.scenario.name, brief.scenario.text, attempt))
        weights = _weights(brief, field.weighed(scores, first=attempt == 0), source)
        odds = _lowered(weights, before, random)
        before.append(_structure(source, random, odds, field.variants, wanted(brief.size)))
    return completed(brief, source, before[-1])


def completed(brief: Brief, source: Library, structure: Structure, settled: Settled | None = None) -> Design:
    """The design of a structure: with words for all that is not `settled`, without some of the optional tools."""
    seed = seed_from("words", brief.seed, brief.scenario.name, brief.attempt)
    left_out = _left_out(source, structure, Random(seed), wanted(brief.size))
    text = f"{brief.scenario.name}. {brief.scenario.text}"
    design = worded(brief, source, structure, seed, text, settled)
    return design.model_copy(update={"left_out": left_out, "rows": brief.size.get("rows", 0)})


class Field(NamedTuple):
    """What is usual where a scenario plays. `usual`, `own`: archetypes that the category's and the trade's words are
    about; `asked`: those that its text asks for; `variants`: `archetype.variant` → the choices that make sense;
    `without`: archetypes that make none."""

    usual: set[str]
    own: set[str]
    asked: frozenset[str]
    variants: dict[str, tuple[str, ...]]
    without: set[str]

    def weighed(self, scores: Mapping[str, float], *, first: bool) -> dict[str, float]:
        """The scores, more for what is usual, none to speak of for what makes no sense. What the text asks for
        counts most at the `first` attempt; later ones are to differ."""
        asked = _ASKED if first else _OWN
        return {
            name: -1.0
            if name in self.without
            else score + _USUAL * (name in self.usual) + max(_OWN * (name in self.own), asked * (name in self.asked))
            for name, score in scores.items()
        }


def sensible_variants(said: Reading, source: Library) -> Mapping[str, tuple[str, ...]]:
    """`archetype.variant` → the only choices that make sense there."""
    return _field(said, source).variants


def _field(said: Reading, source: Library) -> Field:
    lexicon = source.lexicons[said.category]
    trade = lexicon.trades.get(said.trade)
    return Field(
        usual={key.partition(".")[0] for key in lexicon.nouns}
        | {name for name, part in source.archetypes.items() if said.category in part.fields},
        own={key.partition(".")[0] for key in (trade.nouns if trade else ())},
        asked=said.asked,
        variants={**lexicon.variants, **(trade.variants if trade else {}), **said.variants},
        without={*lexicon.without, *(trade.without if trade else ()), *_foreign(said.category, source)} - said.asked,
    )


def _foreign(category: str, source: Library) -> Iterable[str]:
    """Archetypes that make sense in other categories only."""
    return (name for name, part in source.archetypes.items() if part.only_in and category not in part.only_in)


def wanted(size: Mapping[str, int]) -> Wanted:
    """The bounds that a brief's `size` (`tables`, `tools`: at least) asks for. What it does not name goes with what it
    does."""
    tables, tools = size.get("tables"), size.get("tools")
    if tables is None and tools is None:
        return Wanted(_TABLES, _TOOLS)
    return Wanted(
        (tables, tables + _room(tables)) if tables else (tools // 4, tools // 2 + 2) if tools else _TABLES,
        (tools, tools + 2 * _room(tools)) if tools else (tables, 3 * tables) if tables else _TOOLS,
    )


def _room(least: int) -> int:
    """How many more than asked for are still right."""
    return max(2, min(5, least // 3))


def _weights(brief: Brief, scores: Mapping[str, float], source: Library) -> dict[str, float]:
    """Odds by archetype: what suits, less what the neighbours are like."""
    told = " ".join(item.summary for item in brief.avoid)
    alike = archetype_scores(told, source) if told else dict.fromkeys(scores, 0.0)
    return {
        name: max(0.001, _FLOOR + score) ** 2 / (1 + 4 * alike[name])
        for name, score in scores.items()
        if name != BASE
    }


def _lowered(weights: Mapping[str, float], before: Sequence[Structure], random: Random) -> dict[str, float]:
    """The odds, less for what earlier attempts took, and next to none for some of what the last one took."""
    last = sorted(weights.keys() & before[-1].archetypes.keys()) if before else []
    barred = random.sample(last, min(2, len(last)))
    return {
        name: weight * 0.25 ** sum(name in done.archetypes for done in before) * (0.001 if name in barred else 1)
        for name, weight in weights.items()
    }


def _structure(
    source: Library,
    random: Random,
    weights: Mapping[str, float],
    sensible: Mapping[str, tuple[str, ...]],
    goal: Wanted,
) -> Structure:
    """The first of some draws that has the wanted size and links; if none has, one of the wanted size if there is one.

    Archetypes are tried in orders drawn by their odds: as many as was drawn if that gives the size, else fewer, else
    more.
    """
    wanted_count, wanted_links = random.choice(_COUNTS), random.choice(_LINKS)
    counts = sorted(range(1, len(weights) + 1), key=lambda count: (count > wanted_count, abs(count - wanted_count)))
    best: tuple[tuple[int, int, int], Structure] | None = None
    for _ in range(_ORDERS):
        order = _order(source, random, weights)
        fewest, most = 0, len(weights) + 1
        for count in counts:
            if not fewest < count < most:
                continue
            tried: list[tuple[int, int]] = []
            for _ in range(_TRIES):
                structure = _with_variants(source, random, order[:count], weights, sensible)
                links = max(0, wanted_links - len(structure.links))
                missing, excess = goal.distance(size_of(source, structure.choice, structure.fills))
                if not (missing or excess or links):
                    return structure
                tried.append((missing, excess))
                if best is None or (missing, excess, links) < best[0]:
                    best = ((missing, excess, links), structure)
            if best is not None and not any(best[0][:2]):
                break
            fewest = max(fewest, count) if all(missing and not excess for missing, excess in tried) else fewest
            most = min(most, count) if all(excess and not missing for missing, excess in tried) else most
    assert best is not None
    return best[1]


def _order(source: Library, random: Random, weights: Mapping[str, float]) -> list[str]:
    """All archetypes: one of the best-suited first, the rest by draws that favour what links to those before."""
    best = max(weights.values())
    order = [random.choice([name for name in sorted(weights) if weights[name] >= _NEARLY * best])]
    joined = [{key.partition(".")[0] for key in link.joins.values()} - {BASE} for link in source.links.values()]
    while rest := sorted(weights.keys() - set(order)):
        odds = [
            weights[name]
            * (1 + _LINKED * sum(len(parts) > 1 and name in parts <= {name, *order} for parts in joined))
            for name in rest
        ]
        order.append(random.choices(rest, odds)[0])
    return order


def _with_variants(
    source: Library,
    random: Random,
    names: Iterable[str],
    weights: Mapping[str, float],
    sensible: Mapping[str, tuple[str, ...]],
) -> Structure:
    archetypes, fills = with_needs(source, _compatible(source, names), weights)
    drawn: dict[str, dict[str, str]] = {}
    for name in archetypes:
        drawn[name] = drawn_variants(source, random, name, drawn, sensible)
    return Structure(drawn, _links(source, random, drawn, fills), fills)


def _compatible(source: Library, names: Iterable[str]) -> list[str]:
    """The names without those that an earlier one excludes."""
    kept: list[str] = []
    for name in names:
        excluded = {*source.archetypes[name].excludes}
        if excluded.isdisjoint(kept) and not any(name in source.archetypes[other].excludes for other in kept):
            kept.append(name)
    return kept


def with_needs(
    source: Library, names: Iterable[str], weights: Mapping[str, float]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """People, the named archetypes and what they need, each after what fills its needs; and who fills which need."""
    archetypes: dict[str, dict[str, str]] = {}
    fills: dict[str, str] = {}
    for name in (BASE, *names):
        _add(source, name, archetypes, fills, weights)
    return tuple(archetypes), fills


def _add(
    source: Library,
    name: str,
    archetypes: dict[str, dict[str, str]],
    fills: dict[str, str],
    weights: Mapping[str, float],
) -> None:
    """Adds an archetype after those that fill its needs."""
    if name in archetypes:
        return
    for slot, tag in source.archetypes[name].needs.items():
        offers = [
            (other, slot_)
            for other, part in source.archetypes.items()
            for slot_, tags in part.offers.items()
            if tag in tags
        ]
        other, entity = max(offers, key=lambda offer: (offer[0] in archetypes, weights.get(offer[0], 0.0), offer))
        _add(source, other, archetypes, fills, weights)
        fills[f"{name}.{slot}"] = f"{other}.{entity}"
    archetypes[name] = {}


def drawn_variants(
    source: Library,
    random: Random,
    name: str,
    drawn: Choice,
    sensible: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> dict[str, str]:
    """A choice of each variant, among those that make sense and that the parts before allow."""
    chosen: dict[str, str] = {}
    for variant, choices in choices_of(source, name, drawn).items():
        likely = [choice for choice in choices if choice in sensible.get(f"{name}.{variant}", choices)]
        chosen[variant] = random.choice(likely or choices)
    return chosen


def _links(
    source: Library, random: Random, archetypes: dict[str, dict[str, str]], fills: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """The links that fit, most of them."""
    chosen: dict[str, dict[str, str]] = {}
    for name, link in source.links.items():
        if fits(source, name, archetypes, fills) and random.random() < 0.8 and not chosen.keys() & set(link.excludes):
            chosen[name] = drawn_variants(source, random, name, archetypes)
    return chosen


def fits(source: Library, name: str, archetypes: Mapping[str, Mapping[str, str]], fills: Mapping[str, str]) -> bool:
    """Whether what a link joins is there, in forms that it fits."""
    link = source.links[name]
    for part, _, entity in (key.partition(".") for key in link.joins.values()):
        if part not in archetypes or entity not in entities_of(source, part, archetypes, fills):
            return False
    return all(
        archetypes.get(part, {}).get(variant) in choices
        for part, variants in link.needs.items()
        for variant, choices in variants.items()
    )


def _left_out(source: Library, structure: Structure, random: Random, goal: Wanted) -> tuple[str, ...]:
    """Optional tools to do without, so that their number is a drawn one within the bounds."""
    size = size_of(source, structure.choice, structure.fills)
    excess = size.tools - random.randint(sum(goal.tools) // 2, goal.tools[1])
    return tuple(sorted(random.sample(size.optional, min(max(0, excess), len(size.optional)))))


def worded(
    brief: Brief, source: Library, structure: Structure, seed: int, text: str, settled: Settled | None = None
) -> Design:
    """The design of a structure: its words, and the moment at which it stands."""
    random = Random(seed)
    if settled is None:
        said = read(text, brief.scenario.category, source)
        vocabulary = Vocabulary(text, source, said, random)
    else:
        said = Reading(settled.category, settled.trade)
        vocabulary = Vocabulary(
            text, source, said, random, {**settled.nouns, **{str(key): noun for key, noun in settled.roles.items()}}
        )
    roles = vocabulary.roles()
    return Design(
        scenario=brief.scenario.text,
        name=brief.scenario.name,
        category=said.category,
        trade=said.trade,
        seed=seed,
        clock=_clock(random),
        country=drawn_country(seed),
        archetypes=structure.archetypes,
        links=structure.links,
        fills=structure.fills,
        nouns=_nouns(source, structure, vocabulary, roles),
        roles=roles,
        words=dict(said.words),
        note=said.note,
    )


def _nouns(
    source: Library, structure: Structure, vocabulary: Vocabulary, roles: Mapping[RoleKey, str]
) -> dict[str, str]:
    """A noun for every entity, in order, so that later ones can be made from earlier ones."""
    names: dict[str, Called] = {}
    for part in structure.choice:
        context = {key: called(PERSON, roles[key]) for key in ROLE_KEYS} | _joined(source, structure, part, names)
        existing = entities_of(source, part, structure.choice, structure.fills)
        for slot, candidates in part_of(source, part).nouns.items():
            if slot in existing:
                key = f"{part}.{slot}"
                usual = _usual_nouns(source, part, slot, vocabulary.category)
                context[slot] = names[key] = called(key, vocabulary.nouns(key, candidates, context, usual=usual))
    return {key: name.noun for key, name in names.items()}


def _usual_nouns(source: Library, part: str, slot: str, category: str) -> tuple[str, ...]:
    """What an entity of an archetype is called in a category."""
    archetype = source.archetypes.get(part)
    return archetype.fields.get(category, {}).get(slot, ()) if archetype else ()


def _joined(source: Library, structure: Structure, part: str, names: Mapping[str, Called]) -> dict[str, Called]:
    """Slots of a part that stand for entities of others."""
    if part in source.links:
        return {slot: names[key] for slot, key in source.links[part].joins.items()}
    filled = {slot: names[structure.fills[f"{part}.{slot}"]] for slot in source.archetypes[part].needs}
    return {"person": names[PERSON], **filled} if PERSON in names else filled


def _clock(random: Random) -> str:
    """A working day's morning, well inside a year."""
    day = datetime(random.choice((2025, 2026)), random.randint(2, 10), random.randint(1, 28))
    while day.weekday() > 4:
        day += timedelta(days=1)
    moment = day + timedelta(hours=9, minutes=random.randrange(0, 150, 5))
    return f"{moment:%Y-%m-%d %H:%M:%S}"
