"""Tools with their shared pieces put in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from .errors import PackageError
from .models import (
    Do,
    Frozen,
    Let,
    Page,
    Param,
    Require,
    Returns,
    Shared,
    TableContract,
    Tool,
    ToolsFile,
    UseParam,
    UseStep,
)
from .models.environment import Name
from .models.tools import Step

TOOLS_FILE = "tools.yaml"
MOST_TOOLS = 500
_DEEPEST_USE = 8


class ResolvedTool(Frozen):
    """A tool whose parameters and steps hold no `use` any more."""

    name: Name
    description: str
    kind: Literal["read", "write"]
    roles: tuple[Name, ...] | None = None
    params: dict[Name, Param] = {}
    required: tuple[Name, ...] = ()
    steps: tuple[Let | Require | Do, ...] = ()
    returns: Returns | None = None
    contract: dict[Name, TableContract] = {}
    distractor: bool = False
    places: tuple[str, ...] = ()
    """Where in tools.yaml each step comes from, as a dotted path."""

    @property
    def page(self) -> Page | None:
        return self.returns.page if self.returns else None


def resolve(tool: Tool, shared: Shared) -> ResolvedTool:
    """Put shared parameters and steps in. Raises PackageError for a name that `shared` lacks."""
    params = {}
    for name, param in tool.params.items():
        params[name] = _shared_param(tool, name, param, shared) if isinstance(param, UseParam) else param
    placed = list(_steps(tool.steps, shared, f"tools.{tool.name}.steps", 0))
    return ResolvedTool(
        name=tool.name,
        description=tool.description,
        kind=tool.kind,
        roles=tool.roles,
        params=params,
        required=tool.required,
        steps=tuple(step for _, step in placed),
        places=tuple(place for place, _ in placed),
        returns=tool.returns,
        contract=tool.contract,
        distractor=tool.distractor,
    )


def resolve_all(file: ToolsFile) -> dict[str, ResolvedTool]:
    """Every tool by name, in order. Raises PackageError."""
    if len(file.tools) > MOST_TOOLS:
        raise PackageError(f"there are more than {MOST_TOOLS} tools", file=TOOLS_FILE, field="tools")
    found: dict[str, ResolvedTool] = {}
    for index, tool in enumerate(file.tools):
        if tool.name in found:
            raise PackageError(
                f"another tool is named {tool.name!r}", file=TOOLS_FILE, field=f"tools.{index}", remedy="Rename one."
            )
        found[tool.name] = resolve(tool, file.shared)
    return found


def _shared_param(tool: Tool, name: str, param: UseParam, shared: Shared) -> Param:
    if param.use not in shared.params:
        raise _missing(f"tools.{tool.name}.params.{name}", param.use, "params", list(shared.params))
    return shared.params[param.use]


def _steps(
    steps: tuple[Step, ...], shared: Shared, field: str, depth: int
) -> Iterator[tuple[str, Let | Require | Do]]:
    for index, step in enumerate(steps):
        place = f"{field}.{index}"
        if not isinstance(step, UseStep):
            yield place, step
            continue
        if step.use not in shared.steps:
            raise _missing(place, step.use, "steps", list(shared.steps))
        if depth >= _DEEPEST_USE:
            raise PackageError(f"shared steps {step.use!r} use themselves", file=TOOLS_FILE, field=place)
        yield from _steps(shared.steps[step.use], shared, f"shared.steps.{step.use}", depth + 1)


def _missing(field: str, name: str, kind: str, existing: list[str]) -> PackageError:
    listed = ", ".join(existing) or "none"
    return PackageError(
        f"shared.{kind} has no {name!r}", file=TOOLS_FILE, field=field, remedy=f"Shared {kind}: {listed}."
    )
