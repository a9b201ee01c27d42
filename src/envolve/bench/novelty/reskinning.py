"""A copy in the words of another scenario: the same parts, variants and links, composed again."""

from __future__ import annotations

import asyncio

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural.coder import render
from envolve.agents.procedural.design import Design
from envolve.agents.procedural.library import library
from envolve.agents.procedural.structures import Structure, with_needs
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.agents.procedural.wording import worded
from envolve.environments.canonical import seed_from
from envolve.environments.package import Environment


def reskinned(environment: Environment, scenario: Scenario, seed: int) -> Environment:
    """The design of a composed environment in the words of `scenario`, which may be of any trade; as many tasks, drawn
    anew from the same workflows."""
    design = design_of(environment)
    copy = retold(design, scenario, seed)
    made = render(copy)
    tasks = asyncio.run(ProceduralTaskWriter().propose(made, len(environment.tasks), seed=seed))
    return made.with_tasks(tasks)


def retold(design: Design, scenario: Scenario, seed: int) -> Design:
    """The same structure, the same tools left out, in other words, with other rows."""
    # Nouns are made from those of what an archetype needs, so that must come first; a design keeps them by name.
    order, _ = with_needs(library(), design.archetypes, dict.fromkeys(design.archetypes, 1.0))
    structure = Structure({name: design.archetypes[name] for name in order}, design.links, design.fills)
    text = f"{scenario.name}. {scenario.text}"
    told = worded(Brief(scenario=scenario, seed=seed), library(), structure, seed_from("re-skin", seed), text)
    return told.model_copy(update={"left_out": design.left_out, "rows": design.rows})


def design_of(environment: Environment) -> Design:
    kept = environment.spec.provenance.design
    return Design.model_validate({key: value for key, value in kept.items() if key in Design.model_fields})
