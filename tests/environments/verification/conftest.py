"""A task, its verdicts and its reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Submission, Task, Verdict
from envolve.environments.verification import StateReader

from .ends import End, Judge

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(DATA / "table-booking")


@pytest.fixture(scope="module")
def terrace(environment: Environment) -> Task:
    return environment.tasks["book-the-terrace-for-four"]


@pytest.fixture(scope="module")
def judge(environment: Environment, terrace: Task) -> Judge:
    def judged(
        *statements: str, submission: Submission | None = None, task: Task = terrace, **options: Any
    ) -> Verdict:
        return End(environment, task, *statements).verdict(submission, **options)

    return judged


@pytest.fixture
def reader(environment: Environment, terrace: Task) -> Iterator[StateReader]:
    with StateReader(environment, environment.image_for(terrace), actor=terrace.actor) as opened:
        yield opened
