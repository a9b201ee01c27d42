"""`envolve lineage`: where a task came from."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, console, print_json
from .status import RunFolder

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from envolve.memory.lineage import LineageNode, TaskLineage


def lineage(
    folder: RunFolder,
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or the beginning of its version.")],
    environment: Annotated[
        str | None, typer.Option(metavar="ENV", help="The environment, if the id is in several.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """The tasks that this one was derived from, and those derived from it."""
    from envolve.memory.lineage import task_lineage
    from envolve.runs import reading

    with reading(folder, again=f"envolve lineage {{run}} {shlex.quote(task)}") as store:
        found = task_lineage(store, task, environment=environment)
    if as_json:
        print_json({"run": str(folder), **found.model_dump(mode="json")})
    else:
        for root in _trees(found):
            console().print(root)


def _trees(found: TaskLineage) -> list[Tree]:
    """Parents come before their children, so each finds its parent's branch."""
    from rich.tree import Tree

    roots = list[Tree]()
    branches: dict[str, Tree] = {}
    for node in found.nodes:
        label = _label(node, node.version == found.task)
        parent = branches.get(node.parent or "")
        branches[node.version] = parent.add(label) if parent else Tree(label)
        if parent is None:
            roots.append(branches[node.version])
    return roots


def _label(node: LineageNode, asked: bool) -> Text:
    from rich.text import Text

    from envolve.display import one_line

    how = f"{node.operator}: " if node.operator else ""
    how += "twin of the refusal above: " if node.twin_of else ""
    state = (node.fate or node.stage).replace("_", " ")
    return Text(one_line(f"{how}{node.id} ({state}) {node.version[:12]}{' ← asked for' if asked else ''}"))
