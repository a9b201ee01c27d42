"""No cache keeps an environment alive: a run, or a bench of a thousand worlds, takes no more memory at its end."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path

from envolve.agents.base import Brief, Scenario
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.procedural.tasks.writer import ProceduralTaskWriter
from envolve.agents.tester import run_gates
from envolve.environments import Environment
from envolve.environments.gold import run_gold
from envolve.environments.kit import Kit
from envolve.eval.audit import audit
from envolve.memory.signatures import environment_signature

SAMPLE = Path(__file__).parents[1] / "data" / "table-booking"


def left_of(kit: weakref.ref[Kit]) -> bool:
    gc.collect()
    return kit() is not None


def test_nothing_keeps_an_environment_that_was_audited() -> None:
    environment = Environment.load(SAMPLE)
    kit = weakref.ref(environment.kit)
    assert audit(environment, environment.tasks["move-the-anniversary-dinner"], seed=1).grade == "sound"
    assert environment_signature(environment).parts
    assert left_of(kit)
    del environment
    assert not left_of(kit)


async def _made() -> weakref.ref[Kit]:
    brief = Brief(
        scenario=Scenario(id="key-desk", name="Key desk", category="housing", text="Keys are lent."), seed=3
    )
    environment = await ProceduralCoder().write(brief, await ProceduralArchitect().design(brief))
    assert run_gates(environment, seed=1).gates
    writer = ProceduralTaskWriter()
    task, *_ = await writer.propose(environment, 1, seed=1)
    task = await writer.write_verifier(environment, task, run_gold(environment, task))
    assert audit(environment.with_tasks([task]), task, seed=1).gates
    return weakref.ref(environment.kit)


def test_nothing_keeps_an_environment_that_was_composed() -> None:
    assert not left_of(asyncio.run(_made()))
