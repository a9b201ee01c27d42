"""A call in canonical form and the same as its player makes it: same world, same information, same verdict."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.solvers.arguments import draw_arguments
from envolve.agents.solvers.seen import Seen
from envolve.environments import Environment, Episode, Limits
from envolve.environments.models import CallResult, Surface

from .conftest import LOOKS, Dress, named

WORLDS = ("sample", "composed")
ODD: tuple[object, ...] = (None, True, -1, 1.5, "x", "2026-02-30", [], {}, [1, 1], {"a": 1})


def wander(episode: Episode, seed: int, calls: int) -> None:
    """Canonical calls of every tool with what was seen, and now and then with what does not fit."""
    rng, seen = Random(seed), Seen()
    now = datetime.fromisoformat(episode.environment.spec.clock)
    tools = episode.canonical_tools
    for number in range(calls):
        tool = tools[number % len(tools)] if number < len(tools) else rng.choice(tools)
        if tool["name"] == "submit":
            continue
        args = draw_arguments(tool["inputSchema"], seen, now, rng)
        if args and rng.random() < 0.15:
            args[rng.choice(list(args))] = rng.choice(ODD)
        result = episode.call_canonical(tool["name"], **args)
        if result.ok:
            seen.add(result.value)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("surface", LOOKS, ids=named)
def test_the_same_calls_in_both_forms_are_the_same(dress: Dress, world: str, surface: Surface) -> None:
    environment = dress(world, surface)
    look = environment.kit.look
    assert look is not None
    outcomes: Counter[bool] = Counter()
    with _play(environment) as walked, _play(environment) as played:
        wander(walked, seed=7, calls=50)
        for event in walked.trace.events:
            if event.shown is None:
                continue
            seen = played.call(event.shown.tool, **event.shown.args)
            made = played.trace.events[-1]
            assert event.result is not None
            assert (made.tool, made.result, made.changes) == (event.tool, event.result, event.changes)
            assert made.shown == event.shown
            assert seen.payload() == event.shown.payload
            back = look.canonical(event.tool or "", seen.payload(), ok=seen.ok)
            assert _told(back) == _told(event.result)
            outcomes[seen.ok] += 1
        if all(event.shown for event in walked.trace.events):
            assert played.final_image() == walked.final_image()
            assert played.verify() == walked.verify()
    assert min(outcomes[True], outcomes[False]) > 5


def _play(environment: Environment) -> Episode:
    return environment.play(next(iter(environment.tasks)), seed=1, limits=Limits(calls=10_000))


def _told(result: CallResult) -> tuple[Any, ...]:
    return (result.value, result.error and result.error.code)


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(LOOKS), st.integers(0, 2**16))
def test_what_the_schema_says_is_what_is_taken(dress: Dress, world: str, surface: Surface, seed: int) -> None:
    environment, rng = dress(world, surface), Random(seed)
    now = datetime.fromisoformat(environment.spec.clock)
    with environment.play(next(iter(environment.tasks))) as episode:
        tool = rng.choice([tool for tool in episode.tools if tool["name"] != "submit"])
        schema = tool["inputSchema"]
        args = draw_arguments(schema, Seen(), now, rng)
        for name in rng.sample(sorted(args), k=min(len(args), rng.randint(0, 1))):
            args[name] = rng.choice(ODD)
        if rng.random() < 0.1:
            args[rng.choice(("page", "offset", "cursor", "customer_id", "zz"))] = 1
        result = episode.call(tool["name"], **args)
    if not jsonschema.Draft202012Validator(schema).is_valid(args):
        assert result.error is not None
        assert result.error.code == "invalid_argument"
