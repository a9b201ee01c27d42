"""Whether checks held in the seed state is worked out once for all rollouts of a task, and for no other."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet
from envolve.environments.models import Actor, Task
from envolve.environments.verification import verdicts, verify
from envolve.environments.verification.reader import StateReader

from ..conftest import MakeEnvironment
from .ends import ended

ADDED = ("INSERT INTO users VALUES (11, 'Una')",)
Asking = Callable[[str], Task]


@pytest.fixture
def asking(terrace: Task) -> Asking:
    """A task of user 5 whose verifier asks one thing."""

    def task(sql: str) -> Task:
        verifier = terrace.verifier.model_copy(
            update={"bind": {}, "require": (_required(terrace, sql),), "allow": ()}
        )
        return terrace.model_copy(update={"verifier": verifier, "actor": Actor(roles=("user",), id=5)})

    return task


def _required(terrace: Task, sql: str) -> object:
    return terrace.verifier.require[0].model_copy(update={"name": "asked", "sql": sql})


def held(environment: Environment, task: Task, before: bytes | None = None) -> bool | None:
    """Whether what the task's verifier asks held in the seed state, by the verdict on doing nothing."""
    image = environment.image if before is None else before
    verdict = verify(environment, task, before=image, after=image, changes=ChangeSet(), submission=None)
    return next(check.before for check in verdict.checks if check.name == "asked")


def test_another_seed_state_is_asked_anew(make_environment: MakeEnvironment, asking: Asking) -> None:
    environment, task = make_environment(), asking("SELECT count(*) = 2 FROM before.users")
    more, _ = ended(environment, environment.image, ADDED)
    assert (held(environment, task), held(environment, task, more)) == (True, False)


def test_another_actor_is_asked_anew(make_environment: MakeEnvironment, asking: Asking) -> None:
    environment, task = make_environment(), asking("SELECT :actor_id = 5")
    other = task.model_copy(update={"actor": Actor(roles=("user",), id=9)})
    assert (held(environment, task), held(environment, other)) == (True, False)


def test_another_environment_is_asked_anew(make_environment: MakeEnvironment, asking: Asking) -> None:
    """Two may have the same rows, and differ in what day it is."""
    march, april = make_environment(), make_environment(clock="2026-04-02 09:00:00")
    assert march.image == april.image
    task = asking("SELECT :today < '2026-04-01'")
    assert (held(march, task), held(april, task)) == (True, False)


def test_another_verifier_is_asked_anew(make_environment: MakeEnvironment, asking: Asking) -> None:
    environment = make_environment()
    assert (held(environment, asking("SELECT 1")), held(environment, asking("SELECT 0"))) == (True, False)


def test_rollouts_of_a_task_ask_once(
    make_environment: MakeEnvironment, asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, task = make_environment(), asking("SELECT 1")
    held(environment, task)
    opened: list[object] = []

    def counting(*args: Any, **more: Any) -> StateReader:
        opened.append(args)
        return StateReader(*args, **more)

    monkeypatch.setattr(verdicts, "StateReader", counting)
    held(environment, task)
    held(environment.with_tasks([]), task)
    assert len(opened) == 2, "those that show the end states"


def test_what_is_kept_goes_with_the_environment(make_environment: MakeEnvironment, asking: Asking) -> None:
    environment = make_environment()
    image, _ = ended(environment, environment.image, ADDED)
    kit, holders = weakref.ref(environment.kit), sys.getrefcount(image)
    held(environment, asking("SELECT 1"), image)
    assert sys.getrefcount(image) > holders, "it is kept to tell it from others"
    del environment
    gc.collect()
    assert kit() is None
    assert sys.getrefcount(image) == holders
