"""Stored rollouts are graded again from their traces, and traces become programs that run again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.solvers import solver_named
from envolve.environments import Environment, Episode, Limits, run_gold, task_version
from envolve.environments.canonical import seed_from
from envolve.environments.models import CallResult, CallStep, Rollout, Task, TraceEvent
from envolve.eval import LimitReached, SolverProfile, roll_out
from envolve.eval.audit import audit
from envolve.eval.regrading import Divergence, Regraded, regrade, replay, shown_alike
from envolve.eval.traces import program_of, ways_unlike_gold

BOOK, MOVE, COUNT = "book-the-terrace-for-four", "move-the-anniversary-dinner", "count-fridays-guests"
TABLE = {"table_id": 558, "starts_at": "2026-03-07 19:30:00", "party_size": 4, "note": "window side, no music"}
Act = Callable[[Episode], Any]


class Doing:
    """A solver made of a function."""

    profile = SolverProfile(name="doing", kind="custom")

    def __init__(self, act: Act) -> None:
        self._act = act

    async def solve(self, episode: Episode) -> None:
        self._act(episode)


def rolled(environment: Environment, task: Task, solver: Any, index: int = 0) -> tuple[Rollout, int]:
    """A rollout and its episode's seed."""
    rollout = asyncio.run(roll_out(environment, task, solver, index=index, purpose="measure", seed=3))
    seed = seed_from(3, task_version(environment, task), solver.profile.hash, "measure", index)
    return rollout, seed


def again(environment: Environment, task: Task, act: Act, new: Task | None = None) -> Regraded:
    rollout, seed = rolled(environment, task, Doing(act))
    stored = Rollout.model_validate_json(rollout.model_dump_json(by_alias=True))
    return regrade(environment, task, new or task, stored, seed=seed)


def gold(episode: Episode) -> None:
    assert episode.task is not None
    run_gold(episode.environment, episode.task, episode=episode)


def book_by_another_way(episode: Episode) -> None:
    """Off the waitlist first; a booking of the wrong size is refused, one on the wrong table is moved by its id."""
    assert not episode.call("book_table", **TABLE | {"party_size": 20}).ok
    episode.call("leave_waitlist", restaurant_id=43)
    made = episode.call("book_table", **TABLE | {"party_size": 2}).value
    assert episode.call("move_booking", booking_id=made["id"], table_id=558, party_size=4).ok
    episode.submit()


def odd(episode: Episode) -> None:
    episode.unreadable("book_table", "{'table': 5")
    episode.call("find_people", name="half of a pair \ud800")
    episode.call("no_such_tool", x=float("nan"))
    gold(episode)
    episode.call("get_my_profile")


def endless(episode: Episode) -> None:
    for _ in range(Limits().calls + 2):
        episode.call("get_my_profile")


def out_of_turns(episode: Episode) -> None:
    episode.call("get_my_profile")
    raise LimitReached("turns")


@pytest.mark.parametrize("act", [gold, book_by_another_way, odd, endless, out_of_turns, lambda episode: None])
def test_the_same_verifier_gives_the_same_verdict(environment: Environment, act: Act) -> None:
    found = again(environment, environment.tasks[BOOK], act)
    assert found.divergence is None
    assert not found.changed


@settings(max_examples=12)
@given(st.sampled_from((BOOK, MOVE, COUNT)), st.sampled_from((-1, 0, 2)), st.integers(0, 10_000))
def test_whatever_a_solver_did_is_done_again(environment: Environment, task: str, ability: int, index: int) -> None:
    rollout, seed = rolled(environment, environment.tasks[task], solver_named(f"slip:{ability}"), index)
    found = regrade(environment, environment.tasks[task], environment.tasks[task], rollout, seed=seed)
    assert found.after == rollout.verdict


