"""Values for parameters are what their schemas admit, and the same for the same seed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envolve.agents.tester.fuzzing.pools import Pools, boundaries, wrong
from envolve.agents.tester.fuzzing.replay import Played
from envolve.agents.tester.fuzzing.shrinking import shrink
from envolve.agents.tester.fuzzing.steps import Step
from envolve.agents.tester.fuzzing.symptoms import Symptom
from envolve.environments.arguments import Arguments
from envolve.environments.models import Actor, Expectation, Param

_REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.nested_given],  # drawing values is a small Hypothesis run itself
)


def _range(low: int, size: int) -> dict[str, Any]:
    return {"minimum": low, "maximum": low + size}


_PARAMS = st.one_of(
    st.builds(lambda low, size: {"type": "integer", **_range(low, size)}, st.integers(-50, 50), st.integers(0, 90)),
    st.builds(lambda low, size: {"type": "number", **_range(low, size)}, st.integers(-50, 50), st.integers(0, 90)),
    st.builds(
        lambda low, size: {"type": "string", "minLength": low, "maxLength": low + size},
        st.integers(0, 20),
        st.integers(0, 40),
    ),
    st.sampled_from(
        [
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date-time"},
            {"type": "string", "format": "time"},
            {"type": "string", "format": "email"},
            {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
            {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3,5}$"},
            {"type": "string", "enum": ["a", "b"]},
            {"type": "integer", "multipleOf": 5, "minimum": 3, "maximum": 40},
            {"type": "integer", "exclusiveMinimum": 0},
            {"type": "boolean"},
            {
                "type": "array",
                "items": {"type": "integer", "minimum": 1},
                "minItems": 2,
                "maxItems": 4,
                "uniqueItems": True,
            },
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
        ]
    ),
)


@_REPEATABLE
@given(st.lists(_PARAMS, min_size=1, max_size=14))
def test_values_are_valid(shapes: list[dict[str, Any]]) -> None:
    params = [Param.model_validate(shape) for shape in shapes]
    pools = Pools(params, seed=5)
    for param in params:
        check = Arguments({"x": param}, ("x",))
        values = pools.valid(param)
        assert values
        assert [check.problem({"x": value}) for value in values if check.problem({"x": value})] == []


def test_same_seed_same_values_and_nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    params = [
        Param(type="string", max_length=30),
        Param(type="string", pattern="^[a-f0-9]{8}$"),
        Param(type="integer"),
    ]
    first, again, other = Pools(params, 3), Pools(reversed(params), 3), Pools(params, 4)
    assert [first.valid(param) for param in params] == [again.valid(param) for param in params]
    assert [first.valid(param) for param in params] != [other.valid(param) for param in params]
    assert os.listdir(tmp_path) == []


def test_boundaries_lie_at_the_edges_and_past_them() -> None:
    rating = Param(type="integer", minimum=1, maximum=5)
    assert {0, 1, 2, 4, 5, 6} <= set(boundaries(rating))
    note = Param(type="string", max_length=20)
    assert {len(text) for text in boundaries(note)} >= {0, 20, 21}
    for param in (rating, note, Param(type="boolean"), Param(type="array", items=Param(type="integer"))):
        check = Arguments({"x": param}, ("x",))
        assert any(check.problem({"x": value}) for value in wrong(param))


_ACTOR = Actor(roles=("user",), id=1)


@_REPEATABLE
@given(st.lists(st.booleans(), min_size=1, max_size=25))
def test_shrinking_keeps_exactly_what_is_needed(needed: list[bool]) -> None:
    """A symptom that shows if all needed calls are still there, and the last one."""
    steps = [Step(f"call_{index}", {"keep": 1, "drop": 2}, _ACTOR) for index in range(len(needed))]
    wanted = {step.tool for step, kept in zip(steps, needed, strict=True) if kept} | {steps[-1].tool}
    symptom = Symptom("bad", "major", "tools.x", "Bad.", Expectation(invariants=True))

    def play(tried: Any) -> Played:
        shows = wanted <= {step.tool for step in tried} and all("keep" in step.args for step in tried)
        return Played(tuple(tried), (symptom,) if shows else ())

    shrunk = shrink(steps, play, symptom.key)
    assert shrunk[-1].tool == steps[-1].tool
    assert wanted <= {step.tool for step in shrunk}
    if sum(needed) <= 4:
        assert {step.tool for step in shrunk} == wanted


def test_shrinking_gives_nothing_for_what_does_not_show_again() -> None:
    assert shrink([Step("x", {}, _ACTOR)], lambda steps: Played(tuple(steps), ()), ("bad", "tools.x")) == ()
