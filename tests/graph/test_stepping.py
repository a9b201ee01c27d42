"""Steps are staged once and recorded in the order of a run that does one thing at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envolve.agents.team import TeamSpec
from envolve.environments.canonical import canonical_json
from envolve.graph.requests import ScoutRequest
from envolve.graph.stepping import StepRunner, agents_work
from envolve.graph.steps import SCOUT, perform_json
from envolve.memory.records import PlannedItem
from envolve.memory.store import RunStore


class Here:
    """Runs steps in this process."""

    async def run(self, step: str, payload: str) -> str:
        return await perform_json(step, payload, canonical_json(TeamSpec()))

    def close(self) -> None:
        pass

    def kill(self) -> None:
        pass


# Seeds tell steps apart; each is given with its branch.
MAIN, LAST = [(0, None), (1, None)], [(90, None), (91, None)]
Order = list[tuple[int, int | None]]
SERIAL: Order = [
    *MAIN,
    (10, 0),
    (11, 0),
    (20, 1),
    (21, 1),
    (22, 1),
    (30, 2),
    *LAST,
    (40, 0),
    (50, 1),
]


@pytest.mark.parametrize(
    "order",
    [
        SERIAL,
        [*MAIN, (10, 0), (20, 1), (30, 2), (11, 0), (21, 1), (22, 1), *LAST, (40, 0), (50, 1)],
        [*MAIN, (30, 2), (20, 1), (21, 1), (10, 0), (22, 1), (11, 0), *LAST, (50, 1), (40, 0)],
    ],
)
def test_branches_are_recorded_one_after_the_other(order: Order, tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {}) as store:
        store.work.plan_round(1, {}, [PlannedItem(key="k", kind="build")])
        runner = StepRunner(store, Here(), TeamSpec(), root=tmp_path)

        async def work() -> None:
            for seed, branch in order:
                await runner.run("k", SCOUT, ScoutRequest(count=1, seed=seed, known=()), branch=branch)

        asyncio.run(work())
        recorded = [(step.index, step.inputs["seed"]) for step in agents_work(store, "k").steps]
    assert recorded == list(enumerate(seed for seed, _ in SERIAL))
