"""`envolve status`: where a run stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json

RunFolder = Annotated[Path, typer.Argument(readable=False, metavar="RUN", help="The run's folder.")]


def status(
    folder: RunFolder,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="List every task: how far it came, what became of it, its pass rate.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Numbers of a run: environments, the funnel of tasks, fates, pass rates, cost. Works while the run goes."""
    from envolve.costs import task_costs
    from envolve.graph.config import RunConfig
    from envolve.runs import reading
    from envolve.standing import status_json, status_of, task_lines

    from .findings import print_findings
    from .summary import print_summary, print_tasks

    with reading(folder, again="envolve status {run}") as store:
        found, config = status_of(store, folder), RunConfig.model_validate(store.info().config)
        lines = task_lines(store, config.target) if tasks else []
        if as_json:
            spent = task_costs(store) if tasks else {}
            listed = (
                {"task_list": [line.as_json(*spent.get(line.version, (0, 0.0))) for line in lines]} if tasks else {}
            )
            print_json({**status_json(found, store, folder), **listed})
            return
        if tasks:
            print_tasks(lines)
        print_summary(found, store, folder, config)
        print_findings(store)
