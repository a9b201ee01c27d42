"""The shape of a gold program: who feeds whom, and the numbers that describe a task."""

from pathlib import Path
from typing import Any

import networkx
import pytest

from envolve.environments import Environment
from envolve.environments.dataflow import gold_graph, structure_features
from envolve.environments.gold import run_gold
from envolve.environments.models import Task

DATA = Path(__file__).parent.parent / "data"
HOST = {"roles": ["host"], "id": 305}


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(DATA / "table-booking")


def features(environment: Environment, task: Task) -> dict[str, float]:
    return structure_features(environment, task, run_gold(environment, task))


def task(*steps: dict[str, Any], **more: Any) -> Task:
    gold = [*steps, {"submit": {}}]
    return Task.model_validate(
        {"id": "t", "instruction": "Do it.", "actor": HOST, "goal": {"text": "done"}, "gold": gold, **more}
    )


def test_edges_say_whose_result_goes_into_what(environment: Environment) -> None:
    move = environment.tasks["move-the-anniversary-dinner"]
    graph = gold_graph(environment, move, run_gold(environment, move))
    assert set(graph.edges) == {(0, 1), (1, 2), (2, 3), (1, 4), (3, 4)}
    assert graph.nodes[1] == {"kind": "pick", "name": "booking", "writes": False, "turns": 1}
    assert graph.nodes[4] == {"kind": "call", "name": "move_booking", "writes": True, "turns": 1}
    assert networkx.is_directed_acyclic_graph(graph)


def test_repetitions_and_steps_that_were_not_reached_show_in_turns(environment: Environment) -> None:
    looping = task(
        {"call": "list_restaurant_bookings", "args": {"on_date": "2026-03-06"}, "as": "found"},
        {"pick": "all", "sql": "SELECT id FROM $found", "many": True},
        {"each": "$all", "call": "get_booking", "args": {"booking_id": "$it"}},
        {"call": "get_booking", "args": {"booking_id": 1}},
        {"call": "get_my_profile", "as": "found"},
        {"pick": "later", "sql": "SELECT id FROM $found"},
    )
    graph = gold_graph(environment, looping, run_gold(environment, looping))
    assert [data["turns"] for _, data in graph.nodes.items()] == [1, 1, 5, 1, 0, 0]
    assert set(graph.edges) == {(0, 1), (1, 2), (4, 5)}


def test_features_of_a_task_that_moves_a_booking(environment: Environment) -> None:
    assert features(environment, environment.tasks["move-the-anniversary-dinner"]) == {
        "calls": 3,
        "distinct_tools": 3,
        "writes": 1,
        "picks": 2,
        "critical_path": 3,
        "chained_lookups": 1,
        "entities": 3,
        "fan_in": 2,
        "conditions": 4,
        "policy_rules": 0,
        "near_misses": 5,
        "tools_offered": 12,
        "irreversible": 0,
        "recoveries": 0,
        "answer_parts": 0,
    }


def test_features_of_a_question(environment: Environment) -> None:
    found = features(environment, environment.tasks["count-fridays-guests"])
    assert (found["writes"], found["fan_in"], found["answer_parts"], found["near_misses"]) == (0, 4, 2, 9)


@pytest.mark.parametrize(
    ("call", "args", "irreversible"),
    [
        ("cancel_booking", {"booking_id": 1806}, 1),
        ("mark_no_shows", {"booking_ids": [1855]}, 1),
        ("move_booking", {"booking_id": 1806, "table_id": 529}, 0),
        ("get_booking", {"booking_id": 1806}, 0),
    ],
)
def test_steps_that_cannot_be_taken_back(
    environment: Environment, call: str, args: dict[str, Any], irreversible: int
) -> None:
    actor = {"roles": ["host"], "id": 316 if call == "mark_no_shows" else 305}
    found = features(environment, task({"call": call, "args": args}, actor=actor))
    assert found["calls"] == 1
    assert found["irreversible"] == irreversible


def test_deleting_a_row_cannot_be_taken_back(environment: Environment) -> None:
    found = features(environment, environment.tasks["book-the-terrace-for-four"])
    assert (found["irreversible"], found["writes"], found["entities"]) == (1, 2, 5)


def test_references_inside_lists_count_as_entities(environment: Environment) -> None:
    nobody = task({"call": "mark_no_shows", "args": {"booking_ids": [1855, 1846]}})
    assert features(environment, nobody)["entities"] == 2


def test_rules_faults_and_repeated_calls(environment: Environment) -> None:
    faults = [{"tool": "get_my_profile", "kind": "error"}]
    found = features(environment, task({"call": "get_my_profile"}, faults=faults, plan={"policy_rules": [1, 3]}))
    assert (found["policy_rules"], found["recoveries"], found["calls"]) == (2, 1, 2)
    refusal = task({"call": "get_my_profile"}, verifier={"submit": {"status": "refused", "reason": 2}})
    assert features(environment, refusal)["policy_rules"] == 1


def test_near_misses_are_rows_that_all_attributes_but_one_fit(environment: Environment) -> None:
    def near(sql: str) -> float:
        return features(
            environment, task({"call": "get_my_profile"}, grounding={"x": {"expect": "one", "sql": sql}})
        )["near_misses"]

    assert near("SELECT id FROM restaurants WHERE cuisine = 'Italian' AND neighborhood = 'Harbour'") == 2
    assert near("SELECT id FROM restaurants WHERE name = 'Osteria Lume'") == 4
    assert near("SELECT id FROM restaurants") == 0
    assert near("SELECT id FROM nowhere WHERE x = 1") == 0
    joined = "SELECT t.id FROM dining_tables t JOIN restaurants r ON 1 WHERE r.id = t.restaurant_id"
    assert near(f"{joined} AND r.name = 'Sakura House'") == 14


def test_a_run_that_failed_has_features_too(environment: Environment) -> None:
    found = features(environment, task({"call": "get_booking", "args": {"booking_id": 1}}))
    assert (found["calls"], found["recoveries"]) == (1, 0)
