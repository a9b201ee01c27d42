"""Near-copies are duplicates in one view or the other, distinct things are not, and thresholds lie between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.memory import Librarian, Novelty, NoveltyVerdict, RunStore, ScenarioNovelty
from envolve.memory.embedders import Embedder
from envolve.memory.records import EnvironmentRecord, TaskRecord

MODULE = ("list_waitlist", "join_waitlist", "leave_waitlist")
REWORDED = "Guests look for places to eat and reserve there; the staff runs the floor."
COLUMN = ("  email TEXT NOT NULL UNIQUE,", "  email TEXT NOT NULL UNIQUE, phone TEXT,")
TABLE = (
    "CREATE TABLE waitlist",
    "CREATE TABLE reviews (id INTEGER NOT NULL PRIMARY KEY, booking_id INTEGER NOT NULL "
    "REFERENCES bookings (id), stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5)) STRICT;\nCREATE TABLE waitlist",
)
COPIES: dict[str, tuple[Callable[[Any], Environment], float, float]] = {
    # how it is altered: least similarity of text, least similarity of structure
    "identical": (lambda altered: altered.copy(), 1.0, 1.0),
    "reordered": (lambda altered: altered.reordered(1), 1.0, 1.0),
    "summary reworded": (
        lambda altered: altered.copy(
            environment=("Diners find tables and book them; hosts run the floor of their restaurant.", REWORDED)
        ),
        0.9,
        1.0,
    ),
    "names changed": (lambda altered: altered.renamed(), 1.0, 1.0),
    "told as a hairdresser's": (lambda altered: altered.retold(), 0.5, 1.0),
    "a column added": (lambda altered: altered.copy(schema=COLUMN), 1.0, 0.8),
    "a table added": (lambda altered: altered.copy(schema=TABLE), 1.0, 0.8),
    "a tool dropped": (lambda altered: altered.without_tools("list_waitlist"), 1.0, 0.9),
    "a module of tools dropped": (lambda altered: altered.without_tools(*MODULE).without_tasks(), 1.0, 0.8),
}


@pytest.fixture
def librarian(store: RunStore, embedder: Embedder) -> Librarian:
    return Librarian(store, embedder)


def environment_record(librarian: Librarian, environment: Environment, **changes: Any) -> EnvironmentRecord:
    remembered = librarian.remember_environment(environment)
    given: dict[str, Any] = {
        "id": environment.id,
        "hash": environment.hash,
        "scenario": {"name": environment.spec.scenario},
        "category": environment.spec.category,
        "fate": "admitted",
        "tables": len(environment.tables()),
        "tools": len(environment.tools),
        "rows": 1,
        "text": remembered.text,
        "vector": remembered.vector,
        "signature": remembered.signature,
    }
    return EnvironmentRecord(**given | changes)


def task_record(librarian: Librarian, environment: Environment, task: Task, **changes: Any) -> TaskRecord:
    remembered = librarian.remember_task(environment, task)
    given: dict[str, Any] = {
        "version": f"v-{task.id}",
        "root": f"v-{task.id}",
        "id": task.id,
        "environment": environment.id,
        "task": task,
        "text": remembered.text,
        "vector": remembered.vector,
        "signature": remembered.signature,
    }
    return TaskRecord(**given | changes)


def keep(store: RunStore, make: Any, key: str, number: int, *records: EnvironmentRecord | TaskRecord) -> None:
    make.plan(store, key, number=number)
    with store.commit(key) as tx:
        for record in records:
            if isinstance(record, EnvironmentRecord):
                tx.add_environment(record)
            else:
                tx.add_task(record)


def check(novelty: Novelty, librarian: Librarian, environment: Environment, **options: Any) -> NoveltyVerdict:
    return novelty.check_environment(librarian.remember_environment(environment).candidate, **options)


@pytest.mark.parametrize("how", COPIES)
def test_an_altered_copy_is_a_duplicate(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any, how: str
) -> None:
    keep(store, make, "k", 0, environment_record(librarian, sample))
    alter, text, structure = COPIES[how]
    verdict = check(librarian.novelty(), librarian, alter(altered))
    assert verdict.duplicate
    assert verdict.of == sample.id
    assert "reaches" in verdict.reason
    assert 1 - verdict.distances["text"] >= text - 1e-4
    assert 1 - verdict.distances["structure"] >= structure - 1e-6
    assert {neighbour.view for neighbour in verdict.neighbours} == {"text", "structure"}
    assert all("Restaurant table booking" in neighbour.summary for neighbour in verdict.neighbours)


def test_with_the_same_tables_and_a_part_of_the_tools_nothing_is_new(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any
) -> None:
    keep(store, make, "k", 0, environment_record(librarian, sample))
    reads = [tool.name for tool in sample.tools_file.tools if tool.kind == "read"]
    part = altered.without_tools(*reads, *MODULE).without_tasks()
    verdict = check(librarian.novelty(), librarian, part)
    assert verdict.duplicate
    assert "structure" in verdict.reason


def test_half_of_the_tools_on_other_tables_are_new(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any
) -> None:
    keep(store, make, "k", 0, environment_record(librarian, sample))
    reads = [tool.name for tool in sample.tools_file.tools if tool.kind == "read"]
    half = altered.with_other_tables(altered.without_tools(*reads, *MODULE).without_tasks())
    spec = half.spec.model_copy(
        update={"scenario": "Chess tournaments", "summary": "Pairings and results.", "requirements": ()}
    )
    other = Environment.build(spec=spec, schema_sql=half.schema_sql, seed_sql=half.seed_sql, tools=half.tools_file)
    verdict = check(librarian.novelty(), librarian, other)
    assert not verdict.duplicate
    assert (verdict.of, verdict.reason) == (None, "")
    assert 0.4 < verdict.distances["structure"] < 0.9


def test_what_counts_as_known(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any
) -> None:
    copy = altered.copy()
    empty = check(librarian.novelty(), librarian, copy)
    assert (empty.duplicate, empty.neighbours, empty.distances) == (False, (), {"text": 1.0, "structure": 1.0})
    keep(store, make, "k", 0, environment_record(librarian, sample, fate="broken"))
    assert not check(librarian.novelty(), librarian, copy).duplicate


def test_the_later_of_two_alike_in_one_round_is_found_at_its_commit(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any
) -> None:
    retold = altered.retold()
    novelty = librarian.novelty()
    for environment in (sample, retold):
        assert not check(novelty, librarian, environment, before_round=1).duplicate
    keep(store, make, "a", 1, environment_record(librarian, sample, created_round=1))
    novelty.refresh()
    late = check(novelty, librarian, retold)
    assert (late.duplicate, late.of) == (True, sample.id)
    assert not check(novelty, librarian, retold, before_round=1).duplicate, "a round sees only earlier rounds"
    assert check(novelty, librarian, retold, before_round=2).duplicate
    assert check(librarian.novelty(), librarian, retold, before_round=1) == check(
        novelty, librarian, retold, before_round=1
    )
    assert not check(novelty, librarian, retold, exempt={sample.id}).duplicate


def test_of_several_environments_of_one_scenario_only_the_structure_counts(
    store: RunStore, librarian: Librarian, sample: Environment, altered: Any, make: Any
) -> None:
    keep(store, make, "k", 0, environment_record(librarian, sample))
    reads = [tool.name for tool in sample.tools_file.tools if tool.kind == "read"]
    other = altered.with_other_tables(altered.without_tools(*reads, *MODULE).without_tasks())
    novelty = librarian.novelty()
    assert "text" in check(novelty, librarian, other).reason
    assert not check(novelty, librarian, other, told_alike={sample.id}).duplicate
    assert check(novelty, librarian, altered.retold(), told_alike={sample.id}).duplicate


def test_held_out_items_show_id_and_distance_only(
    store: RunStore, librarian: Librarian, sample: Environment, make: Any
) -> None:
    keep(store, make, "k", 0, environment_record(librarian, sample, split="held_out"))
    verdict = check(librarian.novelty(), librarian, sample)
    assert verdict.duplicate
    assert [(neighbour.id, neighbour.summary) for neighbour in verdict.neighbours] == [(sample.id, "")] * 2


@pytest.fixture
def with_tasks(store: RunStore, librarian: Librarian, sample: Environment, make: Any) -> Novelty:
    tasks = [task_record(librarian, sample, task) for task in sample.tasks.values()]
    keep(store, make, "k", 0, environment_record(librarian, sample), *tasks)
    return librarian.novelty()


def test_a_reworded_task_is_a_duplicate(with_tasks: Novelty, librarian: Librarian, sample: Environment) -> None:
    base = sample.tasks["move-the-anniversary-dinner"]
    said = (
        "The Friday anniversary dinner of Ada Lindqvist is for six people now. Please put it at our smallest free"
        " table that is large enough, and do not lose her special request."
    )
    verdict = with_tasks.check_task(
        librarian.remember_task(sample, base.model_copy(update={"instruction": said})).candidate
    )
    assert (verdict.duplicate, verdict.of) == (True, "v-move-the-anniversary-dinner")
    assert verdict.distances["text"] < 0.25
    assert (verdict.distances["structure"], verdict.distances["targets"]) == (0.0, 0.0)


def test_other_tasks_are_new(with_tasks: Novelty, librarian: Librarian, sample: Environment) -> None:
    base = sample.tasks["move-the-anniversary-dinner"]
    verifier = base.verifier.model_dump(by_alias=True)
    for check_ in verifier["require"]:
        check_["sql"] = check_["sql"].replace("1806", "1810").replace("529", "533")
    verifier["allow"][0]["key"] = {"id": 1810}
    gold = [step.model_dump(by_alias=True) for step in base.gold]
    gold[0]["args"] = {"on_date": "2026-03-07", "guest_name": "Okafor"}
    changed = base.model_dump(by_alias=True) | {"verifier": verifier, "gold": gold}
    other_row = Task.model_validate(
        changed | {"instruction": base.instruction.replace("Ada Lindqvist", "Ben Okafor")}
    )
    distracted = base.model_copy(update={"setup": ("INSERT INTO people VALUES (1)", "INSERT INTO people VALUES (2)")})
    deeper = base.model_copy(update={"gold": (*base.gold[:5], *sample.tasks["book-the-terrace-for-four"].gold[5:])})
    for task in (other_row, distracted, deeper):
        assert not with_tasks.check_task(librarian.remember_task(sample, task).candidate).duplicate
    same = librarian.remember_task(sample, base).candidate
    assert with_tasks.check_task(same).duplicate
    assert not with_tasks.check_task(same, exempt={"v-move-the-anniversary-dinner"}).duplicate


def test_a_fate_that_changes_later_counts_alike_in_every_process(
    store: RunStore, librarian: Librarian, sample: Environment, make: Any
) -> None:
    task = sample.tasks["move-the-anniversary-dinner"]
    record = task_record(librarian, sample, task, created_round=1)
    keep(store, make, "a", 1, environment_record(librarian, sample, created_round=1), record)
    went_on = librarian.novelty()
    make.plan(store, "b", number=2)
    with store.commit("b") as tx:
        tx.set_task(record.version, stage="audited", fate="broken", reason="other mutants pass")
    went_on.refresh()
    same = librarian.remember_task(sample, task).candidate
    for novelty in (went_on, librarian.novelty()):
        assert novelty.check_task(same, before_round=2).duplicate, "round 2 began before it was found broken"
        assert not novelty.check_task(same, before_round=3).duplicate
        assert not novelty.check_task(same).duplicate


def test_an_environment_that_is_set_aside_later_counts_alike_in_every_process(
    store: RunStore, librarian: Librarian, sample: Environment, make: Any
) -> None:
    keep(store, make, "a", 1, environment_record(librarian, sample, created_round=1))
    went_on = librarian.novelty()
    make.plan(store, "b", number=2)
    with store.commit("b") as tx:
        tx.set_environment(sample.id, fate="broken")
    went_on.refresh()
    for novelty in (went_on, librarian.novelty()):
        assert check(novelty, librarian, sample, before_round=2).duplicate
        assert not check(novelty, librarian, sample).duplicate


def test_tasks_that_are_committed_together_are_held_against_each_other(
    store: RunStore, librarian: Librarian, sample: Environment
) -> None:
    first, other = (sample.tasks[name] for name in ("move-the-anniversary-dinner", "book-the-terrace-for-four"))
    beside = {"v1": librarian.remember_task(sample, first).candidate}
    novelty = librarian.novelty()
    again = novelty.check_task(librarian.remember_task(sample, first).candidate, beside=beside)
    assert (again.duplicate, again.of) == (True, "v1")
    assert not novelty.check_task(librarian.remember_task(sample, other).candidate, beside=beside).duplicate


def test_scenarios_are_compared_by_text(embedder: Embedder) -> None:
    scenarios = ScenarioNovelty(embedder)
    assert scenarios.nearest("anything") is None
    hotel = (
        "Front-desk clerks at a forty-room hotel assign rooms, post minibar and laundry charges to folios, split"
        " bills and tell housekeepers which rooms to turn. Only the duty manager may waive a late-cancellation fee."
    )
    again = (
        "At a hotel with forty rooms the reception gives out rooms, charges minibar and laundry to the folios of"
        " guests, divides bills and tells housekeeping what to clean. Late cancellation fees are waived by the duty"
        " manager alone."
    )
    board = "Software teams move cards over the columns of a board, assign them, comment and set due dates."
    assert scenarios.admit("hotel", hotel) is None
    assert scenarios.admit("board", board) is None
    repeated = scenarios.admit("again", again)
    assert repeated is not None
    assert (repeated.id, repeated.view) == ("hotel", "text")
    assert repeated.distance < 0.35
    assert scenarios.admit("club", "Members of a chess club play rated games and tournaments.") is None
