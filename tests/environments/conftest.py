"""The sample package, copies of it to spoil, and small environments made on the spot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import EnvironmentSpec, ToolsFile
from envolve.environments.yaml_text import parse_yaml

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"

MakeEnvironment = Callable[..., Environment]


@pytest.fixture(scope="session")
def table_booking() -> Environment:
    return Environment.load(SAMPLE)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the sample package."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "table-booking"))


@pytest.fixture(scope="session")
def make_environment() -> MakeEnvironment:
    """Environment(schema, seed, tools as YAML under `tools:`): one role `user` whose rows are in `users`."""

    def make(schema: str = "", seed: str = "", tools: str = "", **spec: Any) -> Environment:
        users = "CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;\n"
        nothing = "- {name: nothing, description: Nothing, kind: read}\n"
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
            tools=ToolsFile.model_validate(
                parse_yaml("format: 1\ntools:\n" + (tools or nothing), "tools.yaml").value
            ),
        )

    return make
