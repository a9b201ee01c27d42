"""A small shop into which tests put the tools that they are about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from envolve.agents.critics.rules import findings_of_rule
from envolve.agents.tester import confirm
from envolve.environments.models import EnvironmentSpec, Finding, ToolsFile
from envolve.environments.package import Environment

SHOP = Path(__file__).parent / "data" / "shop"

Shop = Callable[[str], Environment]
Review = Callable[[str, str], list[Finding]]


@pytest.fixture(scope="session")
def shop() -> Shop:
    """The shop with tools given as YAML (a list)."""
    spec = EnvironmentSpec.model_validate(yaml.safe_load((SHOP / "environment.yaml").read_text(encoding="utf-8")))
    schema = (SHOP / "schema.sql").read_text(encoding="utf-8")
    seed = (SHOP / "seed.sql").read_text(encoding="utf-8")

    def build(tools: str) -> Environment:
        file = ToolsFile.model_validate({"format": 1, "tools": yaml.safe_load(tools)})
        return Environment.build(spec=spec, schema_sql=schema, seed_sql=seed, tools=file)

    return build


@pytest.fixture(scope="session")
def review(shop: Shop) -> Review:
    """The findings of one rule on the shop with some tools, their probes run."""

    def run(rule: str, tools: str) -> list[Finding]:
        environment = shop(tools)
        return confirm(environment, findings_of_rule(environment, rule))

    return run
