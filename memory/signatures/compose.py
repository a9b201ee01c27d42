"""Signatures of environments and tasks, and how alike two are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...environments.models import Task, ToolsFile
from ...environments.schema import TableInfo
from ..records import Part, Signature
from .base import jaccard, weighted
from .gold import shape_features, target_features
from .schema import SchemaShape
from .tools import ToolShape, tool_shapes, tools_features

if TYPE_CHECKING:
    from ...environments.package import Environment

ENVIRONMENT_WEIGHTS: Mapping[Part, float] = MappingProxyType({"schema": 0.5, "tools": 0.4, "gold": 0.1})
"""How much each part counts; parts that only one side has are left out and the rest counts in proportion."""


def environment_signature(environment: Environment) -> Signature:
    """Of the whole package, its tasks included."""
    return signature_of(environment.tables(), environment.tools_file, environment.tasks.values())


def task_signature(environment: Environment, task: Task) -> Signature:
    return task_signature_of(_tool_shapes(environment.tables(), environment.tools_file), task)


def signature_of(tables: Mapping[str, TableInfo], tools: ToolsFile, tasks: Iterable[Task]) -> Signature:
    """Of an environment's parts."""
    schema = SchemaShape(tables)
    shapes = tool_shapes(tools, schema.roles)
    gold = weighted(feature for task in tasks for feature in shape_features(task, shapes).items())
    parts: dict[Part, dict[str, float]] = {"schema": schema.features, "tools": tools_features(shapes)}
    return Signature(parts=parts | ({"gold": gold} if gold else {}))


def task_signature_of(shapes: Mapping[str, ToolShape], task: Task) -> Signature:
    """Of a task, given the shapes of its environment's tools."""
    return Signature(parts={"shape": shape_features(task, shapes), "targets": target_features(task)})


def structural_similarity(left: Signature, right: Signature) -> float:
    """How alike two environments are built, in 0..1."""
    shared = [part for part in ENVIRONMENT_WEIGHTS if part in left.parts and part in right.parts]
    total = sum(ENVIRONMENT_WEIGHTS[part] for part in shared)
    alike = sum(ENVIRONMENT_WEIGHTS[part] * jaccard(left.parts[part], right.parts[part]) for part in shared)
    return alike / total if total else 0.0


def _tool_shapes(tables: Mapping[str, TableInfo], tools: ToolsFile) -> dict[str, ToolShape]:
    return tool_shapes(tools, SchemaShape(tables).roles)
