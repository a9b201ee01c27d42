"""`envolve schema`: the JSON Schemas of everything that is written to files."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer


def schema(
    name: Annotated[str | None, typer.Argument(help="environment, tools, task, or another; absent: all.")] = None,
) -> None:
    """Print JSON Schemas, generated from the models that read the files."""
    import json

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

    models: dict[str, Any] = {
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
    chosen = {name: models[name]} if name else models
    schemas = {key: model.model_json_schema(by_alias=True) for key, model in chosen.items()}
    sys.stdout.write(json.dumps(schemas[name] if name else schemas, indent=2, ensure_ascii=False) + "\n")
