"""Where a task came from and what became of it: its lineage as a graph."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..environments.errors import InputError
from ..environments.models import Fate, Frozen, Stage
from .store.run_store import RunStore


class LineageNode(Frozen):
    """A task version in its lineage. `operator` made it from `parent`; it may be the twin of the refusal `twin_of`."""

    version: str
    id: str
    environment: str
    stage: Stage
    fate: Fate | None
    parent: str | None
    operator: str | None
    generation: int
    split: str
    twin_of: str | None = None


class TaskLineage(Frozen):
    """A task's lineage. `chain` leads from the root to the task, `descendants` hold all that was derived from it,
    parents first; `nodes` are all of the lineage, siblings included."""

    task: str
    chain: tuple[LineageNode, ...]
    descendants: tuple[LineageNode, ...]
    nodes: tuple[LineageNode, ...]


def task_lineage(store: RunStore, name: str, *, environment: str | None = None) -> TaskLineage:
    """Of the task with this version, beginning of a version, or id.

    Errors: InputError if there is none, or several (an id in several environments or lineages).
    """
    version, root = _resolved(store, name, environment)
    nodes = {edge["version"]: _node(edge) for edge in store.tasks.edges([root])}
    graph = lineage_graph(nodes)
    ancestors = nx.ancestors(graph, version)
    descendants = nx.descendants(graph, version)
    ordered = list(nodes.values())
    return TaskLineage(
        task=version,
        chain=tuple(node for node in ordered if node.version in ancestors or node.version == version),
        descendants=tuple(node for node in ordered if node.version in descendants),
        nodes=tuple(ordered),
    )


def lineage_graph(nodes: dict[str, LineageNode]) -> nx.DiGraph[str]:
    """Versions with an edge from each parent to its child."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((node.parent, version) for version, node in nodes.items() if node.parent in nodes)
    return graph


def _resolved(store: RunStore, name: str, environment: str | None) -> tuple[str, str]:
    found = store.tasks.resolve(name, environment=environment)
    if not found:
        raise InputError(
            f"There is no task {name!r} in this run.", remedy="`envolve status RUN --tasks` lists those there are."
        )
    if len(found) > 1:
        listed = ", ".join(f"{task.version[:12]} ({task.id} in {task.environment})" for task in found[:5])
        raise InputError(f"{name!r} names {len(found)} tasks.", remedy=f"Give a version: {listed}.")
    return found[0].version, found[0].root


def _node(edge: dict[str, Any]) -> LineageNode:
    return LineageNode(**{name: edge[name] for name in LineageNode.model_fields})
