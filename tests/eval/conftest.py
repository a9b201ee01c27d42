"""The sample environment, and ways to spoil its tasks."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Invariant, Task

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"
TWO_HOURS = Invariant(
    name="bookings last two hours", sql="SELECT id FROM bookings WHERE ends_at <> datetime(starts_at, '+2 hours')"
)

Spoil = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="session")
def environment() -> Environment:
    """The sample package. That bookings last two hours, as its tools make them, is said here too: without it a
    verifier that does not look at `ends_at` has a hole."""
    sample = Environment.load(SAMPLE)
    invariants = {TWO_HOURS.name: TWO_HOURS} | {invariant.name: invariant for invariant in sample.spec.invariants}
    return Environment.build(
        spec=sample.spec.model_copy(update={"invariants": tuple(invariants.values())}),
        schema_sql=sample.schema_sql,
        seed_sql=sample.seed_sql,
        tools=sample.tools_file,
        tasks=sample.tasks.values(),
    )


@pytest.fixture(scope="session")
def spoiled(environment: Environment) -> Callable[[str, Spoil], Task]:
    """A task of the sample, changed as a plain dictionary."""

    def change(task: str, spoil: Spoil) -> Task:
        raw = deepcopy(environment.tasks[task].model_dump(mode="json", by_alias=True))
        spoil(raw)
        return Task.model_validate(raw)

    return change
