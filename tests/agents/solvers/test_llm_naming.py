"""Models as solvers by name, with options after a question mark."""

from __future__ import annotations

import pytest

from envolve.agents.solvers import known_solvers, solver_named
from envolve.environments.errors import InputError


def test_profiles() -> None:
    plain = solver_named("openai:gpt-5").profile
    assert (plain.name, plain.kind, plain.deterministic) == ("openai:gpt-5", "model", False)
    assert plain.settings["model"] == "openai:gpt-5"
    assert plain.settings["temperature"] == 1.0
    assert plain.settings["turns"] == 30
    assert plain.settings["prompt"]
    still = solver_named("openai:gpt-5?temperature=0").profile
    assert still.deterministic
    assert still.hash != plain.hash
    local = "openai:qwen3@http://127.0.0.1:8000/v1?temperature=0.7&turns=20"
    given = solver_named(local).profile
    assert given.name == local
    assert (given.settings["temperature"], given.settings["turns"]) == (0.7, 20)
    assert solver_named("openai:qwen3@http://127.0.0.1:8000/v1?turns=20&temperature=0.70").profile == given
    assert solver_named("openai:gpt-5?turns=30&temperature=1").profile == plain
    assert any(name.startswith("openai:MODEL") for name in known_solvers())


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("openai:gpt-5?heat=2", "'heat' is no option"),
        ("openai:gpt-5?turns", "turns has no value"),
        ("openai:gpt-5?turns=many", "turns: .*valid integer"),
        ("openai:gpt-5?turns=0", "turns: .*greater than or equal to 1"),
        ("openai:gpt-5?temperature=3", "temperature: .*less than or equal to 2"),
        ("openai:gpt-5?turns=2&turns=3", "turns is given twice"),
        ("openai:gpt-5?tools=forced", "tools: .*'auto' or 'required'"),
        ("openai:gpt-5?output=50000", "at most half of context, which is 64000"),
        ("openai:", "names no model"),
    ],
)
def test_options_that_are_wrong(name: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as raised:
        solver_named(name)
    assert raised.value.remedy


def test_what_may_be_a_key_is_not_shown() -> None:
    with pytest.raises(InputError) as raised:
        solver_named("openai:m@http://127.0.0.1:1/v1?api_key=hunter2")
    assert "hunter2" not in str(raised.value)
