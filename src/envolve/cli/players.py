"""Options that name models for roles, the same wherever a command works without a run."""

from __future__ import annotations

from typing import Annotated

import typer

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="MODEL", help="A model for all roles: openai:gpt-5, openai:NAME@URL, anthropic:…"
    ),
]
ArchitectOption = Annotated[
    str | None,
    typer.Option("--architect", metavar="MODEL", help="A model that designs; or procedural (the default)."),
]
CoderOption = Annotated[
    str | None, typer.Option("--coder", metavar="MODEL", help="A model that writes tools and data; or procedural.")
]
TaskWriterOption = Annotated[
    str | None,
    typer.Option("--task-writer", metavar="MODEL", help="A model that writes tasks and verifiers; or procedural."),
]
