"""Where a defect showed: the contracts of the tools that its probe calls, and the world's time.

Kept with a stored finding, since the package in which it showed is gone once it is mended. Steps, queries and rows are
not kept: what a tool takes and writes is enough to recognize its like in another environment.
"""

from __future__ import annotations

from typing import Any

from ...environments.models import Finding, Frozen, Tool
from ...environments.package import Environment

_KEY = "scene"


class Scene(Frozen):
    """`tools` have no steps and no results; `clock` is the world's time at the start."""

    tools: tuple[Tool, ...] = ()
    clock: str = ""


def scene_of(environment: Environment, finding: Finding) -> Scene:
    """The tools that the finding's probe calls, and the one that it blames."""
    called = [call.call for call in finding.probe.calls] if finding.probe is not None else []
    names = dict.fromkeys([*called, *_blamed(finding.where)])
    tools = [environment.tools[name] for name in names if name in environment.tools]
    kept = set(Tool.model_fields) - {"steps", "returns"}
    contracts = tuple(Tool.model_validate(tool.model_dump(by_alias=True, include=kept)) for tool in tools)
    return Scene(tools=contracts, clock=environment.spec.clock)


def with_scene(finding: Finding, scene: Scene) -> Finding:
    """The finding with the scene in its evidence."""
    kept = scene.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return finding.model_copy(update={"evidence": {**finding.evidence, _KEY: kept}})


def scene_in(finding: Finding) -> Scene:
    """The scene that a stored finding carries; an empty one where there is none."""
    kept: Any = finding.evidence.get(_KEY)
    return Scene.model_validate(kept) if kept else Scene()


def about(finding: Finding, scene: Scene) -> str:
    """What the blamed tool is for, in its own words; "" where no tool is blamed."""
    blamed = _blamed(finding.where)
    return next((tool.description for tool in scene.tools if tool.name in blamed), "")


def _blamed(where: str) -> list[str]:
    words = where.split(".")
    return words[1:2] if words[0] == "tools" else []
