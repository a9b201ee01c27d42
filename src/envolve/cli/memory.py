"""`envolve memory`: what a run knows."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from .output import JsonFlag, print_json, print_table, say
from .status import RunFolder

LONGEST = 72
"""Characters shown of a text that was found."""


def memory(
    folder: RunFolder,
    action: Annotated[
        Literal["search", "rebuild"], typer.Argument(metavar="ACTION", help="search TEXT, or rebuild.")
    ],
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="What to look for.")] = None,
    kind: Annotated[
        Literal["environments", "tasks", "defects"] | None,
        typer.Option(metavar="KIND", help="Only environments, tasks or defects."),
    ] = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many of each kind.")] = 5,
    as_json: JsonFlag = False,
) -> None:
    """Search what was built before (also while the run goes), or rebuild the index from the run's store."""
    from envolve.display import shortened
    from envolve.environments.errors import InputError
    from envolve.remembering import DefectHit, rebuild_index, search_run

    from .findings import print_defects

    if action == "rebuild":
        if text is not None:
            raise InputError(f"rebuild takes no text (got {shortened(repr(text), 40)}).", remedy="Leave it out.")
        counts = rebuild_index(folder)
        if as_json:
            print_json({"run": str(folder), "rebuilt": counts})
        else:
            say("Rebuilt: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
        return
    hits = search_run(folder, text, kind=kind, count=count)
    if as_json:
        print_json({"run": str(folder), "hits": [hit.model_dump(mode="json") for hit in hits]})
        return
    for name in dict.fromkeys(hit.kind for hit in hits if hit.kind != "defects"):
        rows = [
            (
                _known_as(name, hit.id),
                hit.fate.replace("_", " "),
                f"{hit.distance:.2f}",
                shortened(hit.summary, LONGEST),
            )
            for hit in hits
            if hit.kind == name
        ]
        print_table(name.capitalize(), ("id", "fate", "distance", "text"), rows)
    defects = [hit for hit in hits if isinstance(hit, DefectHit)]
    if defects:
        print_defects(defects)


def _known_as(kind: str, id_: str) -> str:
    """Tasks are named by their version, of which the beginning is enough."""
    return id_[:12] if kind == "tasks" else id_