@pytest.mark.parametrize("kind", ["error", "conflict", "stale"])
def test_injected_faults_come_again(environment: Environment, kind: str) -> None:
    faults = ({"tool": "book_table", "call": 1, "kind": kind}, {"tool": "list_tables", "call": 1, "kind": "stale"})
    task = environment.tasks[BOOK].model_copy(update={"faults": faults})
    found = again(environment, task, gold)
    assert found.divergence is None
    assert found.rollout.verdict.passed
    assert not found.changed
    without = replay(
        environment, environment.tasks[BOOK], found.rollout, seed=rolled(environment, task, Doing(gold))[1]
    )
    assert isinstance(without, Divergence) is (kind != "stale")


def test_a_world_that_answers_otherwise_is_told_and_not_judged(environment: Environment) -> None:
    """Confirmation codes are of the episode's seed."""
    task = environment.tasks[BOOK]
    rollout, seed = rolled(environment, task, Doing(gold))
    found = regrade(environment, task, task, rollout, seed=seed + 1)
    assert found.after is None
    assert not found.flipped
    assert found.divergence is not None
    assert rollout.trace.events[found.divergence.event].tool == "book_table"
    assert "book_table answered" in found.divergence.message


def test_a_verifier_that_changed_flips_verdicts_and_says_by_which_check(
    environment: Environment, spoiled: Callable[..., Task]
) -> None:
    wrong_note = {**TABLE, "note": "by the window"}

    def act(episode: Episode) -> None:
        episode.call("book_table", **wrong_note)
        episode.call("leave_waitlist", restaurant_id=43)

    lenient = spoiled(BOOK, lambda raw: raw["verifier"]["require"].pop(3))
    found = again(environment, environment.tasks[BOOK], act, lenient)
    assert found.flipped
    assert (found.rollout.verdict.outcome, found.after and found.after.outcome) == ("incomplete", "completed")
    assert found.differing == ("with the note: fails → no check",)
    strict = spoiled(BOOK, lambda raw: raw["verifier"].update(allow=raw["verifier"]["allow"][:1]))
    back = again(environment, environment.tasks[BOOK], gold, strict)
    assert back.flipped
    assert "not allowed now" in back.differing[0]


def test_a_verifier_that_broke_is_judged_again_and_a_world_that_failed_is_not(
    environment: Environment, spoiled: Callable[..., Task]
) -> None:
    def spoil(raw: dict[str, Any]) -> None:
        raw["verifier"]["require"][0]["sql"] = "SELECT no_such_column FROM after.bookings"

    broken = spoiled(BOOK, spoil)
    mended = again(environment, broken, gold, environment.tasks[BOOK])
    assert mended.rollout.verdict.outcome == "environment_error"
    assert mended.flipped
    assert mended.after is not None
    assert mended.after.passed
    failed = mended.rollout.model_copy(
        update={"verdict": mended.rollout.verdict.model_copy(update={"message": "get_my_profile: out of time"})}
    )
    kept = regrade(environment, broken, environment.tasks[BOOK], failed, seed=0)
    assert kept.after == failed.verdict


def test_rollouts_of_another_request_are_not_of_this_task(
    environment: Environment, spoiled: Callable[..., Task]
) -> None:
    task = environment.tasks[BOOK]
    assert shown_alike(task, spoiled(BOOK, lambda raw: raw["verifier"].update(require=[])))
    assert not shown_alike(task, spoiled(BOOK, lambda raw: raw.update(instruction="Book something.")))
    assert not shown_alike(
        task, spoiled(BOOK, lambda raw: raw["verifier"].update(answer={"kind": "number", "value": 4}))
    )


def test_a_trace_becomes_a_program_that_runs_in_another_world(environment: Environment) -> None:
    task = environment.tasks[BOOK]
    rollout, _ = rolled(environment, task, Doing(book_by_another_way))
    program = program_of(environment, rollout.trace)
    assert program is not None
    calls = [step for step in program if isinstance(step, CallStep)]
    assert [step.call for step in calls] == ["leave_waitlist", "book_table", "move_booking"], (
        "the refused call is gone"
    )
    assert calls[2].args == {"booking_id": "$r1.id", "table_id": 558, "party_size": 4}
    variant = task.model_copy(update={"gold": program})
    with environment.open(variant, seed=99) as episode:
        run = run_gold(environment, variant, episode=episode)
        assert run.ok
        assert episode.verify().passed


