"""The commands that work on packages, on the hand-written sample and on one built on the spot."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml

from .conftest import SAMPLE, Cli, confirmed

COUNT = "count-fridays-guests"
MOVE = "move-the-anniversary-dinner"
RESULT = {"environment", "task", "solver", "passes", "rollouts", "interval", "outcomes"}


def test_check_finds_what_is_wrong_and_how_to_see_it(cli: Cli, package: Path) -> None:
    tools = package / "tools.yaml"
    text = tools.read_text(encoding="utf-8")
    loose = text.replace("status = 'cancelled'", "status = 'canceled'", 1)
    assert loose != text
    tools.write_text(loose, encoding="utf-8")
    done = cli("check", package, "--json")
    assert done.code == 1
    finding = next(finding for finding in done.json["findings"] if finding["confirmed"])
    assert {"kind", "severity", "where", "message", "probe", "confirmed"} <= set(finding)
    shown = cli("check", package)
    assert shown.code == 1
    assert "confirmed" in shown.out
    assert "envolve solve" in shown.out


def test_check_tells_coverage_and_what_a_critic_of_ones_own_says(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from envolve.environments.models import Finding\n"
        "def review(dossier):\n"
        "    return [Finding(kind='odd_name', severity='minor', where='tools', message='hm', source='critic:mine')]\n"
    )
    (tmp_path / "mycritic.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    done = cli("check", SAMPLE, "--critic", "mycritic:review", "--json")
    assert done.code == 0
    assert {"findings", "coverage", "environments"} <= set(done.json)
    assert done.json["coverage"]["calls"] > 100
    found = [finding for finding in done.json["findings"] if finding["kind"] == "odd_name"]
    assert [finding["confirmed"] for finding in found] in ([None], [False])


def test_audit_tells_grades(cli: Cli) -> None:
    done = cli("audit", SAMPLE, "--json")
    assert done.code == 0
    assert set(done.json) >= {"tasks", "summary"}
    wanted = {"environment", "task", "grade", "gates", "null_passes", "mutants", "alternatives", "attacks"}
    for task in done.json["tasks"]:
        assert set(task) >= wanted
        assert task["grade"] == "sound"
        assert {"killed", "total"} <= set(task["mutants"])
        assert {"passed", "total"} <= set(task["alternatives"])
        assert {"succeeded", "total"} <= set(task["attacks"])
    assert done.json["summary"]["null_passes"] == 0


def test_audit_shows_why_a_verifier_is_not_sound(cli: Cli, package: Path) -> None:
    path = package / "tasks" / f"{MOVE}.yaml"
    task = yaml.safe_load(path.read_text(encoding="utf-8"))
    task["verifier"]["require"] = [{"name": "always", "sql": "SELECT 1"}]
    path.write_text(yaml.safe_dump(task, sort_keys=False), encoding="utf-8")
    done = cli("audit", package)
    assert done.code == 1
    assert f"{MOVE}: null:" in done.out
    assert "2 of 3 verifiers are sound" in done.out


def test_solve_shows_calls_changes_and_checks(cli: Cli) -> None:
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold")
    assert done.code == 0
    assert "update bookings" in done.out
    assert "completed, reward 1" in done.out
    assert "gold: 1 of 1 passed (100%)" in done.out
    (result,) = cli("solve", SAMPLE, MOVE, "--solver", "slip:0", "-n", 6, "--json").json["results"]
    assert set(result) >= RESULT
    assert result["simulated"] is True
    assert sum(result["outcomes"].values()) == 6


def test_solve_by_a_script_from_text_and_file(cli: Cli, tmp_path: Path) -> None:
    calls = '[{"call": "find_people", "args": {"name": "Ada"}}, {"call": "no_such_tool", "args": {}}]'
    script = tmp_path / "calls.json"
    script.write_text(calls, encoding="utf-8")
    for given in (calls, script):
        done = cli("solve", SAMPLE, MOVE, "--script", given)
        assert done.code == 1
        assert "Ada" in done.out
        assert "no_such_tool" in done.out
        assert "incomplete, reward 0" in done.out


def test_measure_decides(cli: Cli) -> None:
    results = cli("measure", SAMPLE, "--solver", "slip:4", "--solver", "null", "--json").json["results"]
    assert len(results) == 6
    assert all(set(result) >= RESULT | {"decision"} for result in results)
    shown = cli("measure", SAMPLE, "--solver", "slip:4")
    assert "At most" in shown.out
    assert "Simulated solvers: their rates say nothing about models." in shown.out


def test_evolve_makes_an_audited_child(cli: Cli, finished: Path, tmp_path: Path) -> None:
    (built,) = (finished / "environments").iterdir()
    folder = tmp_path / "renamed"
    shutil.copytree(built, folder)
    task = confirmed(finished).id
    done = cli("evolve", folder, task, "--operator", "paraphrase", "--solver", "slip:1", "-n", 6, "--keep", "--json")
    assert done.code == 0, done
    step = done.json
    assert {"operator", "parent", "child", "grade", "effect", "written"} <= set(step)
    assert step["grade"] == "sound"
    assert step["effect"]["parent_n"] == step["effect"]["child_n"] == 6
    assert Path(step["written"]).is_file()
    assert Path(step["written"]).parent == folder / "tasks"
    assert cli("solve", folder, step["child"]["id"], "--solver", "gold", "--json").code == 0


def test_new_builds_a_package_with_sound_tasks(cli: Cli, tmp_path: Path) -> None:
    made = cli("new", "42", "-o", tmp_path, "--tasks", 2, "--json").json
    assert {"path", "id", "tables", "tools", "rows", "sound", "rejected", "findings"} <= set(made)
    assert made["sound"]
    assert cli("audit", made["path"], "--json").json["summary"]["grades"].keys() == {"sound"}


ODD = {
    "another script": "日本の旅館の予約",
    "all else": "🍕 pizza \"by\" 'rocket' 👨‍👩‍👧 \x1b[31mthat\x1b[0m `rents`\r\n\t$(cups); -- {{ more }} <b>"
    + " books" * 17_000,
}


@pytest.mark.parametrize("case", ODD)
def test_any_scenario_that_says_something_becomes_an_environment(cli: Cli, tmp_path: Path, case: str) -> None:
    done = cli("new", ODD[case], "-o", tmp_path, "--tasks", 0, "--json")
    assert done.code == 0, done
    (folder,) = tmp_path.iterdir()
    assert Path(done.json["path"]) == folder
    assert folder.name.isascii()
    assert folder.name.isprintable()


@pytest.mark.parametrize("text", [" \t", "?!…", "\u200b\u200b"])
def test_a_scenario_that_says_nothing_is_refused(cli: Cli, tmp_path: Path, text: str) -> None:
    cli("new", text, "-o", tmp_path).refused(2, "says nothing")
    assert not list(tmp_path.iterdir())


def test_scenarios_grow_and_repeat_nothing(cli: Cli, tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    grown = cli("scenarios", "-n", 3, "-o", first, "--json").json
    assert len(grown["scenarios"]) == 3
    assert grown["refused"] == []
    cli("scenarios", "-n", 2, "--seeds", first, "-o", second)
    texts = [entry["text"] for entry in yaml.safe_load(second.read_text(encoding="utf-8"))["scenarios"]]
    assert len(set(texts)) == len(texts) == 5


def test_doctor_finds_all_in_place(cli: Cli, tmp_path: Path) -> None:
    done = cli("doctor", "--folder", tmp_path, "--json")
    assert done.code == 0, done.out
    assert {check["name"] for check in done.json["checks"]} >= {"python", "worlds", "embedder", "workers", "disk"}
    missing = cli("doctor", "--folder", tmp_path / "nowhere")
    assert missing.code == 3
    assert "✗" in missing.out


def test_schemas_are_json_schemas(cli: Cli) -> None:
    every = cli("schema", "--json").json
    assert set(every) >= {"environment", "tools", "task", "finding", "rollout", "verdict"}
    assert cli("schema", "task", "--json").json == every["task"]
    assert "instruction" in every["task"]["properties"]


def test_serve_tells_where_and_stops_when_asked(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "envolve", "serve", str(SAMPLE), "--port", "0", "--control-port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert {"mcp_url", "agent_url", "control_url", "token", "control_token"} <= set(told)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{told['control_url']}/episodes", timeout=10)
        assert refused.value.code in {401, 403}
        refused.value.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert not process.stderr.read()


def test_serve_refuses_what_cannot_be(cli: Cli) -> None:
    cli("serve", SAMPLE, "--port", 99999).refused(2, "--port")
    secret = cli("serve", SAMPLE, "--token", "hunter2")
    secret.refused(2, "--token")
    assert "hunter2" not in secret.err
    cli("serve", SAMPLE, "--stdio", "--json").refused(2, "--stdio")
    cli("serve", SAMPLE, "--task", "nope").refused(2, "nope")
