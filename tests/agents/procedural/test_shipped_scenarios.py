"""Every shipped scenario becomes an environment of the promised size whose seed holds its own rules, and which stands
up to arbitrary calls."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from envolve.agents.base import Scenario
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.canonical import seed_from
from envolve.environments.episode import Episode
from envolve.environments.models import Actor, Param
from envolve.environments.package import Environment
from envolve.environments.verification import StateReader

SCENARIOS = shipped_scenarios()
CALLS = 30


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.id for scenario in SCENARIOS])
def test_scenario_becomes_a_sound_environment(scenario: Scenario, compose: Callable[..., Environment]) -> None:
    environment = compose(scenario)
    assert 10 <= len(environment.tables()) <= 20
    assert 18 <= len(environment.tools) <= 40
    assert len(environment.spec.roles) == 3
    assert len(environment.spec.requirements) >= 10
    assert environment.spec.policy
    assert broken_invariants(environment, environment.image) == []
    random = Random(seed_from("calls", environment.hash))
    for role in environment.spec.roles:
        with environment.open(actor=some_actor(environment, role, random)) as episode:
            internal = [result for result in random_calls(episode, random, CALLS // 3) if result == "internal"]
            assert not internal
            assert broken_invariants(environment, episode.final_image()) == []


def broken_invariants(environment: Environment, image: bytes) -> list[str]:
    with StateReader(environment, image) as reader:
        return [invariant.name for invariant in environment.spec.invariants if reader.query(invariant.sql)]


def some_actor(environment: Environment, role: str, random: Random) -> Actor:
    spec = environment.spec.roles[role]
    with StateReader(environment, environment.image) as reader:
        ids = [row[0] for row in reader.query(f"SELECT id FROM {spec.table} WHERE {spec.where or 1} ORDER BY id")]
    return Actor(roles=(role,), id=int(str(random.choice(ids))))


def random_calls(episode: Episode, random: Random, count: int) -> list[str]:
    """Error codes (`ok` for none) of calls with plausible arguments."""
    codes: list[str] = []
    for _ in range(count):
        name = random.choice([tool["name"] for tool in episode.tools if tool["name"] in episode.environment.tools])
        tool = episode.environment.tools[name]
        wanted = [key for key in tool.params if key in tool.required or random.random() < 0.4]
        args = {key: some_value(episode.environment, tool.params[key], random) for key in wanted}
        result = episode.call(name, **args)
        codes.append(result.error.code if result.error else "ok")
    return codes


def some_value(environment: Environment, param: Param, random: Random) -> Any:
    if param.ref:
        table, column = param.ref.split(".")
        with StateReader(environment, environment.image) as reader:
            rows = reader.query(f"SELECT {column} FROM {table} ORDER BY id")
        return random.choice(rows)[0] if rows else 1
    if param.enum:
        return random.choice(param.enum)
    if param.type == "boolean":
        return random.random() < 0.5
    if param.type == "integer":
        low, high = int(param.minimum or 0), int(param.maximum or 1000)
        step = int(param.multiple_of or 1)
        return random.choice((low, high, low + step * random.randint(0, (high - low) // step)))
    day = f"{environment.spec.clock[:8]}{random.randint(1, 28):02d}"
    return {
        "date": day,
        "date-time": f"{day} {random.randint(8, 21):02d}:30:00",
        "email": "new.person@example.org",
    }.get(param.format or "", "4711" if param.pattern else "something new")
