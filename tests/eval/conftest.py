"""The sample environment, and ways to spoil its tasks."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Task

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"

Spoil = Callable[[dict[str, Any]], None]


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
