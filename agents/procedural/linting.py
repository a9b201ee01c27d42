"""Checks of the library: every archetype and link must name what there is and, in every variant, render, build, hold
its own invariants in its seeds, and offer workflows and ways to refer whose queries run.

A development tool: nothing of a run calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from ...environments.errors import EnvolveError
from ...environments.models import Actor
from ...environments.package import Environment
from ..base import Brief, Scenario
from .coder import render
from .composition import Composition
from .design import Design
from .library import Archetype, Library, Link, library
from .misshapen import MISSHAPEN, section_at_fault
from .sizes import choices_of, part_of
from .structures import Structure, compatible, fits, with_needs
from .tasks.sqltext import bound_names
from .tasks.workflows import Refer, Workflow
from .tasks.worlds import Unfit, World
from .trades import parts_of
from .wording import worded


class Problem(NamedTuple):
    """What is wrong, and where: an archetype or link with its variants, then the place in it."""

    part: str
    place: str
    message: str


def check_archetypes(
    *, source: Library | None = None, only: Iterable[str] | None = None, seeds: int = 5
) -> list[Problem]:
    """Problems of the named archetypes and links (all), each composed alone with what it needs, over some seeds."""
    source = source or library()
    names = list(only) if only is not None else [*source.archetypes, *source.links]
    return [problem for name in names for problem in _check_part(source, name, seeds)]


def _check_part(source: Library, name: str, seeds: int) -> Iterator[Problem]:
    if wrong := [Problem(name, place, message) for place, message in _misnamed(source, part_of(source, name))]:
        yield from wrong
        return
    try:
        yield from _check_variants(source, name, seeds)
    except MISSHAPEN as error:
        section = section_at_fault(source, name, lambda other: list(_check_variants(other, name, 1)))
        raised = f"{type(error).__name__}: {error}"
        yield Problem(name, section or "the file", f"not of the form that other files have here ({raised})")


def _check_variants(source: Library, name: str, seeds: int) -> Iterator[Problem]:
    try:
        structures = list(structures_of(source, name))
    except EnvolveError as error:
        yield Problem(name, "variants", error.message)
        return
    if not structures:
        yield Problem(name, "joins", "in no variant is there all that it joins and needs: no world can have it")
    for variant, structure in enumerate(structures):
        for seed in range(seeds):
            design = design_of(source, structure, variant * 100 + seed)
            try:
                environment = render(design, source=source)
            except (EnvolveError, ValidationError) as error:
                yield Problem(name, str(structure.choice[name]), f"does not build: {error}")
                break
            for place, message in _check_world(environment, Composition(design, source), deep=seed == 0):
                yield Problem(name, f"{structure.choice[name]} seed {seed}: {place}", message)


def check_together(*, source: Library | None = None, turns: int = 4) -> list[Problem]:
    """Problems of worlds in which as many parts as go together are together: what holds of each link alone may not
    hold beside another. None where a part names what there is not, which is told of that part."""
    source = source or library()
    if any(True for name in (*source.archetypes, *source.links) for _ in _misnamed(source, part_of(source, name))):
        return []
    return [
        Problem("together", f"turn {turn}: {place}", message)
        for turn, structure in enumerate(structures_together(source, turns))
        for place, message in _check_structure(source, structure, turn)
    ]


def _check_structure(source: Library, structure: Structure, seed: int) -> Iterator[tuple[str, str]]:
    design = design_of(source, structure, seed)
    try:
        environment = render(design, source=source)
        yield from _check_world(environment, Composition(design, source), deep=True)
    except (EnvolveError, ValidationError) as error:
        yield "the world", f"does not build: {error}"
    except MISSHAPEN as error:
        yield "the world", f"some part is not of the form that others have ({type(error).__name__}: {error})"


def structures_together(source: Library, turns: int) -> Iterator[Structure]:
    """Structures with every archetype and link, but for those that go before them do not go with. Their variants turn,
    and so does who goes first."""
    for turn in range(turns):
        names = sorted(source.archetypes, reverse=turn % 2 > 0)
        archetypes, fills = with_needs(source, compatible(source, names), dict.fromkeys(source.archetypes, 1.0))
        drawn: dict[str, dict[str, str]] = {}
        for place, name in enumerate(archetypes):
            drawn[name] = _turned(choices_of(source, name, drawn), turn + place)
        links: list[str] = []
        for name in sorted(source.links, reverse=turn % 2 > 0):
            suited = _suited(drawn, source.links[name].needs, turn)
            excluded = any(name in source.links[o].excludes or o in source.links[name].excludes for o in links)
            if not excluded and all(fits(source, other, suited, fills) for other in (*links, name)):
                drawn = suited
                links.append(name)
        yield Structure(drawn, {name: _turned(source.links[name].variants, turn) for name in sorted(links)}, fills)


def _misnamed(source: Library, part: Archetype | Link) -> Iterator[tuple[str, str]]:
    """Places in which a part names what there is not."""
    for variant, choices in part.variants.items():
        if not choices:
            yield f"variants.{variant}", "there is nothing to choose from"
    yield from _misnamed_by_link(source, part) if isinstance(part, Link) else _misnamed_by_archetype(source, part)


def _misnamed_by_link(source: Library, link: Link) -> Iterator[tuple[str, str]]:
    for slot, key in link.joins.items():
        name, _, entity = key.partition(".")
        if name not in source.archetypes or entity not in source.archetypes[name].entities:
            yield f"joins.{slot}", f"there is no {key!r}"
    for name, variants in link.needs.items():
        known = source.archetypes[name].variants if name in source.archetypes else {}
        for variant, choices in variants.items():
            if not choices or not {*choices} <= {*known.get(variant, ())}:
                yield f"needs.{name}.{variant}", f"there are no such choices: {', '.join(choices) or 'none'}"
    for other in sorted({*link.excludes} - source.links.keys()):
        yield "excludes", f"there is no link {other!r}"


def _misnamed_by_archetype(source: Library, archetype: Archetype) -> Iterator[tuple[str, str]]:
    offered = {tag for part in source.archetypes.values() for tags in part.offers.values() for tag in tags}
    for slot, tag in archetype.needs.items():
        if tag not in offered:
            yield f"needs.{slot}", f"no archetype offers {tag!r}"
    for slot in sorted(archetype.offers.keys() - archetype.entities.keys()):
        yield f"offers.{slot}", "there is no such entity"
    for other in sorted({*archetype.excludes} - source.archetypes.keys()):
        yield "excludes", f"there is no archetype {other!r}"
    for category in sorted({*archetype.fields, *archetype.only_in} - {*source.lexicons}):
        yield "fields, only_in", f"there is no category {category!r}"
    for category, nouns in archetype.fields.items():
        for slot in sorted(nouns.keys() - archetype.entities.keys()):
            yield f"fields.{category}.{slot}", "there is no such entity"


def structures_of(source: Library, name: str) -> Iterator[Structure]:
    """Structures in which each choice of each variant turns up, of the part and of what it needs or joins."""
    part = part_of(source, name)
    wanted = [name] if name in source.archetypes else _joined(source, name)
    archetypes, fills = with_needs(source, wanted, dict.fromkeys(source.archetypes, 1.0))
    every = [choices for other in (*archetypes, name) for choices in part_of(source, other).variants.values()]
    for turn in range(max((len(choices) for choices in every), default=1) * 2):
        drawn: dict[str, dict[str, str]] = {}
        for place, other in enumerate(archetypes):
            drawn[other] = _turned(choices_of(source, other, drawn), turn + place)
        links: dict[str, dict[str, str]] = {}
        if name in source.links:
            drawn = _suited(drawn, source.links[name].needs, turn)
            if not fits(source, name, drawn, fills):
                continue
            links[name] = _turned(part.variants, turn)
        yield Structure(drawn, links, fills)


def _joined(source: Library, link: str) -> list[str]:
    return sorted(parts_of(source.links[link].joins.values()) - {"people"})


def _turned(variants: Mapping[str, tuple[str, ...]], turn: int) -> dict[str, str]:
    """One choice of each variant; variants are turned at different speeds, so that combinations differ."""
    turns = {name: turn // (1 + place % 2) for place, name in enumerate(variants)}
    return {name: choices[turns[name] % len(choices)] for name, choices in variants.items()}


def _suited(
    drawn: Mapping[str, dict[str, str]], needs: Mapping[str, Mapping[str, tuple[str, ...]]], turn: int
) -> dict[str, dict[str, str]]:
    """Variants changed to those that a link needs."""
    return {
        name: {
            **variants,
            **{variant: choices[turn % len(choices)] for variant, choices in needs.get(name, {}).items()},
        }
        for name, variants in drawn.items()
    }


def design_of(source: Library, structure: Structure, seed: int) -> Design:
    scenario = Scenario(id="check", name="Check", category="", text="A place.")
    return worded(Brief(scenario=scenario, seed=seed), source, structure, seed, scenario.text)


def _check_world(environment: Environment, composition: Composition, *, deep: bool) -> Iterator[tuple[str, str]]:
    actors = _actors(environment, composition)
    world = World(environment.image, actors["staff"], environment.spec.clock)
    for invariant in environment.spec.invariants:
        if world.rows(invariant.sql):
            yield f"invariant {invariant.name!r}", "does not hold in the seed"
    if deep:
        yield from _check_offers(environment, composition, actors)


def _actors(environment: Environment, composition: Composition) -> dict[str, Actor]:
    """An actor of each role key."""
    anybody = World(environment.image, Actor(roles=("nobody",), id=0), environment.spec.clock)
    first = f"SELECT min(id) FROM {composition.actor_table} WHERE role = :role AND status = 'active'"
    return {
        key: Actor(roles=(role,), id=anybody.value(first, {"role": role})) for key, role in composition.roles.items()
    }


def _check_offers(
    environment: Environment, composition: Composition, actors: Mapping[str, Actor]
) -> Iterator[tuple[str, str]]:
    worlds = {key: World(environment.image, actor, environment.spec.clock) for key, actor in actors.items()}
    for table, ways in composition.refers.items():
        for way in ways:
            yield from _check_way(f"refer {table}", way, worlds)
    for flow in (*composition.workflows, *composition.refusals):
        yield from _check_flow(flow, worlds)


def _check_way(place: str, tree: dict[str, Any], worlds: Mapping[str, World]) -> Iterator[tuple[str, str]]:
    try:
        way = Refer.model_validate(tree)
    except ValidationError as error:
        yield place, str(error)
        return
    where = f"{place} {way.phrase!r}"
    for key in way.actors or worlds:
        queries = [way.values, *(use.sql for use in way.uses.values()), way.sql]
        yield from _run_all(where, [query for query in queries if query], worlds[key])


def _check_flow(tree: dict[str, Any], worlds: Mapping[str, World]) -> Iterator[tuple[str, str]]:
    if "of" not in tree:
        try:
            Workflow.model_validate(tree)
        except ValidationError as error:
            yield tree["key"], str(error)
            return
    targets = tree.get("targets", {}).values()
    queries = [query for target in targets for query in (target.get("sql"), *target.get("by", {}).values())]
    queries += [choice.get("sql") for choice in tree.get("choose", {}).values()]
    for key in tree["actors"]:
        yield from _run_all(tree["key"], [query for query in queries if query], worlds[key])


def _run_all(place: str, queries: Iterable[str], world: World) -> Iterator[tuple[str, str]]:
    """Runs each query with nothing bound to what earlier draws would give."""
    for query in queries:
        unknown = bound_names(query) - world.names.keys()
        try:
            world.rows(query, dict.fromkeys(unknown))
        except Unfit as error:
            yield place, f"{error} in {query}"
