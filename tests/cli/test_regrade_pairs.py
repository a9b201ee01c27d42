"""`envolve regrade` on a refusal and its twin: they are graded, audited, left out and moved on as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envolve.memory.store import RunStore

from .conftest import Cli, measured_twins
from .edited import Change, Edited, contents, lenient, reworded

Pair = tuple[Edited, Edited]


def vague(raw: dict[str, Any]) -> None:
    """Whoever refuses passes, whatever the reason."""
    del raw["verifier"]["submit"]["reason"]


def checked(raw: dict[str, Any]) -> None:
    """Sound as before, under another hash: with a check that always holds."""
    raw["verifier"]["require"] = [{"name": "as it was meant", "sql": "SELECT 1"}]


WEAKER = [pytest.param(0, vague, id="refusal"), pytest.param(1, lenient, id="twin")]


@pytest.fixture
def pair(run_folder: Path) -> Pair:
    """A refusal that was measured, and its twin."""
    with RunStore.open_read_only(run_folder) as store:
        twin = measured_twins(store)[0]
        refusal = store.tasks.get(twin.twin_of or "")
    assert refusal is not None
    return Edited(run_folder, refusal), Edited(run_folder, twin)


def standings(pair: Pair) -> list[tuple[str, str | None, bool]]:
    """Stage and fate of both as they are now, and whether each is known for what it is of the other."""
    with RunStore.open_read_only(pair[0].folder) as store:
        refusal = next(
            record for record in reversed(store.tasks.resolve(pair[0].id)) if store.tasks.twin(record.version)
        )
        twin = store.tasks.twin(refusal.version)
    assert twin is not None
    return [(one.stage, one.fate, one.id == half.id) for one, half in zip((refusal, twin), pair, strict=True)]


@pytest.mark.parametrize("named", [0, 1])
def test_whichever_is_named_both_are_graded(pair: Pair, cli: Cli, named: int) -> None:
    done = cli("regrade", pair[0].folder, "--task", pair[named].id, "--json").json
    assert [task["task"] for task in done["tasks"]] == [half.id for half in pair]
    assert all(task["rollouts"] for task in done["tasks"])


@pytest.mark.parametrize(("weakened", "change"), WEAKER)
def test_if_one_is_not_sound_both_are_left_as_they_are(pair: Pair, cli: Cli, weakened: int, change: Change) -> None:
    pair[weakened].change(change)
    before = contents(pair[0].folder)
    done = cli("regrade", pair[0].folder, "--task", pair[1].id, "--apply", "--json")
    assert done.code == 1
    tasks: list[dict[str, Any]] = done.json["tasks"]
    assert tasks[weakened]["grade"] != "sound"
    assert all(task["left_out"] for task in tasks)
    assert all(task["grade"] for task in tasks), "both are audited"
    assert contents(pair[0].folder) == before


@pytest.mark.parametrize(("weakened", "change"), WEAKER)
def test_fates_are_shared_and_counts_given_back(pair: Pair, cli: Cli, weakened: int, change: Change) -> None:
    refusal = pair[0]
    with RunStore.open_read_only(refusal.folder) as store:
        measured = [(m.passes, m.n, m.decision) for m in store.tasks.measurements(refusal.version)]
    stood = standings(pair)
    pair[weakened].change(change)
    again = ("regrade", refusal.folder, "--task", pair[weakened].id, "--unsound", "--apply")
    assert cli(*again).code == 1
    (stage, fate, _), twin = standings(pair)
    assert (stage, fate, True) == twin
    assert fate in {"broken", "hackable", "disputed", "ambiguous"}
    path = pair[weakened].path
    path.write_text(pair[weakened].before, encoding="utf-8")
    assert cli(*again).code == 0
    assert standings(pair) == stood
    with RunStore.open_read_only(refusal.folder) as store:
        assert [(m.passes, m.n, m.decision) for m in store.tasks.measurements(refusal.version)] == measured


def test_a_pair_that_moves_on_counts_once(pair: Pair, cli: Cli) -> None:
    stood, before = standings(pair), cli("status", pair[0].folder, "--json").json["tasks"]
    for half, change in zip(pair, (checked, reworded), strict=True):
        half.change(change)
    assert cli("regrade", pair[0].folder, "--task", pair[0].id, "--apply").code == 0
    assert standings(pair) == stood
    after = cli("status", pair[0].folder, "--json").json["tasks"]
    assert after == before, "the versions before count no more"
