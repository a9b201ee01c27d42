"""What is planned follows from what is committed, and from nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.base import Scenario
from envolve.environments.canonical import sha256
from envolve.environments.models import Fate
from envolve.graph.config import RunConfig
from envolve.graph.planning import (
    FRUITLESS_WRITES,
    MAX_GENERATION,
    PLACEBO,
    Operators,
    RunView,
    TaskView,
    plan_round,
)
from envolve.graph.view import Standing
from envolve.memory.records import PlannedItem

from .open_run import Run

OPERATORS = Operators(harden=("deepen", "widen", "conceal"), soften=("shorten", "reveal"))
SCENARIOS = tuple(Scenario(id=f"s{n}", name=f"S {n}", category="c", text=f"scenario {n}") for n in range(6))
FATES: st.SearchStrategy[Fate | None] = st.sampled_from(
    ["too_easy", "too_hard", "undecided", "unconfirmed", "confirmed", "broken", None]
)


@st.composite
def tasks(draw: st.DrawFn) -> TaskView:
    fate = draw(FATES)
    number = draw(st.integers(0, 10_000))
    return TaskView(
        version=sha256(number),
        id=f"t{number}",
        environment=draw(st.sampled_from(["e0", "e1"])),
        fate=fate,
        rate=None if fate in {None, "broken"} else draw(st.floats(0.02, 0.98)),
        generation=draw(st.integers(0, MAX_GENERATION + 1)),
        operators=frozenset(draw(st.sets(st.sampled_from([*OPERATORS.harden, *OPERATORS.soften, PLACEBO])))),
    )


@st.composite
def views(draw: st.DrawFn) -> RunView:
    found = draw(st.lists(tasks(), max_size=20, unique_by=lambda task: task.version))
    return RunView(
        scenarios=SCENARIOS,
        tried=frozenset(draw(st.sets(st.sampled_from([scenario.id for scenario in SCENARIOS])))),
        environments=draw(st.sampled_from([(), ("e0",), ("e0", "e1")])),
        tasks=tuple(found),
        rated=frozenset(),
        scouted_dry=draw(st.booleans()),
    )


CONFIG = RunConfig(scenarios=SCENARIOS, environments=2, tasks=3, solvers=("null",))


@settings(derandomize=True, database=None, max_examples=200)
@given(views(), st.integers(1, 50))
def test_a_plan_is_a_function_of_the_view(view: RunView, number: int) -> None:
    plan = plan_round(CONFIG, view, number, OPERATORS)
    assert plan == plan_round(CONFIG, view, number, OPERATORS)
    keys = [item.key for item in plan.items]
    assert len(keys) == len(set(keys))
    assert bool(plan.items) != bool(plan.reason)


@settings(derandomize=True, database=None, max_examples=200)
@given(views(), st.integers(1, 50))
def test_tasks_are_evolved_towards_the_band_and_never_twice_by_one_operator(view: RunView, number: int) -> None:
    by_version = {task.version: task for task in view.tasks}
    for item in plan_round(CONFIG, view, number, OPERATORS).items:
        if item.kind != "evolve":
            continue
        task = by_version[str(item.task)]
        assert task.rate is not None
        assert item.direction == ("harden" if task.rate > 0.4 else "soften")
        assert item.operator not in task.operators
        assert item.operator == PLACEBO or item.operator in OPERATORS.of(item.direction)
        assert task.generation < MAX_GENERATION


@settings(derandomize=True, database=None, max_examples=200)
@given(views())
def test_tried_scenarios_are_not_built_again(view: RunView) -> None:
    plan = plan_round(CONFIG, view, 1, OPERATORS)
    built = [item.scenario.id for item in plan.items if item.kind == "build" and item.scenario]
    assert not set(built) & view.tried
    assert len(built) <= max(0, CONFIG.environments - len(view.environments))


def test_the_end_is_told_apart() -> None:
    confirmed = tuple(TaskView(sha256(n), f"t{n}", f"e{n % 2}", "confirmed", 0.4, 0, frozenset()) for n in range(6))
    rated = frozenset((task.version, "null") for task in confirmed)
    done = RunView(SCENARIOS, frozenset(), ("e0", "e1"), confirmed, rated, False)
    assert plan_round(CONFIG, done, 9, OPERATORS).reason == "target reached"
    used_up = RunView(SCENARIOS, frozenset(s.id for s in SCENARIOS), (), (), frozenset(), True)
    assert plan_round(CONFIG, used_up, 9, OPERATORS).reason == "nothing left to try"


def test_every_arm_is_used_alike() -> None:
    easy = tuple(TaskView(sha256(n), f"t{n}", "e0", "too_easy", 0.9, 0, frozenset()) for n in range(40))
    view = RunView(SCENARIOS, frozenset(s.id for s in SCENARIOS), ("e0", "e1"), easy, frozenset(), True)
    counts = dict.fromkeys(OPERATORS.harden, 0)
    placebos = total = 0
    for number in range(1, 300):
        for item in plan_round(CONFIG, view, number, OPERATORS).items:
            if item.kind == "evolve":
                total += 1
                placebos += item.operator == PLACEBO
                if item.operator in counts:
                    counts[item.operator] += 1
    assert 0.07 < placebos / total < 0.13
    assert max(counts.values()) < 1.2 * min(counts.values())


def test_the_placebo_too_is_applied_only_once_to_a_task() -> None:
    easy = tuple(TaskView(sha256(n), f"t{n}", "e0", "too_easy", 0.9, 1, frozenset({PLACEBO})) for n in range(40))
    view = RunView(SCENARIOS, frozenset(s.id for s in SCENARIOS), ("e0", "e1"), easy, frozenset(), True)
    planned = [item for number in range(1, 100) for item in plan_round(CONFIG, view, number, OPERATORS).items]
    assert PLACEBO not in {item.operator for item in planned}


def test_an_environment_is_written_for_until_it_was_fruitless_often_enough(run: Run) -> None:
    config = RunConfig(environments=1, tasks=50, solvers=())
    standing = Standing(run.store, config, "profile")
    for number in range(50, 50 + FRUITLESS_WRITES):
        view = standing.after(number - 1)
        assert view.written_dry == frozenset()
        run.commit(run.plan(number, "write", run.environment.id, count=4))
    view = standing.after(49 + FRUITLESS_WRITES)
    assert view.written_dry == {run.environment.id}
    assert view == Standing(run.store, config, "profile").after(49 + FRUITLESS_WRITES), "kept up, or read anew"


def test_what_is_fruitless_here_does_not_end_what_may_give_something_elsewhere() -> None:
    easy = TaskView(sha256(1), "t1", "e1", "too_easy", 0.9, 0, frozenset())
    view = RunView(SCENARIOS, frozenset(s.id for s in SCENARIOS), ("e0", "e1"), (easy,), frozenset(), True)
    dry = view._replace(written_dry=frozenset({"e0"}))
    assert {(item.kind, item.environment) for item in plan_round(CONFIG, view, 3, OPERATORS).items} == {
        ("write", "e0"),
        ("write", "e1"),
        ("evolve", "e1"),
    }
    assert {item.environment for item in plan_round(CONFIG, dry, 3, OPERATORS).items} == {"e1"}
    used_up = dry._replace(tasks=(), written_dry=frozenset({"e0", "e1"}))
    assert plan_round(CONFIG, used_up, 3, OPERATORS).reason == "nothing left to try"


def test_what_was_evolved_and_measured_is_taken_in_round_by_round(run: Run) -> None:
    config = RunConfig(environments=1, tasks=50, solvers=("null",))
    profile = run.store.tasks.measurements()[0].profile
    kept_up = Standing(run.store, config, profile)
    kept_up.after(49)
    task = run.store.tasks.all()[0]
    evolve = run.plan(50, "evolve", "one", task=task.version, operator="shorten", direction="soften")
    run.commit(evolve)
    view = kept_up.after(50)
    assert view == Standing(run.store, config, profile).after(50)
    assert "shorten" in next(found for found in view.tasks if found.version == task.version).operators
    run.store.work.plan_round(
        51, {}, [PlannedItem(key="r0051/measure/x", kind="measure", inputs={"task": task.version})]
    )
    run.store.work.give_up("r0051/measure/x", "set_aside", "its worker died twice")
    view = kept_up.after(51)
    assert view == Standing(run.store, config, profile).after(51)
    assert next(found for found in view.tasks if found.version == task.version).fate == "unmeasured"


def test_scenarios_have_ids_of_their_own() -> None:
    with pytest.raises(ValueError, match="several are called 's1'"):
        RunConfig(scenarios=(*SCENARIOS, SCENARIOS[1]))
