"""What tools do to which kinds of tables: reads, writes, guards, parameters. Names and texts do not take part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...environments.models import Do, Let, OrderOptions, Param, Require, Shared, Tool, ToolsFile, UseParam, UseStep
from ...environments.models.tools import RowQuery, Step
from ...environments.sql_text import words
from .base import bag, digest, weighted


@dataclass(frozen=True, slots=True)
class ToolShape:
    """One tool. `role` stands for it where gold calls it."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    guards: tuple[str, ...]
    params: tuple[str, ...]
    returns: str

    @property
    def role(self) -> str:
        return digest([sorted(self.reads), sorted(self.writes), self.returns])

    def features(self) -> Iterator[tuple[str, float]]:
        """The whole counts most, so that small parts that all tools have do not make strangers alike."""
        yield f"tool {digest([self.role, sorted(self.guards), sorted(self.params)])}", 3.0
        yield f"does {self.role}", 2.0
        yield f"guards {bag(self.guards)}", 1.0
        yield f"params {bag(self.params)}", 1.0
        yield from ((f"writes {write}", 1.0) for write in self.writes)


def tool_shapes(tools: ToolsFile, roles: Mapping[str, str]) -> dict[str, ToolShape]:
    """The shape of each tool by its name; `roles` gives the role of each table."""
    return {tool.name: _shape(tool, tools.shared, roles) for tool in tools.tools}


def tools_features(shapes: Mapping[str, ToolShape]) -> dict[str, float]:
    """The tools part of a signature."""
    return weighted(feature for shape in shapes.values() for feature in shape.features())


def _shape(tool: Tool, shared: Shared, roles: Mapping[str, str]) -> ToolShape:
    steps = list(_expanded(tool.steps, shared))
    reads = {roles[word] for sql in _queries(tool, steps) for word, _ in words(sql) if word in roles}
    return ToolShape(
        reads=tuple(sorted(reads)),
        writes=tuple(sorted(_writes(tool, steps, roles))),
        guards=tuple(
            f"{step.error.code}{' scoped' if step.roles else ''}" for step in steps if isinstance(step, Require)
        ),
        params=tuple(_param(name, param, tool, shared, roles) for name, param in tool.params.items()),
        returns=_returns(tool),
    )


def _expanded(steps: tuple[Step, ...], shared: Shared) -> Iterator[Step]:
    for step in steps:
        yield from shared.steps.get(step.use, ()) if isinstance(step, UseStep) else (step,)


def _queries(tool: Tool, steps: list[Step]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Let):
            yield from (query.row if isinstance(query, RowQuery) else query for query in step.let.values())
        elif isinstance(step, Require):
            yield step.require
    if tool.returns is not None:
        yield tool.returns.one or tool.returns.many or tool.returns.value or ""


def _writes(tool: Tool, steps: list[Step], roles: Mapping[str, str]) -> Iterator[str]:
    """One a `do`: the verb and the role of the first table that it names."""
    for step in steps:
        if isinstance(step, Do):
            found = [word for word, _ in words(step.do)]
            table = next((roles[word] for word in found if word in roles), "")
            yield f"{found[0] if found else ''} {table}"


def _returns(tool: Tool) -> str:
    if tool.returns is None:
        return "nothing"
    kind = next(kind for kind in ("one", "many", "value") if getattr(tool.returns, kind) is not None)
    paged, sortable = tool.returns.page is not None, isinstance(tool.returns.order, OrderOptions)
    return f"{kind}{' paged' if paged else ''}{' sortable' if sortable else ''}"


def _param(name: str, param: Param | UseParam, tool: Tool, shared: Shared, roles: Mapping[str, str]) -> str:
    found = shared.params.get(param.use) if isinstance(param, UseParam) else param
    need = "required" if name in tool.required else "optional"
    return f"{need} {_type(found, roles) if found is not None else 'unknown'}"


def _type(param: Param, roles: Mapping[str, str]) -> str:
    target = roles.get(param.ref.split(".")[0], "?") if param.ref else ""
    enum = f"enum{len(param.enum)}" if param.enum else ""
    inner = f"[{_type(param.items, roles)}]" if param.items else ""
    return " ".join(
        part
        for part in (param.type, param.format or "", enum, target, "scoped" if param.scope else "", inner)
        if part
    )
