"""Commands in which a model plays a role, over real HTTP: what it said is written by hand, or was recorded."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.package import Environment
from envolve.options import run_config

from ..agents.prompted.composed import BAKERY, Player
from ..scripted_model import Failure, ScriptedModel
from .conftest import SAMPLE, Cli

MOVE = "move-the-anniversary-dinner"


def thinking(body: dict[str, Any]) -> dict[str, Any]:
    """A scout's model: offers shipped scenarios of the categories that are asked for, and finds all suitable."""
    text = body["messages"][1]["content"]
    wanted = re.findall(r"^- (\d+) of ([\w-]+) \(", text, re.MULTILINE)
    if not wanted:
        home = {each.name: each.category for each in shipped_scenarios()}
        offered = re.findall(r"^(\d+)\. ([^:\n]+): ", text, re.MULTILINE)
        return {"ratings": [{"number": int(n), "suitable": True, "category": home[name]} for n, name in offered]}
    known = [each for each in shipped_scenarios() if f"\n- {each.name}: " not in text and len(each.text) < 600]
    offered = [each for count, name in wanted for each in known if each.category == name][:4]
    return {"scenarios": [{"name": each.name, "category": each.category, "text": each.text} for each in offered]}


def test_a_scout_that_is_a_model_is_asked_first(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    assert run_config(tmp_path, {"scout": model_server.name}, texts=[]).scenarios == ()
    assert run_config(tmp_path, {"model": model_server.name}, texts=[]).scenarios == ()
    assert len(run_config(tmp_path, {"scout": model_server.name}, texts=["A bakery"]).scenarios) == 1
    assert run_config(tmp_path, {"architect": model_server.name}, texts=[]).scenarios
    done = cli("run", tmp_path / "run", "--scout", model_server.name, "--environments", 1, "--jobs", 1)
    assert done.code != 0
    assert "scenarios" in model_server.requests[0].text


def test_scenarios_by_a_model(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    model_server.answer(thinking)
    listed = tmp_path / "list.yaml"
    done = cli("scenarios", "-n", 2, "--scout", model_server.name, "-o", listed)
    assert done.code == 0, done.err
    assert re.search(r"^2 of 2; \d+ tokens, \$0.00$", done.out, re.MULTILINE)
    assert len(yaml.safe_load(listed.read_text(encoding="utf-8"))["scenarios"]) == 2
    found = cli("scenarios", "-n", 1, "--model", model_server.name, "--seeds", listed, "--json").json
    assert len(found["scenarios"]) == 1
    assert found["tokens"] > 0
    assert found["stopped"] is None


def test_what_a_model_found_before_it_failed_is_kept(
    cli: Cli, model_server: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envolve.scouting.AT_ONCE", 1)
    model_server.answer(lambda body: thinking(body) if len(model_server.requests) <= 2 else Failure(404))
    listed = tmp_path / "list.yaml"
    done = cli("scenarios", "-n", 5, "--scout", model_server.name, "-o", listed)
    assert done.code == 1, done
    assert "5 were asked for, but" in done.out
    assert len(yaml.safe_load(listed.read_text(encoding="utf-8"))["scenarios"]) == 1


def test_a_place_that_cannot_be_written_costs_nothing(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    (tmp_path / "afile").write_text("hello", encoding="utf-8")
    cli("scenarios", "--scout", model_server.name, "-o", tmp_path / "no" / "x.yaml").refused(3, "x.yaml")
    cli("new", "A bakery", "--model", model_server.name, "-o", tmp_path / "afile").refused(3, "afile")
    assert not model_server.requests


def test_unknown_players_are_told(cli: Cli) -> None:
    cli("scenarios", "--scout", "oracle").refused(2, "'oracle'", "openai:")
    cli("new", "A bakery", "--coder", "oracle").refused(2, "'oracle'", "openai:")
    cli("new", "A bakery", "--coder", "openai:gpt-5").refused(2, "--task-writer")
    cli("evolve", SAMPLE, MOVE, "--operator", "x", "--task-writer", "openai:gpt-5").refused(2, "--evolver")
    cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", "oracle").refused(2, "'oracle'", "openai:")


def test_an_environment_whose_architect_is_a_model(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    playing = Player(BAKERY)
    model_server.answer(playing.answer)
    text = BAKERY.brief.scenario.text
    words = ["--architect", model_server.name, "--critic", "rules", "--tasks", 1]
    done = cli("new", text, "-o", tmp_path, *words)
    assert done.code == 0, done
    assert [len(asked) for asked in playing.asked.values()] == [1, 1]
    assert done.out.splitlines()[:3] == ["designing", "writing tools and data", "testing and reviewing"]
    assert re.search(r"^Spent: \d+ tokens, \$0.00$", done.out, re.MULTILINE)
    (folder,) = tmp_path.iterdir()
    environment = Environment.load(folder)
    assert {"place_cake_order", "get_bake"} <= set(environment.tools)
    assert environment.tasks


def test_a_judge_rules_beside_the_verifier(cli: Cli, model_server: ScriptedModel) -> None:
    met, unmet = {"reason": "Moved.", "step": 3, "ruling": "met"}, {"reason": "Nothing.", "ruling": "not_met"}
    model_server.say(met)
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", model_server.name)
    assert done.code == 0, done.err
    assert f"  {model_server.name}: met (step 3): Moved." in done.out
    assert "agrees with the verifier on 1 of 1 (100%, 95% 0.21–1.00)" in done.out
    assert "both met 1, both not met 0" in done.out
    asked = model_server.requests[0].text
    assert "completed" not in asked
    assert "at the smallest fitting table" not in asked
    model_server.say(*[unmet] * 4)
    words = ("solve", SAMPLE, MOVE, "--solver", "slip:1", "-n", 4, "--seed", 1)
    (plain,) = cli(*words, "--json").json["results"]
    (result,) = cli(*words, "--judge", model_server.name, "--json").json["results"]
    judged = result.pop("judge")
    assert result.pop("judges") == [judged]
    assert result == plain
    assert [line["ruling"] for line in judged["rulings"]] == ["not_met"] * 4
    figures = judged["agreement"]
    assert figures["verifier_only"] == plain["passes"]
    assert figures["both_not_met"] == 4 - plain["passes"]
    assert {"kappa", "agreed"} <= set(figures)
    assert judged["tokens"] > 0


def test_a_judge_without_a_usable_answer_rules_nothing(cli: Cli, model_server: ScriptedModel) -> None:
    model_server.answer(lambda body: "no idea")
    done = cli("solve", SAMPLE, MOVE, "--solver", "gold", "--judge", model_server.name)
    assert done.code == 0
    assert f"{model_server.name}: no ruling: The model's reply" in done.out
    assert f"{model_server.name} decided nothing: 0 cannot tell, 1 without a ruling; " in done.out


def test_a_model_evolves_what_was_written_by_hand(cli: Cli, model_server: ScriptedModel, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, folder := tmp_path / "table-booking")
    model_server.answer(lambda body: "no idea")
    words = ("evolve", folder, MOVE, "--operator", "conceal")
    cli(*words).refused(2, "written by hand", "--evolver MODEL")
    cli(*words, "--evolver", model_server.name).refused(2, "cannot be used", "more capable model")
    model_server.answer(lambda body: '{"applies": false, "reason": "nothing is named in it"}')
    cli(*words, "--evolver", model_server.name).refused(2, "came to nothing", model_server.name)


@pytest.mark.parametrize("given", [{"concurrency": 2}, {"concurrency": 2, "temperature": 0.5}])
def test_settings_of_models_may_change_when_a_run_goes_on(
    cli: Cli, run_folder: Path, tmp_path: Path, given: dict[str, Any]
) -> None:
    options = tmp_path / "options.yaml"
    options.write_text(yaml.safe_dump({"model_settings": given}), encoding="utf-8")
    done = cli("run", run_folder, "--config", options)
    assert done.code == 0, done.err
    kept = yaml.safe_load((run_folder / "config.yaml").read_text(encoding="utf-8"))["team"]["model_settings"]
    assert kept == {**kept, **given}
    assert kept["max_output_tokens"] == 16_000


def test_another_model_may_take_over_from_one(tmp_path: Path) -> None:
    kept = run_config(tmp_path, {"model": "openai:gpt-5"}, texts=["A bakery"])
    assert not kept.differences(run_config(tmp_path, {"model": "openai:gpt-5-mini"}, texts=["A bakery"]))
    given = {"model": "openai:gpt-5", "architect": "procedural", "size": {}}
    back = run_config(tmp_path, given, texts=["A bakery"])
    assert kept.differences(back) == {"architect": ("openai:gpt-5", "procedural")}
    alone = run_config(tmp_path, {"model": "openai:gpt-5", "critics": ["rules"]}, texts=["A bakery"])
    assert list(kept.differences(alone)) == ["critics"]
