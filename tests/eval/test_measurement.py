"""Measuring, confirming, comparing: decisions, resuming, and what does not count."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from envolve.environments import Environment, Episode
from envolve.environments.canonical import seed_from
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import Rollout, Verdict
from envolve.eval import (
    Band,
    ConfirmationTest,
    InfraError,
    Sampler,
    SequentialTest,
    SolverProfile,
    band_occupancy,
    compare,
    confirm,
    measure,
)
from envolve.eval.measurement import Measurement

BAND = Band.parse("0.2:0.6")
MOVE = "move-the-anniversary-dinner"


class Coin:
    """Follows gold with probability `rate`, fails for lack of a provider with probability `down`."""

    def __init__(self, rate: float, *, down: float = 0.0, deterministic: bool = False) -> None:
        settings = {"rate": rate, "down": down}
        self.profile = SolverProfile(name="coin", kind="simulated", settings=settings, deterministic=deterministic)
        self.rate, self.down = rate, down
        self.seeds: list[int] = []

    async def solve(self, episode: Episode) -> None:
        self.seeds.append(episode.seed)
        await asyncio.sleep(0)
        random = Random(seed_from("coin", episode.seed))
        if random.random() < self.down:
            raise InfraError("overloaded")
        if episode.task is not None and random.random() < self.rate:
            run_gold(episode.environment, episode.task, episode=episode)


def measured(environment: Environment, solver: Coin, **options: Any) -> Measurement:
    settings = {"seed": 0} | options
    return asyncio.run(measure(environment, environment.tasks[MOVE], solver, BAND, **settings))


def outcome(environment: Environment, rollouts: Sequence[Rollout], index: int, name: str) -> tuple[Rollout, ...]:
    """The rollouts with one outcome replaced."""
    verdict = Verdict.model_validate({"outcome": name})
    return tuple(r.model_copy(update={"verdict": verdict}) if r.index == index else r for r in rollouts)


def test_rates_are_decided_as_they_are(environment: Environment) -> None:
    easy, hard = measured(environment, Coin(1.0)), measured(environment, Coin(0.0))
    assert (easy.decision, easy.passes, easy.n) == ("too_easy", 6, 6)
    assert (hard.decision, hard.passes, hard.n) == ("too_hard", 0, 12)
    decisions = [measured(environment, Coin(0.4), seed=seed).decision for seed in range(8)]
    assert decisions.count("accept") >= 4


def test_a_measurement_shows_what_it_rests_on(environment: Environment) -> None:
    found = measured(environment, Coin(0.4))
    test = SequentialTest.for_band(BAND)
    assert found.n == len(found.rollouts) <= test.cap
    assert found.passes == sum(rollout.verdict.passed for rollout in found.rollouts)
    assert [rollout.index for rollout in found.rollouts] == list(range(found.n))
    assert {rollout.purpose for rollout in found.rollouts} == {"measure"}
    assert found.interval is not None
    assert found.interval.low < found.passes / found.n < found.interval.high
    assert found.posterior is not None
    assert (found.decision == "accept") == (found.posterior >= 0.9)


def test_results_travel_as_json(environment: Environment) -> None:
    found = measured(environment, Coin(0.4))
    assert Measurement.model_validate_json(found.model_dump_json(by_alias=True)) == found


def test_a_hold_out_selects_nothing(environment: Environment) -> None:
    sampler = Sampler(environment, environment.tasks[MOVE], Coin(0.4), "occupancy", 0)
    counts = asyncio.run(sampler.collect(20, at_most=20))
    assert counts.n == 20
    assert band_occupancy([(counts.passes, counts.n)], BAND).tasks == 1
    assert {rollout.purpose for rollout in sampler.rollouts} == {"occupancy"}


def plain(measurement: Measurement) -> dict[str, Any]:
    left_out = {"rollouts": {"__all__": {"seconds", "trace"}}}
    return measurement.model_dump(mode="json", exclude=left_out)


@pytest.mark.parametrize("kept", [[], [0, 1, 2], [0, 2, 5, 7], "all", "more"])
def test_a_measurement_that_was_cut_short_goes_on_to_the_same_decision(environment: Environment, kept: Any) -> None:
    whole = measured(environment, Coin(0.4, down=0.01), seed=3)
    assert whole.n > 8
    so_far = whole.rollouts if kept in ("all", "more") else tuple(whole.rollouts[index] for index in kept)
    if kept == "more":
        extra = so_far[-1].model_copy(update={"index": len(so_far) + 3})
        so_far = (extra, *reversed(so_far))
    solver, new = Coin(0.4, down=0.01), list[Rollout]()
    resumed = measured(environment, solver, seed=3, rollouts_so_far=so_far, on_rollout=new.append)
    assert plain(resumed) == plain(whole)
    assert len(new) == len(set(solver.seeds)) == max(0, len(whole.rollouts) - len(so_far))


@pytest.mark.parametrize("concurrency", [1, 2, 5, 40])
def test_concurrency_changes_no_result(environment: Environment, concurrency: int) -> None:
    one = measured(environment, Coin(0.4, down=0.2), concurrency=concurrency)
    assert plain(one) == plain(measured(environment, Coin(0.4, down=0.2)))


def test_other_rollouts_are_refused(environment: Environment) -> None:
    others = measured(environment, Coin(0.9)).rollouts
    with pytest.raises(InputError, match="another task version"):
        measured(environment, Coin(0.4), rollouts_so_far=others)


def test_a_provider_that_is_down_leaves_the_task_unmeasured(environment: Environment) -> None:
    solver = Coin(0.4, down=1.0)
    found = measured(environment, solver)
    assert (found.decision, found.n) == ("unmeasured", 0)
    assert found.infra_errors == 4
    assert found.interval is not None
    assert list(found.interval) == pytest.approx([0.025, 0.975])
    assert len(solver.seeds) == 6 * 3


def test_errors_do_not_count_in_rates(environment: Environment) -> None:
    whole = measured(environment, Coin(0.4), seed=1)
    assert whole.n >= 12
    broken = outcome(environment, whole.rollouts, 0, "environment_error")
    found = measured(environment, Coin(0.4), seed=1, rollouts_so_far=broken)
    assert found.environment_errors == 1
    assert found.n % 6 == 0
    assert found.reaudit
    assert found.decision != "unmeasured"
    infra = measured(
        environment, Coin(0.4), seed=1, rollouts_so_far=outcome(environment, whole.rollouts, 0, "infra_error")
    )
    assert infra.infra_errors == 1
    assert not infra.reaudit


def test_a_world_that_always_breaks_ends_the_measurement(environment: Environment) -> None:
    whole = measured(environment, Coin(0.0))
    broken = tuple(
        rollout.model_copy(update={"index": index, "verdict": Verdict(outcome="environment_error")})
        for index in range(12)
        for rollout in whole.rollouts[:1]
    )
    found = measured(environment, Coin(0.0), rollouts_so_far=broken)
    assert (found.decision, found.n, found.reaudit) == ("unmeasured", 0, True)


def test_a_deterministic_solver_gets_one_rollout_and_no_interval(environment: Environment) -> None:
    solver = Coin(1.0, deterministic=True)
    found = measured(environment, solver)
    assert (found.decision, found.passes, found.n) == (None, 1, 1)
    assert found.interval is None
    assert found.posterior is None
    checked = asyncio.run(confirm(environment, environment.tasks[MOVE], solver, BAND, seed=0))
    assert (checked.confirmed, checked.n) == (None, 1)
    assert measured(environment, Coin(1.0, down=1.0, deterministic=True)).decision == "unmeasured"


def test_confirmation_rests_on_fresh_rollouts_of_a_fixed_number(environment: Environment) -> None:
    task, size = environment.tasks[MOVE], ConfirmationTest.for_band(BAND).size
    found = asyncio.run(confirm(environment, task, Coin(0.4), BAND, seed=0))
    assert found.n == size == len(found.rollouts)
    assert found.confirmed is (found.posterior is not None and found.posterior >= 0.5)
    assert {rollout.purpose for rollout in found.rollouts} == {"confirm"}
    easy = asyncio.run(confirm(environment, task, Coin(1.0), BAND, seed=0))
    assert easy.confirmed is False
    resumed = asyncio.run(
        confirm(environment, task, Coin(0.4), BAND, seed=0, rollouts_so_far=found.rollouts[3:9], concurrency=3)
    )
    assert (resumed.passes, resumed.confirmed) == (found.passes, found.confirmed)
    down = asyncio.run(confirm(environment, task, Coin(0.4, down=1.0), BAND, seed=0))
    assert (down.confirmed, down.n) == (None, 0)


def test_parent_and_child_take_turns(environment: Environment) -> None:
    parent, child = environment.tasks[MOVE], environment.tasks["count-fridays-guests"]
    order: list[tuple[str, int]] = []
    found = asyncio.run(
        compare(
            environment,
            parent,
            child,
            Coin(0.5),
            n=8,
            seed=0,
            on_rollout=lambda rollout: order.append((rollout.task, rollout.index)),
        )
    )
    assert [index for _, index in order] == [index for index in range(8) for _ in range(2)]
    assert [task for task, _ in order[:4]] == [parent.id, child.id, child.id, parent.id]
    assert found.parent_n == found.child_n == 8
    assert found.change is not None
    assert found.change.difference == pytest.approx((found.child_passes - found.parent_passes) / 8)
    assert {rollout.purpose for rollout in (*found.parent_rollouts, *found.child_rollouts)} == {"effect"}
    later = asyncio.run(compare(environment, parent, child, Coin(0.5), n=3, seed=0, first_parent_index=8))
    assert [rollout.index for rollout in later.parent_rollouts] == [8, 9, 10]
    assert asyncio.run(compare(environment, parent, child, Coin(0.5, down=1.0), n=3, seed=0)).change is None
