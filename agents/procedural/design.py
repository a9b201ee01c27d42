"""What a composed environment is made of: enough to render it again. Kept in `spec.provenance.design`."""

from __future__ import annotations

from typing import Literal

from ...environments.models import Frozen

RoleKey = Literal["customer", "staff", "manager"]
ROLE_KEYS: tuple[RoleKey, ...] = ("customer", "staff", "manager")


class Design(Frozen):
    """Archetypes and links in order, each with its variants; who fills each need; what everything is called.

    `fills`: `archetype.slot` → `archetype.entity`. `nouns`: `archetype.entity` → noun. `roles`: role key → noun.
    `left_out`: `archetype/tool` (its name as in the file) of optional tools that this environment lacks.
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
