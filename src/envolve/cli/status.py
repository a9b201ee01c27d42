"""`envolve status`: where a run stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder.")]


def status(folder: RunFolder, as_json: JsonFlag = False) -> None:
    """Numbers of a run: environments, the funnel of tasks, fates, pass rates, cost. Works while the run goes."""
    from envolve.graph.config import RunConfig
    from envolve.memory.store import RunStore
    from envolve.standing import status_json, status_of

    from .summary import print_summary

    with RunStore.open_read_only(folder) as store:
        found = status_of(store, folder)
        if as_json:
            print_json(status_json(found, store, folder))
        else:
            print_summary(found, store, RunConfig.model_validate(store.info().config))
