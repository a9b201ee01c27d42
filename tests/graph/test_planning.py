"""What is planned follows from what is committed, and from nothing else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.base import Scenario
from envolve.environments.canonical import sha256
from envolve.environments.models import Fate
from envolve.graph.config import RunConfig
from envolve.graph.planning import MAX_GENERATION, PLACEBO, Operators, RunView, TaskView, plan_round

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
