"""The proof of archetypes and links: what it finds in a broken one, and that it finds nothing in a sound one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from envolve.agents.procedural.composition import Composition
from envolve.agents.procedural.library import Archetype, Library, library
from envolve.agents.procedural.linting import Problem, design_of, structures_of
from envolve.agents.procedural.proving import prove_part, telling_structures
from envolve.agents.procedural.structures import Structure

PART = "resources"


def proved(source: Library, mixed: int = 0) -> list[Problem]:
    """What is wrong with one world of the part."""
    return list(prove_part(PART, source=source, worlds=1, mixed=mixed))


def library_with(part: dict[str, Any]) -> Library:
    """The library with another text of the part."""
    source = library()
    return replace(source, archetypes={**source.archetypes, PART: Archetype.model_validate(part)})


def test_a_sound_part_gives_nothing() -> None:
    assert proved(library(), mixed=3) == []


def test_each_fault_is_told_with_its_place() -> None:
    """A guard left out; a goal that says too little; a workflow whose rows are never there; columns that only tools
    show without which a world may do."""
    part = library().archetypes[PART].model_dump(by_alias=True, exclude_unset=True)
    adding = next(tool for tool in part["tools"] if tool["name"] == "add_{{feature.one}}")
    adding["steps"] = [step for step in adding["steps"] if "require" not in step]
    part["workflows"]["close"]["goal"]["sql"] = (
        "SELECT status = 'closed' FROM after.{{resource.table}} WHERE id = :resource"
    )
    part["workflows"]["reopen"]["targets"]["resource"] = "SELECT id FROM {{resource.table}} WHERE status = 'lost'"
    for tool in part["tools"]:
        tool["optional"] = True
    found = proved(library_with(part))
    assert {problem.part for problem in found} == {PART}
    told = [f"{problem.place} {problem.message}" for problem in found]
    assert [text for text in told if text.startswith("resources.reopen") and "no task came of it" in text], told
    assert [text for text in told if "task close-" in text and "is disputed" in text], told
    assert [text for text in told if "tester:" in text and "tools.add_" in text], told
    assert [text for text in told if "without its optional tools: No tool reads or writes" in text], told


@pytest.mark.parametrize("part", ["approvals", "bookings", "orders", "ticket_about_order"])
def test_no_workflow_is_left_out_of_the_proof(part: str) -> None:
    """Some come only with variants that others go without: `orders.use_voucher`, `approvals.move_money`."""
    source = library()
    shown = {flow for structure in telling_structures(source, part) for flow in _flows(source, structure, part)}
    assert shown == {flow for structure in structures_of(source, part) for flow in _flows(source, structure, part)}


def test_as_many_worlds_as_are_asked_for() -> None:
    assert len(telling_structures(library(), "orders", 1)) == 1
    assert len(telling_structures(library(), "orders", 9)) == len([*structures_of(library(), "orders")])


def _flows(source: Library, structure: Structure, part: str) -> set[str]:
    composition = Composition(design_of(source, structure, 0), source)
    flows = {flow["key"] for flow in (*composition.workflows, *composition.refusals)}
    return {flow for flow in flows if flow.partition(".")[0] == part}
