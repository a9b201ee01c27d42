"""What is said of a run: lines, tables, JSON, lineage, memory."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from envolve.cli import main

from .conftest import Cli

STATUS = {"run", "state", "environments", "tasks", "rollouts", "tokens", "cost_usd", "seconds", "set_aside"}
ENVIRONMENT = {"id", "scenario", "tables", "tools", "rows", "tasks", "in_band"}
TASKS = {"proposed", "audited", "accepted", "confirmed", "rejected"}


def a_task(folder: Path) -> str:
    return next((folder / "environments").glob("*/tasks/*.yaml")).stem


def execute(folder: Path, statement: str, *values: object) -> None:
    """Change a run's store behind its back."""
    connection = sqlite3.connect(folder / "run.db")
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_a_run_tells_its_rounds_and_its_end(finished: Path) -> None:
    lines = (finished / "out.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"{finished}: 1 environment, 2 confirmed tasks in each, pass rate of slip:1 in 0.2:0.6"
    assert lines[1].startswith("Simulated solvers: slip:1")
    rounds = [line for line in lines if line.startswith("round ")]
    assert [line.partition(":")[0] for line in rounds] == [f"round {n}" for n in range(1, len(rounds) + 1)]
    assert re.search(r"\d+ proposed → \d+ audited → \d+ accepted → \d+ confirmed", rounds[-1])
    assert lines[-1] == (
        f"Target reached. Open {finished / 'report.html'}, or ask for more: envolve run {finished} --tasks 6"
    )
    assert all(line == line.rstrip() for line in lines)


def test_status_is_one_object_with_the_agreed_keys(cli: Cli, finished: Path) -> None:
    status = cli("status", finished, "--json").json
    assert set(status) >= STATUS
    assert status["state"] == "done"
    (environment,) = status["environments"]
    assert set(environment) >= ENVIRONMENT
    assert set(status["tasks"]) >= TASKS
    assert environment["in_band"] == status["tasks"]["confirmed"] >= 2


def test_status_for_people(cli: Cli, finished: Path) -> None:
    out = cli("status", finished).out
    assert "Pass rates on confirmed tasks (band 0.2:0.6 for slip:1)" in out
    assert re.search(r"slip:1 .*simulated", out)
    assert "done" in out


def test_status_lists_the_tasks_when_asked(cli: Cli, finished: Path) -> None:
    plain, status = cli("status", finished, "--json").json, cli("status", finished, "--tasks", "--json").json
    listed = status.pop("task_list")
    assert status == plain
    assert len([line for line in listed if not line["twin_of"]]) == status["tasks"]["proposed"]
    assert len([line for line in listed if line["twin_of"]]) == status["tasks"]["pairs"]
    for line in listed:
        assert set(line) >= {"task", "environment", "stage", "fate", "rate", "n", "interval"}
    confirmed = [line for line in listed if line["fate"] == "confirmed"]
    assert len([line for line in confirmed if not line["twin_of"]]) == status["tasks"]["confirmed"]
    assert all(line["fresh"] and line["interval"][0] <= line["rate"] <= line["interval"][1] for line in confirmed)
    out = cli("status", finished, "--tasks").out
    assert all(line["task"] in out for line in listed)
    assert cli("lineage", finished, "no-such-task").err.endswith(
        "`envolve status RUN --tasks` lists those there are.\n"
    )


def test_what_is_counted_is_what_it_is_called(cli: Cli, finished: Path) -> None:
    """Proposed tasks are all that the run stores, in the package are those that lie there; a refusal and its twin are
    one."""
    (environment,) = cli("status", finished, "--json").json["environments"]
    files = list((finished / "environments" / environment["id"] / "tasks").glob("*.yaml"))
    pairs = sum("\ntwin: " in path.read_text(encoding="utf-8") for path in files)
    assert environment["in_package"] == len(files) - pairs <= environment["tasks"]
    out = cli("status", finished).out
    assert re.search(r"rows +proposed +in package +confirmed\n", out)
    counts = [str(environment[name]) for name in ("rows", "tasks", "in_package", "in_band")]
    assert re.search(r" +".join(counts) + r"\n", out)


def test_what_was_set_aside_is_told_with_its_reason(cli: Cli, run_folder: Path) -> None:
    execute(run_folder, "UPDATE items SET fate = 'broken', reason = 'no\x1b[31mpe' WHERE kind = 'build'")
    (entry,) = cli("status", run_folder, "--json").json["set_aside"]
    assert {"kind", "subject", "fate", "reason"} <= set(entry)
    assert "broken, no\N{REPLACEMENT CHARACTER}[31mpe" in cli("status", run_folder).out
    assert "Set aside" in Path(cli("report", run_folder, "--json").json["report"]).read_text(encoding="utf-8")


def test_resuming_with_json_prints_nothing_else(run_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nor do its workers."""
    with pytest.raises(SystemExit) as ended:
        main(["run", str(run_folder), "--json"])
    assert not ended.value.code
    written = capfd.readouterr()
    (line,) = written.out.splitlines()
    assert json.loads(line)["run"] == str(run_folder)
    assert set(json.loads(line)) >= STATUS
    assert not written.err


def test_a_run_whose_process_is_gone_is_stopped(cli: Cli, run_folder: Path) -> None:
    execute(run_folder, "UPDATE run SET state = 'running'")
    assert cli("status", run_folder, "--json").json["state"] == "stopped"


def test_hostile_texts_of_a_run_do_not_reach_the_terminal(cli: Cli, run_folder: Path) -> None:
    hostile = json.dumps({"id": "x", "name": "\x1b]0;owned\x07\x1b[2Jred\u202e", "category": "", "text": "x"})
    execute(run_folder, "UPDATE environments SET scenario = ?", hostile)
    for command in (["status", run_folder], ["memory", run_folder, "search", "slots"]):
        done = cli(*command)
        assert done.code == 0
        assert not set(done.out) & {"\x1b", "\x07", "\u202e"}
    assert "red" in cli("status", run_folder).out


def test_lineage_shows_where_a_task_came_from(cli: Cli, finished: Path) -> None:
    name = a_task(finished)
    found = cli("lineage", finished, name, "--json").json
    assert {"run", "task", "chain", "descendants", "nodes"} <= set(found)
    assert found["chain"][-1]["id"] == name
    assert f"{name} (" in cli("lineage", finished, found["task"][:12]).out
    cli("lineage", finished, "no-such-task").refused(2, "no-such-task")


def test_memory_finds_by_meaning(cli: Cli, finished: Path) -> None:
    found = cli("memory", finished, "search", "reserve a place to climb", "-n", 3, "--json").json
    kinds = {hit["kind"] for hit in found["hits"]}
    assert {"environments", "tasks"} <= kinds
    assert all(0 <= hit["distance"] <= 1 for hit in found["hits"])
    (environment,) = (finished / "environments").iterdir()
    assert environment.name in cli("memory", finished, "search", "climbing", "--kind", "environments").out
    cli("memory", finished, "search", " ").refused(2, "nothing to search for")


def test_memory_is_rebuilt_from_the_store(cli: Cli, run_folder: Path) -> None:
    rebuilt = cli("memory", run_folder, "rebuild", "--json").json["rebuilt"]
    assert rebuilt["environments"] == 1
    assert rebuilt["tasks"] >= 2


@pytest.mark.parametrize("words", [["status"], ["report"], ["lineage", "x"], ["memory", "search", "x"]])
def test_a_folder_without_a_run_is_told(cli: Cli, tmp_path: Path, words: list[str]) -> None:
    command, *rest = words
    cli(command, tmp_path, *rest).refused(2, str(tmp_path), "run.db")


def test_of_many_runs_nearby_a_few_are_named_and_the_likeliest_first(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (here := tmp_path / "mine").mkdir()
    cli("status", here / "bakery").refused(2, "run.db", "`envolve run` makes one")
    for name in ("atlas", "bakery-2", "cafe", "dairy", "eatery"):
        (here / name).mkdir()
        (here / name / "run.db").touch()
    done = cli("status", here / "bakery")
    done.refused(2, "run.db", f"Type: envolve status {here / 'bakery-2'}\n")
    assert f"Runs: {here / 'bakery-2'}, {here / 'atlas'}, {here / 'cafe'} and 2 more." in done.err


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_terminal_that_is_no_utf_8_gets_what_it_can_show(
    finished: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    with io.TextIOWrapper(written, encoding="ascii") as stream, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as ended:
            main(["status", str(finished), *words])
        stream.flush()
        shown = written.getvalue()
    assert not ended.value.code
    assert shown.isascii()
    if words:
        assert json.loads(shown)["state"] == "done"


def test_an_argument_that_is_no_text_is_refused(tmp_path: Path) -> None:
    command: list[str | bytes] = [sys.executable, "-m", "envolve", "run", str(tmp_path / "run"), "--scenario"]
    command.append(b"caf\xe9 bar")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "UTF-8" in done.stderr
    assert not (tmp_path / "run").exists()


def test_debug_shows_the_traceback_and_keeps_the_code(cli: Cli, tmp_path: Path) -> None:
    done = cli("status", tmp_path, "--debug")
    assert done.code == 2
    assert "Traceback" in done.err
    assert "→" in done.err
