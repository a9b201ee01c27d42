"""A refusal and its twin, measured as one: a sample is a rollout of each, and passes only if both pass."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envolve.environments import Environment, Episode
from envolve.environments.canonical import seed_from
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import Task, Verdict
from envolve.environments.package import task_version
from envolve.eval import Band, ConfirmationTest, SolverProfile, compare, confirm, measure
from envolve.eval.audit import audit
from envolve.eval.measurement import Measurement
from envolve.eval.units import Unit, units

BAND = Band.parse("0.2:0.6")
OPTIONS = [1, 2, 3, 4]
MINE = (
    "SELECT b.id FROM before.bookings b JOIN before.dining_tables t ON t.id = b.table_id"
    " JOIN before.restaurants r ON r.id = t.restaurant_id WHERE r.name = 'The Copper Kettle'"
    " AND b.person_id = :actor_id AND date(b.starts_at) = :today"
)


@pytest.fixture
def refusal() -> Task:
    """Within two hours of its start a diner cannot cancel a booking."""
    return Task.model_validate(
        {
            "id": "cancel-this-mornings-table",
            "instruction": "Cancel my table at The Copper Kettle for today, please.",
            "actor": {"roles": ["diner"], "id": 209},
            "goal": {"text": "Nothing changes; the second rule is given as the reason."},
            "grounding": {
                "my table at The Copper Kettle for today": {"expect": "one", "table": "bookings", "sql": MINE}
            },
            "gold": [
                {"call": "list_my_bookings", "args": {"status": "confirmed"}, "as": "found"},
                {"submit": {"status": "refused", "reason": 2}},
            ],
            "verifier": {"submit": {"status": "refused", "reason": 2, "options": OPTIONS}},
            "twin": "cancel-tonights-table",
        }
    )


@pytest.fixture
def twin(refusal: Task) -> Task:
    """The same words where the table is booked for the evening."""
    return Task.model_validate(
        {
            **refusal.model_dump(mode="json", by_alias=True),
            "id": "cancel-tonights-table",
            "twin": None,
            "setup": [
                "UPDATE bookings SET starts_at = '2026-03-02 19:30:00', ends_at = '2026-03-02 21:30:00'"
                " WHERE id = 1833"
            ],
            "goal": {
                "text": "The booking is cancelled.",
                "sql": "SELECT status = 'cancelled' FROM after.bookings WHERE id = 1833",
            },
            "gold": [
                {"call": "list_my_bookings", "args": {"status": "confirmed"}, "as": "found"},
                {"pick": "booking", "sql": "SELECT id FROM $found WHERE starts_at LIKE '2026-03-02%'"},
                {"call": "cancel_booking", "args": {"booking_id": "$booking.id"}},
                {"submit": {"status": "done"}},
            ],
            "verifier": {
                "require": [
                    {"name": "cancelled", "sql": "SELECT status = 'cancelled' FROM after.bookings WHERE id = 1833"}
                ],
                "allow": [{"table": "bookings", "key": {"id": 1833}, "columns": ["status"]}],
                "submit": {"status": "done", "options": OPTIONS},
            },
        }
    )


class Habit:
    """Hands in the same whatever is asked, after gold's calls for the twin if it `acts`."""

    def __init__(self, submission: dict[str, Any], acts: Task | None = None) -> None:
        self.profile = SolverProfile(name="habit", kind="simulated", settings={**submission, "acts": bool(acts)})
        self.submission, self.acts = submission, acts

    async def solve(self, episode: Episode) -> None:
        if self.acts is not None:
            program = self.acts.model_copy(update={"gold": self.acts.gold[:-1]})
            run_gold(episode.environment, program, episode=episode)
        episode.submit(**self.submission)


class Judicious:
    """Right with probability `rate`, drawn for each rollout."""

    def __init__(self, rate: float) -> None:
        self.profile = SolverProfile(name="judicious", kind="simulated", settings={"rate": rate})
        self.rate, self.episodes = rate, list[tuple[str, int]]()

    async def solve(self, episode: Episode) -> None:
        task = episode.task
        assert task is not None
        self.episodes.append((task.id, episode.seed))
        if Random(seed_from(episode.seed, "judicious")).random() < self.rate:
            run_gold(episode.environment, task, episode=episode)


def measured(environment: Environment, task: Task, twin: Task | None, solver: Any, **options: Any) -> Measurement:
    return asyncio.run(measure(environment, task, solver, BAND, **{"seed": 0, "twin": twin, **options}))


def test_both_halves_are_sound(environment: Environment, refusal: Task, twin: Task) -> None:
    held = environment.with_tasks([refusal, twin])
    for half in (refusal, twin):
        report = audit(held, half)
        assert report.grade == "sound", [gate for gate in report.gates if gate.status == "failed"]
    assert audit(held, refusal).gate("twins").status == "passed"


