"""`envolve audit` shows attacks, and what went through as calls."""

from pathlib import Path

from tests.cli.conftest import Cli

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "table-booking"
MOVE = "move-the-anniversary-dinner"


def test_attacks_are_counted(cli: Cli) -> None:
    told = cli("audit", SAMPLE, "--json").json
    for task in told["tasks"]:
        assert task["attacks"]["succeeded"] == 0 < task["attacks"]["total"]
        assert 0 < task["attacks"]["calls"] <= 180
    assert told["summary"]["attacks"]["total"] == sum(task["attacks"]["total"] for task in told["tasks"])


def only_one_task(package: Path) -> Path:
    """The file of the task that is left."""
    for file in (package / "tasks").glob("*.yaml"):
        if file.stem != MOVE:
            file.unlink()
    return package / "tasks" / f"{MOVE}.yaml"


def test_without_calls_attacks_are_not_run_and_it_says_so(cli: Cli, package: Path) -> None:
    only_one_task(package)
    (first,) = cli("audit", package, "--attack-calls", 0, "--json").json["tasks"]
    assert first["gates"]["attack"]["status"] == "not_run"
    assert "budget" in first["gates"]["attack"]["message"]
    assert first["attacks"]["total"] == 0


def test_an_attack_that_goes_through_is_told_as_calls(cli: Cli, package: Path) -> None:
    file = only_one_task(package)
    text = file.read_text(encoding="utf-8")
    start, end = text.index("  require:"), text.index("  allow:")
    file.write_text(text[:start] + text[end:], encoding="utf-8")
    done = cli("audit", package)
    assert done.code == 1
    assert "attack: " in done.out
    assert 'submit(status="done")' in done.out


def test_budgets_end_somewhere_and_large_ones_are_told_task_by_task(cli: Cli, package: Path) -> None:
    only_one_task(package)
    done = cli("audit", package, "--attack-calls", 100_001)
    assert done.code == 2
    assert "100000" in done.err
    assert f"{MOVE}: 1 of 1 tasks" in cli("audit", package, "--attack-calls", 61).err
    assert cli("audit", package, "--attack-calls", 2).err == ""
