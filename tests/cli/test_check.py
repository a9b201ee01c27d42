"""`envolve check`: what it prints can be typed, and a critic that gives no proper answer is never an acceptance."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from .conftest import SAMPLE, Cli

_TWO_ACTORS = """
from envolve.environments.models import Actor, Expectation, Finding, Probe, ProbeCall

def review(dossier):
    diner, host = Actor(roles=("diner",), id=204), Actor(roles=("host",), id=305)
    calls = (
        ProbeCall(call="cancel_booking", args={"booking_id": 1806}, actor=diner),
        ProbeCall(call="mark_no_show", args={"booking_id": 1860}, actor=host),
        ProbeCall(call="list_restaurant_bookings", args={"guest_name": "Lindqvist"}, actor=host),
    )
    expect = (Expectation(result="SELECT count(*) = 0 FROM result WHERE status = 'cancelled'"),)
    probe = Probe(calls=calls, expect=expect)
    return [Finding(kind="shows_cancelled", severity="minor", where="tools.list_restaurant_bookings",
                    message="It lists what is cancelled.", source="critic:mine", probe=probe)]
"""
_FINDING = """
from envolve.environments.models import Actor, Expectation, Finding, Probe, ProbeCall

def finding(probe=None):
    return Finding(kind="odd", severity="blocker", where="tools.find_people", message="Odd.", source="critic:x",
                   probe=probe)
