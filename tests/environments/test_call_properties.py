"""Whatever the arguments are: no exception, no internal error, and a failed call leaves nothing behind."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment, Limits
from envolve.environments.models import Actor, CallResult

from .conftest import SAMPLE

ACTORS = [
    Actor(roles=("diner",), id=204),
    Actor(roles=("diner",), id=218),
    Actor(roles=("host",), id=305),
    Actor(roles=("host",), id=316),
]
UNLIMITED = Limits(calls=10**6)
SAMPLE_ENVIRONMENT = Environment.load(SAMPLE)
NAMES = [*SAMPLE_ENVIRONMENT.tools, "no_such_tool", "submit"]

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
known = {
    "booking_id": st.sampled_from([1806, 1811, 1815, 1819, 1833, 1842, 1855, 1860, 7, 2**62]),
    "booking_ids": st.lists(st.sampled_from([1855, 1860, 1806, 3]), max_size=3),
    "table_id": st.sampled_from([517, 520, 524, 529, 533, 538, 544, 553, 580, 585, 1]),
    "restaurant_id": st.sampled_from([31, 34, 38, 43, 47, 5]),
    "person_id": st.sampled_from([204, 209, 305, 1]),
    "party_size": st.integers(0, 21),
    "starts_at": st.sampled_from(
        ["2026-03-06 19:30:00", "2026-03-07 12:00:00", "2026-03-01 09:00:00", "2026-06-01 09:00:00"]
    ),
    "on_date": st.sampled_from(["2026-03-06", "2026-03-02", "0001-01-01", "9999-12-31"]),
    "wanted_on": st.sampled_from(["2026-03-06", "2026-03-01"]),
    "free_at": st.sampled_from(["2026-03-06 19:30:00", "9999-12-31 23:59:59"]),
    "name": st.sampled_from(["ada", "Lindqvist", "'", "%", "é"]) | st.text(max_size=10),
    "note": st.text(max_size=20),
    "reason": st.none() | st.text(max_size=20),
    "sort": st.sampled_from(["cheapest", "best_rated", "id; --"]),
    "limit": st.integers(-1, 101),
    "offset": st.integers(-1, 2**63),
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A tool and arguments for it: plausible ones, junk, missing ones, unknown ones."""
    name = draw(st.sampled_from(NAMES))
    plan = SAMPLE_ENVIRONMENT.plans.get(name)
    params = list(plan.arguments.schema["properties"]) if plan else []
    required = plan.tool.required if plan else ()
    args = {}
    for param in params:
        if param in required or draw(st.booleans()):
            args[param] = draw(known.get(param, junk) if draw(st.integers(0, 9)) else junk)
    if draw(st.integers(0, 12)) == 0:
        args[draw(st.text(max_size=6))] = draw(junk)
    return name, args


def check(result: CallResult) -> None:
    assert result.ok == (result.error is None)
    assert result.error is None or result.error.code != "internal", result
    json.dumps(result.payload(), allow_nan=False).encode()
    result.model_dump_json()


@given(actor=st.sampled_from(ACTORS), todo=st.lists(calls(), min_size=1, max_size=8))
@settings(derandomize=True, database=None, max_examples=300, deadline=None)
def test_any_arguments(actor: Actor, todo: list[tuple[str, dict[str, Any]]]) -> None:
    with SAMPLE_ENVIRONMENT.open(actor=actor, limits=UNLIMITED) as episode:
        for name, args in todo:
            before, changed = episode.final_image(), episode.changes()
            result = episode.call(name, **args)
            check(result)
            if not result.ok:
                assert episode.final_image() == before
                assert episode.changes() == changed
            elif SAMPLE_ENVIRONMENT.plans[name].tool.kind == "read":
                assert episode.final_image() == before
        assert_sound(SAMPLE_ENVIRONMENT, episode.final_image())
        assert len(episode.trace.events) == len(todo)
        episode.trace.model_dump_json()


def assert_sound(environment: Environment, image: bytes) -> None:
    """References and invariants hold."""
    from envolve.environments.connections import connected

    with connected(image) as connection:
        assert not connection.execute("PRAGMA foreign_key_check").fetchall()
        for invariant in environment.spec.invariants:
            assert not connection.execute(invariant.sql).fetchall(), invariant.name


@given(todo=st.lists(calls(), min_size=1, max_size=6), seed=st.integers(0, 3))
@settings(derandomize=True, database=None, max_examples=80, deadline=None)
def test_the_same_calls_do_the_same(todo: list[tuple[str, dict[str, Any]]], seed: int) -> None:
    def run() -> tuple[list[CallResult], bytes]:
        with SAMPLE_ENVIRONMENT.open(actor=ACTORS[2], limits=UNLIMITED, seed=seed) as episode:
            return [episode.call(name, **args) for name, args in todo], episode.final_image()

    assert run() == run()


@given(args=st.dictionaries(st.sampled_from(["status", "reason", "answer", "x"]), junk, max_size=4))
@settings(derandomize=True, database=None, max_examples=150, deadline=None)
def test_anything_submitted(args: dict[str, Any]) -> None:
    with SAMPLE_ENVIRONMENT.open("count-fridays-guests") as episode:
        result = episode.call("submit", **args)
        check(result)
        assert episode.closed == result.ok
        episode.trace.model_dump_json()
