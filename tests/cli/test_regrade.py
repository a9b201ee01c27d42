"""`envolve regrade`: a verifier is changed by hand in a run's package, and the stored rollouts are graded again."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest

from envolve.environments.models import CallResult
from envolve.memory.store import RunLock, RunStore

from .conftest import Cli, confirmed
from .edited import Edited, contents, lenient, reworded


@pytest.fixture
def edited(run_folder: Path) -> Edited:
    """A confirmed task."""
    return Edited(run_folder, confirmed(run_folder))


def test_nothing_flips_where_nothing_changed(edited: Edited, cli: Cli) -> None:
    before = contents(edited.folder)
    done = cli("regrade", edited.folder, "--json")
    assert done.code == 0, done
    assert done.json["flips"] == done.json["divergences"] == []
    with RunStore.open_read_only(edited.folder) as store:
        assert sum(task["rollouts"] for task in done.json["tasks"]) == store.progress.status().rollouts
    assert contents(edited.folder) == before
    told = cli("regrade", edited.folder, "--task", edited.id)
    assert "0 verdicts flipped" in told.out
    assert "--apply" not in told.out


def test_a_weakened_verifier_is_audited_first_and_not_used(edited: Edited, cli: Cli) -> None:
    edited.change(lenient)
    before = contents(edited.folder)
    done = cli("regrade", edited.folder, "--task", edited.id, "--apply")
    assert done.code == 1
    assert "was changed after it was frozen; audited again" in done.out
    assert "not graded" in done.out
    assert "--unsound" in done.out
    (left_out,) = [line for line in done.out.splitlines() if "not graded" in line]
    assert not {"{", "["} & set(left_out), "words, no JSON"
    assert contents(edited.folder) == before


def test_what_flips_is_listed_with_its_checks_and_written_only_when_asked(edited: Edited, cli: Cli) -> None:
    edited.change(lenient)
    before = contents(edited.folder)
    options = ("--task", edited.id, "--unsound", "--json")
    dry = cli("regrade", edited.folder, *options).json
    assert contents(edited.folder) == before
    assert dry["flips"]
    told = cli("regrade", edited.folder, *options[:-1]).out
    assert told.endswith(f"envolve regrade {edited.folder} --task {edited.id} --unsound --apply\n")
    assert all("fails → no check" in " ".join(flip["differs"]) for flip in dry["flips"] if flip["after"]["reward"])
    assert all((flip["before"]["reward"], flip["after"]["reward"]) in {(0, 1), (1, 0)} for flip in dry["flips"])
    wet = cli("regrade", edited.folder, *options, "--apply").json
    assert wet["flips"] == dry["flips"]
    (standing,) = [one for one in wet["standings"] if one["task"] == edited.id]
    assert standing["fate"] in {"broken", "hackable", "disputed"}
    status = cli("status", edited.folder, "--json").json
    assert standing["fate"] in status["tasks"]["rejected"]
    again = cli("regrade", edited.folder, *options).json
    assert again["flips"] == []


def test_mending_gives_every_count_back_and_loses_no_verdict(edited: Edited, cli: Cli) -> None:
    confirmed = cli("status", edited.folder, "--json").json["tasks"]["confirmed"]
    with RunStore.open_read_only(edited.folder) as store:
        measured = store.tasks.measurements(edited.version)
        effects = store.operators.effects()
    edited.change(lenient)
    assert cli("regrade", edited.folder, "--task", edited.id, "--unsound", "--apply").code == 1
    assert cli("status", edited.folder, "--json").json["tasks"]["confirmed"] == confirmed - 1
    edited.path.write_text(edited.before, encoding="utf-8")
    mended = cli("regrade", edited.folder, "--task", edited.id, "--apply")
    assert mended.code == 0, mended
    assert "audited again: sound" in mended.out
    assert edited.standing(edited.version) == ("confirmed", "confirmed")
    assert cli("status", edited.folder, "--json").json["tasks"]["confirmed"] == confirmed
    with RunStore.open_read_only(edited.folder) as store:
        assert store.rollouts.tallies(version=edited.version) == edited.counted
        now = store.tasks.measurements(edited.version)
        assert [(m.purpose, m.passes, m.n, m.decision) for m in now] == [
            (m.purpose, m.passes, m.n, m.decision) for m in measured
        ]
        assert store.operators.effects() == effects
        assert any("regraded" in m.posterior for m in now)
        replaced = store.regrades.replaced()
        assert len(replaced) == 2 * sum(tally.n + tally.excluded for tally in edited.counted)
        assert {version for _, version, _ in replaced} >= {edited.version}


def test_a_sound_change_moves_the_task_on_to_a_version_of_its_own(edited: Edited, cli: Cli) -> None:
    edited.change(reworded)
    before = cli("status", edited.folder, "--json").json
    done = cli("regrade", edited.folder, "--task", edited.id, "--apply", "--json").json
    after = cli("status", edited.folder, "--tasks", "--json").json
    assert (after["tasks"], after["environments"]) == (before["tasks"], before["environments"])
    assert [line["fate"] for line in after["task_list"] if line["version"] == edited.version] == ["replaced"]
    assert "(replaced)" in cli("lineage", edited.folder, edited.version).out
    (task,) = [task for task in done["tasks"] if task["task"] == edited.id]
    assert (task["grade"], task["edited"], task["flipped"]) == ("sound", True, 0)
    assert edited.standing(task["new_version"]) == ("confirmed", "confirmed")
    assert edited.standing(edited.version) == ("proposed", "replaced")
    with RunStore.open_read_only(edited.folder) as store:
        worked = [item.inputs.get("task") for item in store.work.items() if item.kind in {"rate", "measure"}]
    assert task["new_version"] in worked
    assert edited.version not in worked, "it is not rated once more"
    quiet = cli("regrade", edited.folder, "--task", edited.id)
    assert "audited again" not in quiet.out, "it is frozen anew"


def test_a_task_that_asks_something_else_is_another_task(edited: Edited, cli: Cli) -> None:
    edited.change(lambda raw: raw.update(instruction="Do nothing at all, please."))
    done = cli("regrade", edited.folder, "--task", edited.id, "--unsound", "--json").json
    (task,) = done["tasks"]
    assert "asks something else" in task["left_out"]
    assert done["flips"] == []


def test_a_verifier_that_was_removed_is_told(edited: Edited, cli: Cli) -> None:
    edited.change(lambda raw: raw.pop("verifier"))
    done = cli("regrade", edited.folder, "--task", edited.id)
    assert done.code == 1
    assert "its verifier was removed" in done.out
    assert "asks something else" not in done.out
    applied = cli("regrade", edited.folder, "--task", edited.id, "--apply", "--unsound")
    assert "nothing to write" in applied.out
    assert edited.standing(edited.version) == ("confirmed", "confirmed")


def test_nothing_is_said_to_be_written_where_nothing_was(edited: Edited, cli: Cli) -> None:
    out = cli("regrade", edited.folder, "--task", edited.id, "--apply").out
    assert "nothing to write" in out
    assert "Written" not in out


def test_a_run_that_is_in_use_is_not_graded(edited: Edited, cli: Cli) -> None:
    with RunLock(edited.folder):
        for options in ((), ("--apply",)):
            cli("regrade", edited.folder, *options).refused(3, "in use")


def test_a_round_that_is_open_rests_on_the_verdicts_as_they_are(edited: Edited, cli: Cli) -> None:
    with sqlite3.connect(edited.folder / "run.db") as connection:
        connection.execute("UPDATE rounds SET status = 'running' WHERE number = (SELECT max(number) FROM rounds)")
    cli("regrade", edited.folder, "--apply").refused(2, "in the middle of round", "envolve run")
    assert cli("regrade", edited.folder, "--task", edited.id).code == 0


def test_what_fails_in_the_middle_writes_nothing_and_the_same_command_goes_on(edited: Edited, cli: Cli) -> None:
    """The store refuses once the first rows are written; the package is frozen anew by then."""
    edited.change(reworded)
    before = contents(edited.folder)
    with sqlite3.connect(edited.folder / "run.db") as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON replaced_verdicts BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    again = ("regrade", edited.folder, "--task", edited.id, "--apply")
    assert cli(*again).code == 3
    assert contents(edited.folder) == before
    with sqlite3.connect(edited.folder / "run.db") as connection:
        connection.execute("DROP TRIGGER full")
    assert "audited again: sound" in cli(*again).out
    assert edited.standing(edited.version) == ("proposed", "replaced")


def test_what_is_unsound_does_not_stand_better_without_another_audit(edited: Edited, cli: Cli) -> None:
    """Rollouts disputed it: its file was put back as it was, and no verdict differs."""
    with sqlite3.connect(edited.folder / "run.db") as connection:
        change = "UPDATE tasks SET stage = 'proposed', fate = 'disputed' WHERE version = ?"
        connection.execute(change, (edited.version,))
    done = cli("regrade", edited.folder, "--task", edited.id, "--apply", "--json").json
    assert done["standings"] == []
    assert edited.standing(edited.version) == ("proposed", "disputed")


def test_an_unknown_task_is_told_with_those_there_are(edited: Edited, cli: Cli) -> None:
    cli("regrade", edited.folder, "--task", f"{edited.id}x").refused(2, edited.id)


def test_a_rollout_of_another_world_is_told_and_keeps_its_verdict(edited: Edited, cli: Cli) -> None:
    """A result that was tampered with stands for tools that answer otherwise now."""
    with RunStore.open_read_only(edited.folder) as store:
        kept = store.rollouts.stored(edited.version)[0]
    first, *rest = kept.rollout.trace.events
    tampered = first.model_copy(update={"result": CallResult(ok=True, value="otherwise"), "shown": None})
    trace = kept.rollout.trace.model_copy(update={"events": (tampered, *rest)}).model_dump_json(by_alias=True)
    with sqlite3.connect(edited.folder / "run.db") as connection:
        change = "UPDATE rollouts SET trace = ? WHERE id = ?"
        connection.execute(change, (zlib.compress(trace.encode()), kept.id))
    done = cli("regrade", edited.folder, "--task", edited.id, "--apply", "--json")
    assert done.code == 1
    assert [found["event"] for found in done.json["divergences"]] == [0]
    with RunStore.open_read_only(edited.folder) as store:
        assert store.rollouts.stored(edited.version)[0].rollout.verdict == kept.rollout.verdict
