"""The contract of the run store: what is committed is read back, whole, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from envolve.environments.errors import InputError
from envolve.environments.models import Verdict
from envolve.memory import AlreadyDone, RunStore
from envolve.memory.records import PlannedItem


def test_a_store_is_created_once_and_opened_again(folder: Path) -> None:
    with RunStore.create(folder, {"seed": 7, "band": "0.2:0.6"}) as store:
        info = store.info()
    assert (info.config, info.state, info.embedder) == ({"seed": 7, "band": "0.2:0.6"}, "running", None)
    with RunStore.open(folder) as store:
        assert store.info() == info
        store.update(state="done", config={"seed": 7}, more_seconds=2.5)
        store.update(more_seconds=1.5)
        assert (store.info().state, store.info().seconds, store.info().config) == ("done", 4.0, {"seed": 7})
    with pytest.raises(InputError, match="already holds a run"):
        RunStore.create(folder, {})


def test_opening_what_is_not_there_names_the_folder(tmp_path: Path) -> None:
    for opening in (RunStore.open, RunStore.open_read_only):
        with pytest.raises(InputError, match="no run in"):
            opening(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_everything_committed_is_read_back(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    parent, child = make.task(0), make.task(1, parent="version-0", operator="deepen", generation=1, root="version-0")
    environment, step = make.environment(), make.step()
    effect, finding, measurement = make.effect("version-0", "version-1"), make.finding(), make.measurement()
    rollouts = [make.rollout(index=index) for index in range(3)]
    with store.commit("k") as tx:
        assert tx.round == 0
        tx.add_rollouts(rollouts)  # before their task: order within a commit is free
        tx.add_task(parent)
        tx.add_task(child)
        tx.add_environment(environment)
        tx.add_audit(make.audit(grade="weak"))
        tx.add_audit(make.audit())
        tx.add_measurement(measurement)
        tx.add_effect(effect)
        tx.add_findings([finding])
        tx.add_agent_steps([step])
        tx.finish(fate="admitted", result={"environment": environment.id}, seconds=3.0, tokens=5, cost_usd=0.5)
    read = store.environments.get(environment.id)
    assert read is not None
    assert (read.vector == environment.vector).all()
    assert (read.signature, read.lineage, read.scenario) == (
        environment.signature,
        environment.lineage,
        environment.scenario,
    )
    tasks = store.tasks.all(root="version-0")
    assert [(task.version, task.task, task.operator) for task in tasks] == [
        ("version-0", parent.task, None),
        ("version-1", child.task, "deepen"),
    ]
    assert list(store.rollouts.iterate(version="version-0", batch=2)) == rollouts
    assert store.rollouts.get("version-0", "p1", "measure", 1) == rollouts[1]
    assert store.tasks.audit("version-0") == make.audit()
    assert store.tasks.latest_measurements() == {"version-0": measurement}
    assert store.operators.effects() == [effect]
    assert store.agents.steps(item="k") == [step]
    assert [found.finding for found in store.findings.all()] == [finding.finding]
    item = store.work.item("k")
    assert item is not None
    assert (item.status, item.fate, item.result, item.seconds, item.tokens, item.cost_usd) == (
        "done",
        "admitted",
        {"environment": environment.id},
        3.0,
        5,
        0.5,
    )


def test_an_exception_takes_everything_back(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    store.staging.put("k", "reply", 0, "paid for")
    with pytest.raises(ZeroDivisionError), store.commit("k") as tx:
        tx.finish(seconds=1, cost_usd=tx.add_environment(make.environment()) / 0)
    assert store.environments.all() == []
    assert store.staging.get("k", "reply", 0) == "paid for"
    assert not store.work.is_closed("k")


def test_a_key_is_done_once(store: RunStore, make: Any) -> None:
    make.plan(store, "k", "l")
    with store.commit("k"):
        pass
    with pytest.raises(AlreadyDone), store.commit("k") as tx:
        tx.add_environment(make.environment())
    store.work.give_up("l", "set_aside", "the endpoint is down", seconds=2)
    with pytest.raises(AlreadyDone):
        store.work.give_up("l", "failed", "again")
    with pytest.raises(KeyError), store.commit("unknown"):
        pass
    assert store.environments.all() == []
    assert store.progress.item_statuses() == {"done": 1, "set_aside": 1}
    assert [item.reason for item in store.work.items(status="set_aside")] == ["the endpoint is down"]


def test_what_is_stored_already_is_kept_and_not_doubled(store: RunStore, make: Any) -> None:
    make.plan(store, "a", "b")
    with store.commit("a") as tx:
        assert tx.add_environment(make.environment())
        assert tx.add_task(make.task())
        assert tx.add_rollouts([make.rollout(), make.rollout(index=1)]) == 2
    with store.commit("b") as tx:
        assert not tx.add_environment(make.environment(fate="duplicate"))
        assert not tx.add_task(make.task(fate="duplicate"))
        assert tx.add_rollouts([make.rollout(index=1), make.rollout(index=2)]) == 1
    assert store.progress.environment_fates() == {"admitted": 1}
    assert store.rollouts.next_index("version-0", "p1", "measure") == 3
    assert store.rollouts.next_index("version-0", "p1", "confirm") == 0


def test_a_lineage_stays_in_its_split(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_task(make.task(split="held_out"))
        with pytest.raises(ValueError, match="lineage is held_out"):
            tx.add_task(make.task(1, root="version-0", parent="version-0"))


def test_rows_must_refer_to_rows(store: RunStore, make: Any) -> None:
    from sqlalchemy.exc import IntegrityError

    make.plan(store, "k")
    with pytest.raises(IntegrityError), store.commit("k") as tx:
        tx.add_task(make.task(environment="nowhere"))
    assert store.tasks.all() == []


def test_staging_keeps_the_first_counts_cost_and_is_promoted(store: RunStore, make: Any) -> None:
    make.plan(store, "k", "l")
    assert store.staging.put("k", "reply", "9f", {"text": "yes"}, tokens=30, cost_usd=0.25)
    assert not store.staging.put("k", "reply", "9f", {"text": "no"}, tokens=30, cost_usd=0.25)
    store.staging.put("k", "rollout", 0, make.rollout())
    store.staging.put("k", "audit", 0, make.audit())
    store.staging.put("l", "reply", 0, None, tokens=5, cost_usd=0.5)
    with pytest.raises(KeyError):
        store.staging.put("unknown", "reply", 0, 1)
    assert store.staging.get("k", "reply", "9f") == {"text": "yes"}
    assert store.staging.get("k", "reply", "other") is None
    assert [row.kind for row in store.staging.all("k")] == ["reply", "rollout", "audit"]
    assert store.progress.totals().tokens == 35
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_task(make.task())
        tx.promote()
        tx.finish(tokens=1, cost_usd=0.25)
    assert store.staging.all("k") == []
    assert list(store.rollouts.iterate()) == [make.rollout()]
    assert store.tasks.audit("version-0") == make.audit()
    store.work.give_up("l", "failed", "no good")
    totals = store.progress.totals()
    assert (totals.tokens, totals.cost_usd, totals.rollouts) == (36, 1.0, 1)


def test_planning_twice_changes_nothing(store: RunStore, make: Any) -> None:
    make.plan(store, "b", "a")
    make.plan(store, "a", "b")
    with pytest.raises(ValueError, match="other items"):
        make.plan(store, "a", "c")
    store.work.add_items(0, [PlannedItem(key="a", kind="other"), PlannedItem(key="c", kind="new", inputs={"x": [1]})])
    assert [(item.key, item.kind) for item in store.work.items(0)] == [("a", "new"), ("b", "new"), ("c", "new")]
    assert (store.work.attempt("a"), store.work.attempt("a")) == (1, 2)
    with pytest.raises(KeyError):
        store.work.attempt("unknown")
    store.work.finish_round(0)
    assert [(found.number, found.plan, found.status) for found in store.work.rounds()] == [
        (0, {"why": "test"}, "done")
    ]


def test_status_has_the_keys_of_its_contract(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_environment(make.environment(1, fate="duplicate", reason="like world-0"))
        tx.add_task(make.task(0))
        tx.add_task(make.task(1, stage="audited", fate="too_hard"))
        tx.add_task(make.task(2, stage="proposed", fate="broken"))
        tx.add_task(make.task(3, stage="accepted", fate=None))
        tx.add_rollouts([make.rollout()])
    assert store.progress.status().model_dump() == {
        "state": "running",
        "environments": (
            {"id": "world-0", "scenario": "World 0", "tables": 6, "tools": 13, "rows": 80, "tasks": 4, "in_band": 1},
        ),
        "tasks": {
            "proposed": 4,
            "audited": 3,
            "accepted": 2,
            "confirmed": 1,
            "rejected": {"broken": 1, "too_hard": 1},
            "pairs": 0,
        },
        "rollouts": 1,
        "tokens": 0,
        "cost_usd": 0.0,
        "seconds": 0.0,
    }
    assert [(card.id, card.fate, card.tasks, card.reason) for card in store.environments.cards()] == [
        ("world-0", "admitted", 4, ""),
        ("world-1", "duplicate", 0, "like world-0"),
    ]
    assert store.tasks.in_band() == {"world-0": 1}


def test_measurements_latest_wins_and_can_be_stale(store: RunStore, make: Any) -> None:
    make.plan(store, "k", "l")
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_task(make.task(stage="audited", fate=None))
        tx.add_measurement(make.measurement())
        tx.add_measurement(make.measurement(profile="p2", passes=0, decision="too_hard"))
    with store.commit("l") as tx:
        assert tx.mark_stale("p1") == 1
        tx.set_task("version-0", stage="confirmed", fate="confirmed")
        tx.set_environment("world-0", fate="broken", reason="found later")
        with pytest.raises(KeyError):
            tx.set_task("unknown", stage="audited", fate=None)
    assert store.tasks.stale("p1") == ["version-0"]
    assert store.tasks.stale("p2") == []
    (standing,) = store.tasks.standings(profile="p2")
    assert standing.measurement is not None
    assert (standing.category, standing.fate, standing.measurement.decision) == (
        "hospitality",
        "confirmed",
        "too_hard",
    )
    assert store.tasks.standings(before_round=0) == []
    assert len(store.tasks.measurements("version-0")) == 2


def test_operators_are_summed_with_placebos_apart(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_task(make.task(0))
        for number in (1, 2, 3):
            tx.add_task(make.task(number, parent="version-0", root="version-0", operator="deepen", generation=1))
        tx.add_effect(make.effect("version-0", "version-1"))
        tx.add_effect(make.effect("version-0", "version-2", child_passes=12))
        tx.add_effect(make.effect("version-0", "version-3", placebo=True, child_passes=9))
        tx.add_effect(make.effect("version-0", "version-3", child_n=0, child_passes=0))
    real, placebo = store.operators.summaries()
    assert (real.operator, real.applications, real.moved, real.children, real.confirmed) == ("deepen", 2, 1, 3, 3)
    assert real.shift == pytest.approx((-6 + 3) / 12 / 2)
    assert (placebo.placebo, placebo.applications, placebo.moved, placebo.shift) == (True, 1, 0, 0.0)


def test_findings_tell_kinds_repeats_and_sources(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with store.commit("k") as tx:
        doubt = {"confirmed": False, "source": "critic:rules"}
        tx.add_findings([make.finding(0), make.finding(1, kind="sign_flipped"), make.finding(2, **doubt)])
        tx.add_findings([make.finding(3, created_round=1), make.finding(4, kind="new_kind", created_round=1)])
    assert store.findings.kinds() == {"missing_guard": 2, "new_kind": 1, "sign_flipped": 1}
    assert store.findings.repeats() == {0: (0, 2), 1: (1, 2)}
    assert [(source.source, source.confirmed, source.doubts) for source in store.findings.sources()] == [
        ("critic:rules", 0, 1),
        ("gate:fuzz", 4, 0),
    ]


def test_rollouts_are_counted_by_outcome(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    failed = Verdict(outcome="incomplete", reward=0.0)
    partial = Verdict(outcome="incomplete", reward=0.5)
    void = Verdict(outcome="environment_error")
    with store.commit("k") as tx:
        tx.add_environment(make.environment())
        tx.add_task(make.task())
        verdicts = [Verdict(outcome="completed", reward=1.0), failed, partial, void]
        tx.add_rollouts(make.rollout(index=index, verdict=verdict) for index, verdict in enumerate(verdicts))
        tx.add_agent_steps([make.step(0), make.step(1)])
    (tally,) = store.rollouts.tallies(version="version-0", profile="p1")
    assert (tally.passes, tally.n, tally.excluded) == (1, 3, 1)
    assert [row.outcome for row in store.rollouts.summaries()] == [verdict.outcome for verdict in verdicts]
    (role,) = store.agents.totals()
    assert (role.role, role.steps, role.tokens, role.seconds) == ("coder", 2, 14, 3.0)


def test_writing_beside_an_open_commit_is_a_mistake(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with store.commit("k"), pytest.raises(RuntimeError, match="write through it"):
        store.staging.put("k", "reply", 0, 1)
    assert store.work.is_closed("k")


def test_threads_may_stage_at_once(store: RunStore, make: Any) -> None:
    make.plan(store, "k")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda index: store.staging.put("k", "reply", index, index, tokens=1), range(100)))
    assert {row.payload for row in store.staging.all("k")} == set(range(100))
    assert store.progress.totals().tokens == 100


def test_reading_goes_on_beside_a_writer(store: RunStore, folder: Path, make: Any) -> None:
    make.plan(store, "k")
    with RunStore.open_read_only(folder) as reader:
        with store.commit("k") as tx:
            tx.add_environment(make.environment())
            assert reader.environments.all() == []
        assert len(reader.environments.all()) == 1
