"""`envolve lineage`: where a task came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, console, print_json, printable

if TYPE_CHECKING:
    from rich.tree import Tree

    from envolve.memory.lineage import LineageNode


def lineage(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or the beginning of its version.")],
    environment: Annotated[str | None, typer.Option(help="The environment, if the id is in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """The tasks that this one was derived from, and those derived from it."""
    from envolve.memory.lineage import task_lineage
    from envolve.memory.store import RunStore

    with RunStore.open_read_only(folder) as store:
        found = task_lineage(store, task, environment=environment)
    if as_json:
        print_json({"run": str(folder), **found.model_dump(mode="json")})
        return
    branches: dict[str, Tree] = {}
    from rich.tree import Tree

    root: Tree | None = None
    for node in found.nodes:
        parent = branches.get(node.parent or "")
        branch = parent.add(_label(node, found.task)) if parent else Tree(_label(node, found.task))
        branches[node.version] = branch
        root = root or branch
    if root is not None:
        console().print(root, markup=False)


def _label(node: LineageNode, asked: str) -> str:
    how = f"{node.operator}: " if node.operator else ""
    mark = " ←" if node.version == asked else ""
    return printable(f"{how}{node.id} [{node.fate or node.stage}] {node.version[:12]}{mark}").replace("[", r"\[")
