"""`envolve schema`: the JSON Schemas of everything that is written to files."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from .output import print_json


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="environment, tools, task, or another; absent: all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="On one line.")] = False,
) -> None:
    """Print JSON Schemas, generated from the models that read the files."""
    from pydantic import BaseModel

    from envolve.environments.errors import InputError
    from envolve.environments.models import (
        AuditReport,
        EnvironmentSpec,
        Finding,
        Rollout,
        Task,
        ToolsFile,
        Verdict,
    )
    from envolve.graph.config import RunConfig

    models: dict[str, type[BaseModel]] = {
        "environment": EnvironmentSpec,
        "tools": ToolsFile,
        "task": Task,
        "audit": AuditReport,
        "finding": Finding,
        "rollout": Rollout,
        "verdict": Verdict,
        "config": RunConfig,
    }
    if name is not None and name not in models:
        raise InputError(f"There is no schema {name!r}.", remedy=f"Known: {', '.join(models)}.")
    schemas = {key: model.model_json_schema(by_alias=True) for key, model in models.items()}
    shown = schemas if name is None else schemas[name]
    if as_json:
        print_json(shown)
    else:
        sys.stdout.write(json.dumps(shown, indent=2) + "\n")
