"""A process that plans, stages and commits until it is stopped, saying what is done after each commit.

Run as a script by the tests of faults: `worker.py FOLDER [--limit-file BYTES] [--last N]`.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

from envolve.environments.errors import ServiceError
from envolve.environments.models import Rollout, Task, Trace, TraceEvent, Verdict
from envolve.memory import RunLock, RunStore
from envolve.memory.records import EnvironmentRecord, PlannedItem, Signature, TaskRecord

ITEMS, TASKS, ROLLOUTS = 40, 3, 4


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def environment(number: int) -> EnvironmentRecord:
    return EnvironmentRecord(
        id=f"e{number}",
        hash=str(number),
        scenario={"name": f"E{number}"},
        category="c",
        fate="admitted",
        tables=1,
        tools=1,
        rows=1,
        text="text " * 400,
        signature=Signature(),
    )


def task(number: int, place: int) -> TaskRecord:
    actor = {"roles": ("host",), "id": 1}
    given = {"id": f"t{place}", "instruction": f"do {place}", "actor": actor, "goal": {"text": "done"}}
    version = f"e{number}-t{place}"
    return TaskRecord(
        version=version,
        id=f"t{place}",
        environment=f"e{number}",
        task=Task.model_validate(given),
        root=version,
        text="t",
        signature=Signature(),
    )


def rollout(number: int, place: int, index: int) -> Rollout:
    said = TraceEvent(kind="message", role="assistant", text=f"{number} {place} {index} " * 50)
    return Rollout(
        environment=f"e{number}",
        task=f"t{place}",
        version=f"e{number}-t{place}",
        solver="s",
        profile="p",
        purpose="measure",
        index=index,
        verdict=Verdict(outcome="completed", reward=1.0),
        trace=Trace(environment=f"e{number}", events=(said,)),
    )


def commit(store: RunStore, number: int) -> None:
    key = f"k{number:03d}"
    if store.work.is_closed(key):
        return
    store.work.attempt(key)
    for place in range(TASKS):
        for index in range(ROLLOUTS):
            name = place * ROLLOUTS + index
            if store.staging.put(key, "rollout", name, rollout(number, place, index), tokens=1):
                say(f"staged {key} {name}")
    with store.commit(key) as tx:
        tx.add_environment(environment(number))
        for place in range(TASKS):
            tx.add_task(task(number, place))
        tx.promote()
    say(f"committed {key}")


def work(folder: Path, limit: int | None, last: int) -> None:
    with RunLock(folder), RunStore.open(folder) as store:
        store.work.plan_round(0, {}, [PlannedItem(key=f"k{n:03d}", kind="new") for n in range(ITEMS)])
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            for number in range(last):
                commit(store, number)
        except ServiceError as error:
            say(f"refused: {error}")
            say(f"readable: {len(store.environments.all())}")
            return
    say("finished")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit-file", type=int)
    parser.add_argument("--last", type=int, default=ITEMS)
    given = parser.parse_args()
    work(given.folder, given.limit_file, given.last)
