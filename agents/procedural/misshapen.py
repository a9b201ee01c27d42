"""Which section of an archetype's or link's file has not the form that it must have.

Sections are free-form trees, read where they are used; what reads one of another form fails in its own way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .library import Library
from .sizes import part_of

MISSHAPEN = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What reading a tree of another form raises."""
_SECTIONS = (
    "workflows",
    "goals",
    "questions",
    "refusals",
    "refer",
    "lookups",
    "glossary",
    "policies",
    "invariants",
    "seed",
    "extend",
    "tools",
    "lifecycle",
    "columns",
    "entities",
)
"""Those that are made of others before these."""


def section_at_fault(source: Library, name: str, check: Callable[[Library], object]) -> str:
    """The section of the part `name` without which `check` no longer fails on a form; empty if it fails without any
    one of them. `check` raises one of `MISSHAPEN`, or nothing that matters here."""
    for section in _SECTIONS:
        if getattr(part_of(source, name), section):
            try:
                check(_without(source, name, section))
            except MISSHAPEN:
                continue
            return section
    return ""


def _without(source: Library, name: str, section: str) -> Library:
    """The library with that section of that part empty."""
    kind = "archetypes" if name in source.archetypes else "links"
    parts = getattr(source, kind)
    empty = type(getattr(parts[name], section))()
    changed = {**parts, name: parts[name].model_copy(update={section: empty})}
    return replace(source, **{kind: changed})