"""
_HOST = 'Actor(roles=("host",), id=305)'
_ANSWERS = {
    "no answer": "def review(dossier): return None",
    "an exception": "def review(dossier): raise RuntimeError('out of thoughts')",
    "an answer that does not parse": "def review(dossier): return ['all is well']",
    "an answer of the wrong shape": "def review(dossier): return {'findings': []}",
    "a late exception": "async def review(dossier): raise ValueError('too late')",
}
_CLAIMS = {
    "without a probe": "None",
    "a probe of a tool that is not there": f"Probe(actor={_HOST}, calls=(ProbeCall(call='no_tool'),), "
    "expect=(Expectation(sql='SELECT no_column FROM after.people'),))",
    "a probe of a gate that is not there": "Probe(expect=(Expectation(gate='no_gate'),))",
    "a probe that expects nothing": f"Probe(actor={_HOST}, calls=(ProbeCall(call='find_people'),), "
    "expect=(Expectation(),))",
    "a probe that looks at nothing": "Probe(expect=(Expectation(sql='SELECT 0'),))",
}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def _critic(folder: Path, name: str, source: str) -> str:
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return f"{name}:review"


def _spoilt(package: Path) -> Path:
    """A table may be overbooked, and cancelling answers with a status that is none."""
    tools = package / "tools.yaml"
    text = tools.read_text(encoding="utf-8")
    changed = text.replace("status = 'cancelled'", "status = 'canceled'", 1).replace(
        "SELECT :party_size <= :table_seats", "SELECT :party_size <= :table_seats + 90"
    )
    assert changed != text
    tools.write_text(changed, encoding="utf-8")
    return package


def _commands(out: str) -> list[list[str]]:
    return [shlex.split(line.strip())[1:] for line in out.splitlines() if line.strip().startswith("envolve solve ")]


def test_what_is_printed_for_findings_runs_and_shows_them(cli: Cli, package: Path) -> None:
    checked = cli("check", _spoilt(package))
    assert checked.code == 1
    told = cli("check", package, "--json").json["findings"]
    commands, scripts = (
        _commands(checked.out),
        [each["script"] for each in told if each["confirmed"] and each["script"]],
    )
    assert len(commands) == len(scripts) >= 1
    for words, script in zip(commands, scripts, strict=True):
        played = cli(*words, "--json")
        assert played.code == 0
        assert [(call["call"], call["args"]) for call in played.json["calls"]] == [
            (call["call"], call["args"]) for call in script
        ]
        assert cli(*words).code == 0


def test_a_probe_by_several_actors_is_played_by_them_in_one_world(cli: Cli, written: Path) -> None:
    critic = _critic(written, "two_actors", _TWO_ACTORS)
    (words,) = _commands(cli("check", SAMPLE, "--critic", critic).out)
    calls = cli(*words, "--json").json["calls"]
    assert [call["actor"]["roles"] for call in calls] == [["diner"], ["host"], ["host"]]
    assert calls[0]["ok"]
    shown = {item["id"]: item["status"] for item in calls[-1]["result"]["items"]}
    assert shown[1806] == "cancelled"  # the diner's change is there for the host
    told = cli(*words).out
    assert "diner 204: cancel_booking" in told
    assert "update bookings" in told


def test_findings_stand_by_place_the_worst_first_and_doubts_apart(cli: Cli, package: Path, written: Path) -> None:
    critic = _critic(written, "doubter", f"{_FINDING}\ndef review(dossier): return [finding()]\n")
    out = cli("check", _spoilt(package), "--critic", critic, "--critic", "rules").out
    lines = out.splitlines()
    assert "confirmed findings, 2 of them blocking; 3 doubts" in lines[0]
    doubts = lines.index("doubts, which do not block")
    severities = [line.split()[0] for line in lines[:doubts] if line.startswith("  ") and line[2] != " "]
    assert severities == sorted(severities, key=["blocker", "major", "minor"].index)
    assert lines[doubts + 1].startswith("  blocker odd at tools.find_people")
    assert sum(line.startswith(("  blocker", "  major", "  minor")) for line in lines[doubts:]) == 3
    assert any("expected:" in line for line in lines[:doubts])
    assert any("came:" in line for line in lines[:doubts])
    assert "guards refused a call" in out


@pytest.mark.parametrize("case", sorted(_ANSWERS))
def test_a_critic_without_a_proper_answer_blocks(case: str, cli: Cli, written: Path) -> None:
    critic = _critic(written, f"bad_{sorted(_ANSWERS).index(case)}", _ANSWERS[case])
    done = cli("check", SAMPLE, "--critic", critic, "--json")
    assert done.code == 1
    (failed,) = [finding for finding in done.json["findings"] if finding["kind"] == "critic_failed"]
    assert (failed["severity"], failed["confirmed"]) == ("blocker", True)
    assert done.json["environments"][0]["blocking"] == 1


def test_a_critic_that_failed_is_told_apart_from_what_was_found(cli: Cli, written: Path) -> None:
    critic = _critic(written, "failing", _ANSWERS["an exception"])
    lines = cli("check", SAMPLE, "--critic", critic).out.splitlines()
    assert lines[0].endswith(": nothing found; 1 critic failed")
    heading = lines.index("critics that failed: nothing is known of what they would have found, which blocks")
    assert lines[heading + 1] == (
        "  The critic failing:review gave no answer: RuntimeError: out of thoughts, at failing.py:1."
    )


def test_what_was_missed_is_told_for_what_it_is(cli: Cli, written: Path) -> None:
    content = _critic(written, "agreeing", "def review(dossier): return []")
    assert "    never refused: tools.book_table.steps.7, tools.move_booking.steps.7" in (
        cli("check", SAMPLE, "--critic", content).out.splitlines()
    )


@pytest.mark.parametrize("case", sorted(_CLAIMS))
def test_a_claim_that_cannot_be_run_is_a_doubt_and_counted(case: str, cli: Cli, written: Path) -> None:
    source = f"{_FINDING}\ndef review(dossier): return [finding({_CLAIMS[case]})]\n"
    critic = _critic(written, f"claims_{sorted(_CLAIMS).index(case)}", source)
    done = cli("check", SAMPLE, "--critic", critic, "--json")
    assert done.code == 0
    (claim,) = [finding for finding in done.json["findings"] if finding["kind"] == "odd"]
    assert claim["confirmed"] is None
    assert done.json["environments"][0]["doubts"] == 1


def test_one_critic_that_objects_is_enough(cli: Cli, written: Path) -> None:
    content = _critic(written, "content", "def review(dossier): return []")
    silent = _critic(written, "silent", "def review(dossier): return None")
    assert cli("check", SAMPLE, "--critic", content).code == 0
    assert cli("check", SAMPLE, "--critic", content, "--critic", silent).code == 1


@pytest.mark.parametrize("name", ["nobody", "no_such_module:x", "envolve:no_such_thing", "json:__version_info__"])
def test_what_is_no_critic_is_refused_with_what_there_is(name: str, cli: Cli) -> None:
    done = cli("check", SAMPLE, "--critic", name)
    done.refused(2, name.split(":", maxsplit=1)[0])
    if name == "nobody":
        assert "rules" in done.err


def test_scripts_name_actors_that_there_are(cli: Cli) -> None:
    cli("solve", SAMPLE, "--script", '[{"call": "find_people", "actor": 7}]').refused(2, "entry 1", "actor")
    cli("solve", SAMPLE, "--script", '[{"call": "find_people", "actor": {"roles": ["cook"], "id": 3}}]').refused(
        2, "cook", "host"
    )
    cli("solve", SAMPLE, "--script", '[{"call": "find_people"}]').refused(2, "task", "count-fridays-guests")


@pytest.mark.parametrize("option", [("-n", 2), ("--judge", "rules")])
def test_a_script_by_actors_is_no_rollout(option: tuple[object, ...], cli: Cli) -> None:
    script = '[{"call": "find_people", "actor": {"roles": ["host"], "id": 305}}]'
    cli("solve", SAMPLE, "--script", script, *option).refused(2, "no rollout")


def test_a_critic_that_an_installed_package_offers_is_asked_by_its_name(cli: Cli, written: Path) -> None:
    _critic(written, "odd_critics", "def review(dossier): return None")
    info = written / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[envolve.critics]\nodd-one = odd_critics:review\n", encoding="utf-8")
    told = cli("check", SAMPLE, "--critic", "odd-one", "--json")
    assert told.code == 1
    assert "critics.odd-one" in {finding["where"] for finding in told.json["findings"]}
    cli("check", SAMPLE, "--critic", "even-one").refused(2, "even-one", "odd-one")


def test_why_a_probe_says_nothing_is_told(cli: Cli, written: Path) -> None:
    calls = "(ProbeCall(call='find_people', args={'colour': 'red'}),)"
    for name, probe, told in (
        (
            "senseless",
            f"Probe(actor={_HOST}, calls={calls}, expect=(Expectation(succeeds=True),))",
            "no argument 'colour'",
        ),
        ("constant", "Probe(expect=(Expectation(sql='SELECT 0'),))", "false in every world"),
    ):
        critic = _critic(written, name, f"{_FINDING}\ndef review(dossier): return [finding({probe})]\n")
        checked = cli("check", SAMPLE, "--critic", critic)
        assert checked.code == 0
        (line,) = [line for line in checked.out.splitlines() if "nothing could be run" in line]
        assert told in line


def test_hundreds_of_findings_are_shown_by_the_worst_and_counted(cli: Cli, written: Path) -> None:
    many = (
        f"{_FINDING}\ndef review(dossier):\n    return [finding().model_copy(update={{'kind': f'odd{{i % 80}}\\nx',"
        " 'where': f'tools.t{i}', 'message': 'long ' * 9000}) for i in range(300)]\n"
    )
    critic = _critic(written, "many", many)
    out = cli("check", SAMPLE, "--critic", critic).out
    assert out.count("  blocker odd") == 50
    assert "and 250 more (--all shows them)" in out
    assert "doubtful: blocker odd" in out
    assert "and 60 kinds more" in out
    assert len(out) < 100_000
    assert not any(line == "x" or line.startswith("x ") for line in out.splitlines())
    assert cli("check", SAMPLE, "--critic", critic, "--all").out.count("  blocker odd") == 300
    assert len(cli("check", SAMPLE, "--critic", critic, "--json").json["findings"]) == 300
