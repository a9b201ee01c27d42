"""How the work on a blueprint is split: the architect's groups and parts, or pieces of fitting size."""

from __future__ import annotations

from pydantic import ValidationError

from ...base import Blueprint
from ..architect.blueprints import KIND, PlannedGroup, PlannedWant, PromptedDesign

_TOOLS_AT_ONCE = 7


def design_of(blueprint: Blueprint) -> PromptedDesign:
    """The design of a prompted architect; for any other blueprint one made from its contracts and tables."""
    if blueprint.design.get("kind") == KIND:
        try:
            return PromptedDesign.model_validate(blueprint.design)
        except ValidationError:
            # Kept by another version: the contracts and tables say enough.
            pass
    names = [tool.name for tool in blueprint.contracts]
    pieces = [names[start : start + _TOOLS_AT_ONCE] for start in range(0, len(names), _TOOLS_AT_ONCE)]
    return PromptedDesign(
        groups=tuple(PlannedGroup(name=f"tools-{index}", tools=tuple(own)) for index, own in enumerate(pieces, 1)),
        wants={f"r{index}": PlannedWant(want=text) for index, text in enumerate(blueprint.spec.requirements, 1)},
    )


def parts_of(design: PromptedDesign, tables: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Tables by part; those that no part has make the last one."""
    parts = [tuple(name for name in part.tables if name in tables) for part in design.parts]
    rest = tuple(name for name in tables if not any(name in part for part in parts))
    return [part for part in (*parts, rest) if part]