def test_a_new_row_is_named_by_what_told_of_it_and_by_nothing_that_came_before(environment: Environment) -> None:
    """A look-up before it may hold the same number by chance, and not every field can be named."""
    rollout, _ = rolled(environment, environment.tasks[BOOK], Doing(book_by_another_way))
    events = rollout.trace.events
    made = next(event for event in events if event.tool == "book_table" and event.result and event.result.ok)
    assert made.result is not None
    number = made.result.value["id"]
    before, after = (
        CallResult(ok=True, value=value) for value in ({"seen": number}, {"count(*)": number, "booking": number})
    )
    earlier = TraceEvent(kind="call", tool="get_my_profile", args={}, result=before)
    later = [made.model_copy(update={"result": after}) if event is made else event for event in events]
    program = program_of(environment, rollout.trace.model_copy(update={"events": (earlier, *later)}))
    moved = [step for step in program or () if isinstance(step, CallStep) and step.call == "move_booking"]
    assert [step.args["booking_id"] for step in moved] == ["$r2.booking"]


def test_texts_that_look_like_references_stay_texts(environment: Environment) -> None:
    task = environment.tasks[BOOK]
    rollout, _ = rolled(
        environment, task, Doing(lambda episode: episode.call("book_table", **TABLE | {"note": "$5"}))
    )
    program = program_of(environment, rollout.trace)
    assert program is not None
    run = run_gold(environment, task.model_copy(update={"gold": program}))
    assert run.steps[0].args["note"] == "$5"


def test_who_ran_into_a_limit_handed_in_nothing(environment: Environment) -> None:
    rollout, _ = rolled(environment, environment.tasks[BOOK], Doing(endless))
    assert program_of(environment, rollout.trace) is None


def test_ways_unlike_golds_are_found_once_each(environment: Environment) -> None:
    task = environment.tasks[BOOK]
    acts = [gold, book_by_another_way, book_by_another_way, lambda episode: None]
    rollouts = [rolled(environment, task, Doing(act), index)[0] for index, act in enumerate(acts)]
    (way,) = ways_unlike_gold(environment, task, rollouts)
    assert (way.passed, way.rollouts, way.same_end, way.solvers) == (2, 2, True, ("doing",))
    before = audit(environment, task)
    report = audit(environment, task, alternatives=[way.program])
    assert report.grade == "sound"
    assert report.alternatives.total == before.alternatives.total + 1


def test_an_end_that_passes_and_is_not_golds_disputes_the_task(
    environment: Environment, spoiled: Callable[..., Task]
) -> None:
    """The verifier does not look at the note: a mutant may miss it, a solver's rollout shows it."""

    def act(episode: Episode) -> None:
        episode.call("book_table", **{**TABLE, "note": "by the window"})
        episode.call("leave_waitlist", restaurant_id=43)

    lenient = spoiled(BOOK, lambda raw: raw["verifier"]["require"].pop(3))
    rollout, _ = rolled(environment, lenient, Doing(act))
    (way,) = ways_unlike_gold(environment, lenient, [rollout])
    assert not way.same_end
    assert audit(environment, lenient, alternatives=[way.program]).grade == "disputed"
    assert (
        ways_unlike_gold(
            environment, environment.tasks[BOOK], [rolled(environment, environment.tasks[BOOK], Doing(act))[0]]
        )
        == ()
    )


def test_a_strict_verifier_is_shown_by_a_rejected_way(environment: Environment, spoiled: Callable[..., Task]) -> None:
    def spoil(raw: dict[str, Any]) -> None:
        sql = "SELECT count(*) = 1 FROM after.booking_events e WHERE e.booking_id = :booking"
        raw["verifier"]["require"].append({"name": "booked at once", "sql": sql})

    strict = spoiled(BOOK, spoil)
    rollout, _ = rolled(environment, strict, Doing(book_by_another_way))
    assert not rollout.verdict.passed
    (way,) = ways_unlike_gold(environment, strict, [rollout])
    assert (way.passed, way.same_end) == (0, True)
