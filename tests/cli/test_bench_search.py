"""`envolve bench search`, on one small world."""

from __future__ import annotations

from envolve.bench.search.figures import pass_rates
from envolve.bench.search.measuring import TaskTried, WorldTried

from .conftest import Cli

SMALL = ("--environments", 1, "--tasks", 6, "--budgets", "100,3", "--seed", 2026)


def test_rates_by_budget_and_depth_follow_from_the_tasks(cli: Cli) -> None:
    done = cli("bench", "search", *SMALL, "--json")
    told, rows = done.json, {row["name"]: row for row in done.json["rows"]}
    assert "1 of 1: " in done.err
    assert told["repeat"] == "envolve bench search --environments 1 --tasks 6 --budgets 3,100 --seed 2026"
    assert (told["solver"]["kind"], told["solver"]["budgets"]) == ("simulated", [3, 100])
    assert "verifier" in told["solver"]["privileged"]
    for budget in (3, 100):
        passed = [task["passed"][str(budget)] for task in told["tasks"]]
        row = rows[f"search:{budget}, all"]
        assert (row["n"], row["value"]) == (len(passed), sum(passed) / len(passed))
        low, high = row["interval"]
        assert low <= row["value"] <= high
    assert rows["search:100, all"]["value"] > rows["search:3, all"]["value"]
    assert all(task["calls"] >= task["critical_path"] >= 1 for task in told["tasks"])


def test_people_see_what_the_solver_is_and_how_to_repeat_it(cli: Cli) -> None:
    done = cli("bench", "search", "--environments", 1, "--tasks", 1, "--budgets", 1)
    for words in ("simulated and privileged", "search:1", "Repeat with: envolve bench search --environments 1"):
        assert words in " ".join(done.out.split())


def test_a_budget_that_is_none_is_refused(cli: Cli) -> None:
    cli("bench", "search", "--budgets", "30,many").refused(2, "budget", "many")


def test_groups_part_tasks_by_depth() -> None:
    tasks = tuple(
        TaskTried(f"t-{calls}-{path}", calls, path, asks=calls > 4, passed={30: path < 3})
        for calls, path in ((1, 1), (2, 2), (4, 3), (7, 2))
    )
    rates = pass_rates([WorldTried("world", "shops", tasks, 0)], [30])
    found = {name: (by_budget[30].value, by_budget[30].n) for name, by_budget in rates.items()}
    assert found == {
        "all": (0.75, 4),
        "calls 1-2": (1.0, 2),
        "calls 3-4": (0.0, 1),
        "calls 5+": (1.0, 1),
        "critical path 1": (1.0, 1),
        "critical path 2": (1.0, 2),
        "critical path 3+": (0.0, 1),
        "changes only": (2 / 3, 3),
        "asks for an answer": (1.0, 1),
        "asks, calls 5+": (1.0, 1),
    }
