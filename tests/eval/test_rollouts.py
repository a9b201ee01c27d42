"""Rollouts: what a solver did, what went wrong and whose fault it was."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from envolve.environments import Environment, Episode, Limits, task_version
from envolve.environments.canonical import canonical_json
from envolve.environments.errors import InputError, ServiceError
from envolve.environments.gold import run_gold
from envolve.environments.models import Rollout, Task
from envolve.eval import InfraError, LimitReached, Solver, SolverError, SolverProfile, add_usage, roll_out

MOVE = "move-the-anniversary-dinner"


class Scripted:
    """A solver made of a function."""

    def __init__(self, act: Callable[[Episode], Awaitable[None]], **profile: Any) -> None:
        self.profile = SolverProfile(name="scripted", kind="custom", **profile)
        self._act = act

    async def solve(self, episode: Episode) -> None:
        await self._act(episode)


async def follow_gold(episode: Episode) -> None:
    assert episode.task is not None
    run_gold(episode.environment, episode.task, episode=episode)


async def nothing(episode: Episode) -> None:
    return


def rolled(environment: Environment, act: Callable[[Episode], Awaitable[None]], **options: Any) -> Rollout:
    task: Task = options.pop("task", None) or environment.tasks[MOVE]
    settings: dict[str, Any] = {"index": 0, "purpose": "free", "seed": 0} | options
    return asyncio.run(roll_out(environment, task, Scripted(act), **settings))


def test_gold_passes_and_the_rollout_says_what_it_was(environment: Environment) -> None:
    rollout = rolled(environment, follow_gold, index=4, purpose="measure")
    assert rollout.verdict.outcome == "completed"
    assert (rollout.task, rollout.index, rollout.purpose) == (MOVE, 4, "measure")
    assert rollout.version == task_version(environment, environment.tasks[MOVE])
    assert rollout.calls == 3
    assert [event.kind for event in rollout.trace.events] == ["call", "call", "call", "submit"]
    assert rollout.seconds > 0
    assert Rollout.model_validate_json(rollout.model_dump_json(by_alias=True)) == rollout


def test_stopping_without_submitting_is_done_without_answer(environment: Environment) -> None:
    rollout = rolled(environment, nothing)
    assert (rollout.verdict.outcome, rollout.verdict.reward) == ("incomplete", 0.0)


def test_seeds_depend_on_index_purpose_version_and_profile(environment: Environment) -> None:
    seeds = []

    async def note(episode: Episode) -> None:
        seeds.append(episode.seed)

    for options in (
        {},
        {"index": 1},
        {"purpose": "confirm"},
        {"seed": 1},
        {"task": environment.tasks["count-fridays-guests"]},
    ):
        rolled(environment, note, **options)
    assert len(set(seeds)) == 5
    rolled(environment, note)
    assert seeds[-1] == seeds[0]


def test_a_limit_of_the_solver_is_no_submission(environment: Environment) -> None:
    async def run_out(episode: Episode) -> None:
        episode.call("list_restaurant_bookings")
        raise LimitReached("turns")

    rollout = rolled(environment, run_out)
    assert (rollout.verdict.outcome, rollout.verdict.code) == ("protocol", "limit")
    assert rollout.trace.limit == "turns"


def test_giving_up_has_its_own_code(environment: Environment) -> None:
    async def give_up(episode: Episode) -> None:
        raise LimitReached("gave_up")

    assert rolled(environment, give_up).verdict.code == "gave_up"


def test_a_limit_after_submitting_does_not_matter(environment: Environment) -> None:
    async def late(episode: Episode) -> None:
        await follow_gold(episode)
        raise LimitReached("tokens")

    assert rolled(environment, late).verdict.outcome == "completed"


def test_the_episodes_own_limit_is_a_protocol_failure(environment: Environment) -> None:
    async def talk(episode: Episode) -> None:
        for _ in range(4):
            episode.call("list_restaurant_bookings")

    verdict = rolled(environment, talk, limits=Limits(calls=3)).verdict
    assert (verdict.outcome, verdict.reward) == ("protocol", 0.0)


def test_a_failed_provider_has_the_whole_rollout_run_again(environment: Environment) -> None:
    calls: list[int] = []

    async def flaky(episode: Episode) -> None:
        assert episode.calls == 0
        calls.append(episode.seed)
        if len(calls) < 3:
            episode.call("move_booking", booking_id=1811, party_size=1)
            raise InfraError("503")
        await follow_gold(episode)

    rollout = rolled(environment, flaky)
    assert rollout.verdict.outcome == "completed"
    assert len(calls) == 3
    assert len(set(calls)) == 1


def test_a_provider_that_stays_down_is_an_infra_error(environment: Environment) -> None:
    async def down(episode: Episode) -> None:
        raise InfraError("connection refused")

    verdict = rolled(environment, down).verdict
    assert (verdict.outcome, verdict.reward) == ("infra_error", None)
    assert "connection refused" in verdict.message


@pytest.mark.parametrize("limit", [False, True])
def test_a_world_that_breaks_is_no_fault_of_the_solver(environment: Environment, limit: bool) -> None:
    tools = environment.tools_file.model_copy(
        update={
            "tools": tuple(
                tool.model_copy(update={"steps": (*tool.steps[:-2], tool.steps[-2].model_copy(update={"rows": 2}))})
                if tool.name == "move_booking"
                else tool
                for tool in environment.tools_file.tools
            )
        }
    )
    broken = Environment.build(
        spec=environment.spec, schema_sql=environment.schema_sql, seed_sql=environment.seed_sql, tools=tools
    )

    async def act(episode: Episode) -> None:
        episode.call("move_booking", booking_id=1806, party_size=3)
        if limit:
            raise LimitReached("turns")

    verdict = rolled(broken, act, task=environment.tasks[MOVE]).verdict
    assert (verdict.outcome, verdict.reward) == ("environment_error", None)


def test_a_bug_in_the_worlds_code_is_told_from_a_bug_in_the_solver(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def buggy(episode: Episode) -> None:
        raise KeyError("no such key")

    with pytest.raises(SolverError, match="scripted") as caught:
        rolled(environment, buggy)
    assert isinstance(caught.value.__cause__, KeyError)

    async def misuses(episode: Episode) -> None:
        episode.call()  # type: ignore[call-arg]  # a solver may be wrong in this way

    with pytest.raises(SolverError):
        rolled(environment, misuses)

    async def calls(episode: Episode) -> None:
        episode.call("find_people", name="Ada")

    monkeypatch.setattr("envolve.environments.episode.clean_text", lambda text: 1 / 0)
    assert rolled(environment, calls).verdict.outcome == "environment_error"


def test_errors_meant_for_people_pass_through(environment: Environment) -> None:
    async def out_of_budget(episode: Episode) -> None:
        raise ServiceError("The budget is used up.")

    with pytest.raises(ServiceError, match="budget"):
        rolled(environment, out_of_budget)
    with pytest.raises(InputError):
        rolled(environment, nothing, task=environment.tasks[MOVE].model_copy(update={"setup": ("nonsense",)}))


def test_what_a_rollout_cost_is_added_up_over_its_attempts(environment: Environment) -> None:
    attempts = 0

    async def pays(episode: Episode) -> None:
        nonlocal attempts
        attempts += 1
        add_usage(tokens=100, cost_usd=0.25)
        await asyncio.create_task(spend())
        if attempts == 1:
            raise InfraError("timeout")

    async def spend() -> None:
        add_usage(tokens=1)

    rollout = rolled(environment, pays)
    assert (rollout.tokens, rollout.cost_usd) == (202, 0.5)
    add_usage(tokens=5)


def test_a_solver_is_what_has_a_profile_and_solves() -> None:
    assert isinstance(Scripted(nothing), Solver)
    one, other = (SolverProfile(name="m", kind="model", settings={"temperature": t}) for t in (0.5, 1.0))
    assert one.hash != other.hash


def test_rollouts_are_the_same_each_time(environment: Environment) -> None:
    def content() -> str:
        return canonical_json(rolled(environment, follow_gold).model_dump(mode="json", exclude={"seconds", "trace"}))

    assert content() == content()
