"""Worlds for the tester: the sample package, a world with known faults, and worlds written in a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from envolve.agents.tester import Effort
from envolve.environments.models import EnvironmentSpec, ToolsFile
from envolve.environments.package import Environment

DATA = Path(__file__).parent / "data"
SMALL = Effort(least=150, calls_per_tool=40)

World = Callable[..., Environment]

_PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('user', 'staff')))
STRICT;
"""
_THREE = "INSERT INTO people VALUES (31, 'Ada', 'user'), (35, 'Ben', 'user'), (42, 'Mei', 'staff');"


@pytest.fixture(scope="session")
def table_booking() -> Environment:
    return Environment.load(Path(__file__).parents[2] / "data" / "table-booking")


@pytest.fixture(scope="session")
def seating() -> Environment:
    """Five invariants that single tools break, known beforehand."""
    return Environment.load(DATA / "seating")


@pytest.fixture(scope="session")
def world() -> World:
    """A world of people (users and staff) with further tables and tools: SQL and YAML texts."""

    def build(tools: str, schema: str = "", seed: str = "", **spec: object) -> Environment:
        given = {
            "id": "small",
            "scenario": "Small world",
            "roles": {
                "user": {"table": "people", "where": "role = 'user'"},
                "staff": {"table": "people", "where": "role = 'staff'"},
            },
            "clock": "2026-05-04 10:00:00",
        }
        return Environment.build(
            spec=EnvironmentSpec.model_validate(given | spec),
            schema_sql=_PEOPLE + schema,
            seed_sql=_THREE + seed,
            tools=ToolsFile.model_validate({"format": 1, "tools": yaml.safe_load(tools)}),
        )

    return build
