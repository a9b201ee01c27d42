"""CONTRIBUTING.md cannot lie: its worked example is a file that renders, and what it points at exists."""

from __future__ import annotations

import re

import yaml

from envolve.agents.procedural.library import Archetype, Library, library
from envolve.agents.procedural.linting import check_archetypes

from .session import ROOT, blocks

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EXAMPLE = (ROOT / "tests/data/archetypes/keys.yaml").read_text(encoding="utf-8")


def _with_example() -> tuple[Library, str]:
    shipped = library()
    part = Archetype.model_validate(yaml.safe_load(EXAMPLE))
    assert part.archetype not in shipped.archetypes
    archetypes = {**shipped.archetypes, part.archetype: part}
    return Library(archetypes, shipped.links, shipped.lexicons), part.archetype


def test_example_is_the_file() -> None:
    assert [block.text for block in blocks(TEXT, "yaml")] == [EXAMPLE]


def test_example_renders_in_every_variant() -> None:
    source, name = _with_example()
    assert check_archetypes(source=source, only=[name], seeds=2) == []


def test_links_and_paths_exist() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", TEXT) + re.findall(r"`((?:agents|eval|tests)/[\w/.-]+)`", TEXT)
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_section_of_the_example_is_explained() -> None:
    sections = set(yaml.safe_load(EXAMPLE)) - {"archetype", "lists"}
    assert {name for name in sections if f"`{name}`" not in TEXT.split("Section by section", 1)[1]} == set()
