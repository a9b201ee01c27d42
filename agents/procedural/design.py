"""What a composed environment is made of: enough to render it again. Kept in `spec.provenance.design`."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from ...environments.models import Frozen

RoleKey = Literal["customer", "staff", "manager"]
BASE = "people"
"""The archetype that every environment has."""

ROLE_KEYS: tuple[RoleKey, ...] = ("customer", "staff", "manager")


class Design(Frozen):
    """Archetypes and links, each with its variants; who fills each need; what everything is called.

    Archetypes stand in one order, `people` first and the others by name, whatever order they are given in: rules
    are numbered in it, and JSON objects have none.

    `fills`: `archetype.slot` → `archetype.entity`. `nouns`: `archetype.entity` → noun. `roles`: role key → noun.
    `left_out`: `archetype/tool` (its name as in the file) of optional tools that this environment lacks.
    `country`: where it stands, by its name in countries.yaml.
    `rows`: how many rows its tables hold at least, together; 0: as many as their files say.
    `words`: word lists made from the scenario's text. `note`: for whoever gave the scenario, when its trade is not known.
    """

    version: Literal[1] = 1
    scenario: str
    name: str
    category: str
    trade: str = ""
    seed: int
    clock: str
    archetypes: dict[str, dict[str, str]]
    links: dict[str, dict[str, str]] = {}
    fills: dict[str, str] = {}
    nouns: dict[str, str]
    roles: dict[RoleKey, str]
    left_out: tuple[str, ...] = ()
    country: str = ""
    rows: int = 0
    words: dict[str, tuple[str, ...]] = {}
    note: str = ""

    @field_validator("archetypes", "links")
    @classmethod
    def _ordered(cls, parts: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        return {name: parts[name] for name in sorted(parts, key=lambda name: (name != BASE, name))}
