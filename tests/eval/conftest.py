"""The sample environment, and ways to spoil its tasks."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import EnvironmentSpec, Task, ToolsFile
from envolve.environments.yaml_text import parse_yaml

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"

Spoil = Callable[[dict[str, Any]], None]
Make = Callable[..., Environment]


@pytest.fixture(scope="session")
def environment() -> Environment:
    """The sample package."""
    return Environment.load(SAMPLE)


@pytest.fixture(scope="session")
def spoiled(environment: Environment) -> Callable[[str, Spoil], Task]:
    """A task of the sample, changed as a plain dictionary."""

    def change(task: str, spoil: Spoil) -> Task:
        raw = deepcopy(environment.tasks[task].model_dump(mode="json", by_alias=True))
        spoil(raw)
        return Task.model_validate(raw)

    return change


@pytest.fixture(scope="session")
def make_environment() -> Make:
    """Environment(schema, seed, tools as YAML under `tools:`): one role `user` whose rows are in `users`."""

    def make(schema: str, seed: str, tools: str, **spec: Any) -> Environment:
        users = "CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;\n"
        fields: dict[str, Any] = {
            "id": "made",
            "scenario": "Made for a test",
            "roles": {"user": {"table": "users"}},
            "clock": "2026-03-02 09:00:00",
        }
        return Environment.build(
            spec=EnvironmentSpec.model_validate(fields | spec),
            schema_sql=users + schema,
            seed_sql="INSERT INTO users VALUES (5, 'Uma'), (9, 'Ugo');\n" + seed,
            tools=ToolsFile.model_validate(parse_yaml("format: 1\ntools:\n" + tools, "tools.yaml").value),
        )

    return make