@pytest.mark.parametrize(
    "submission",
    [{"status": "done"}, {"status": "impossible"}, *({"status": "refused", "reason": rule} for rule in OPTIONS)],
    ids=lambda given: " ".join(map(str, given.values())),
)
@pytest.mark.parametrize("acts", [False, True], ids=["idle", "acting"])
def test_no_habit_passes_a_pair(
    environment: Environment, refusal: Task, twin: Task, submission: dict[str, Any], acts: bool
) -> None:
    found = measured(environment, refusal, twin, Habit(submission, twin if acts else None))
    assert (found.decision, found.passes) == ("too_hard", 0)


def test_a_sample_is_a_rollout_of_each_in_a_fresh_episode(
    environment: Environment, refusal: Task, twin: Task
) -> None:
    solver = Judicious(0.7)
    found = measured(environment, refusal, twin, solver)
    versions = [task_version(environment, half) for half in (refusal, twin)]
    assert found.version == versions[0]
    assert found.twin == twin.id
    assert [rollout.index for rollout in found.rollouts[::2]] == list(range(found.n))
    assert [rollout.version for rollout in found.rollouts] == versions * found.n
    assert len(set(solver.episodes)) == 2 * found.n
    pairs = list(zip(found.rollouts[::2], found.rollouts[1::2], strict=True))
    assert found.passes == sum(one.verdict.passed and other.verdict.passed for one, other in pairs)
    assert {one.verdict.passed == other.verdict.passed for one, other in pairs} == {True, False}


def test_a_solver_that_tells_them_apart_passes(environment: Environment, refusal: Task, twin: Task) -> None:
    found = measured(environment, refusal, twin, Judicious(1.0))
    assert (found.decision, found.passes, found.n) == ("too_easy", 6, 6)
    checked = asyncio.run(confirm(environment, refusal, Judicious(0.63), BAND, seed=0, twin=twin))
    assert checked.n == ConfirmationTest.for_band(BAND).size == len(checked.rollouts) / 2


@pytest.mark.parametrize("kept", [[0, 1, 2], [0, 3, 4, 7], "all"])
@pytest.mark.parametrize("concurrency", [1, 6])
def test_a_pair_cut_short_goes_on_to_the_same_decision(
    environment: Environment, refusal: Task, twin: Task, kept: Any, concurrency: int
) -> None:
    whole = measured(environment, refusal, twin, Judicious(0.7))
    so_far = whole.rollouts if kept == "all" else tuple(whole.rollouts[place] for place in kept)
    solver = Judicious(0.7)
    resumed = measured(environment, refusal, twin, solver, rollouts_so_far=so_far, concurrency=concurrency)
    timeless = {"rollouts": {"__all__": {"seconds", "trace"}}}
    assert resumed.model_dump(exclude=timeless) == whole.model_dump(exclude=timeless)
    assert len(solver.episodes) >= len(whole.rollouts) - len(so_far)


def test_an_error_in_either_half_is_one_sample_that_does_not_count(
    environment: Environment, refusal: Task, twin: Task
) -> None:
    whole = measured(environment, refusal, twin, Judicious(0.7))
    broken = whole.rollouts[1].model_copy(update={"verdict": Verdict(outcome="environment_error")})
    found = measured(environment, refusal, twin, Judicious(0.7), rollouts_so_far=[broken])
    assert found.environment_errors == 1
    assert len(found.rollouts) == 2 * (found.n + 1)


def test_a_child_pair_is_compared_as_one(environment: Environment, refusal: Task, twin: Task) -> None:
    parent = environment.tasks["count-fridays-guests"]
    found = asyncio.run(compare(environment, parent, refusal, Judicious(0.7), n=30, seed=0, child_twin=twin))
    assert found.parent_n == found.child_n == 30
    assert (len(found.parent_rollouts), len(found.child_rollouts)) == (30, 60)
    assert found.child_passes < found.parent_passes


def test_rollouts_of_another_task_are_refused(environment: Environment, refusal: Task, twin: Task) -> None:
    others = measured(environment, refusal, twin, Judicious(0.7)).rollouts
    with pytest.raises(InputError, match="another task version"):
        measured(environment, refusal, None, Judicious(0.7), rollouts_so_far=others)


def named(name: str, twin: str | None) -> Task:
    actor = {"roles": ["host"], "id": 1}
    return Task.model_validate(
        {"id": name, "instruction": name, "actor": actor, "goal": {"text": "done"}, "twin": twin}
    )


def test_a_twin_stands_beside_its_refusal_wherever_it_was() -> None:
    twin, refusal, other = named("a", None), named("b", "a"), named("c", "gone")
    assert units([twin, refusal, other]) == [Unit(refusal, twin), Unit(other)]


@given(st.permutations("abcd"), st.lists(st.sampled_from([None, *"abcde"]), min_size=4, max_size=4))
def test_no_task_is_left_out_whatever_names_what_as_its_twin(names: list[str], twins: list[str | None]) -> None:
    found = units(named(name, twin) for name, twin in zip(names, twins, strict=True))
    assert {task.id for unit in found for task in unit if task is not None} == set("abcd")
    assert all(unit.twin is None or unit.task.twin == unit.twin.id != unit.task.id for unit in found)
    assert {unit.task.id for unit in found}.isdisjoint(unit.twin.id for unit in found if unit.twin is not None)
