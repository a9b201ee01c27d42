"""What is remembered of findings: fixes that worked, and nothing of held-out environments."""

from __future__ import annotations

from pathlib import Path

import pytest

from envolve.agents.faults import plants
from envolve.agents.tester import Effort, run_gates
from envolve.environments.models import Finding
from envolve.environments.models.environment import Split
from envolve.environments.package import Environment
from envolve.graph import evidence
from envolve.graph.items import Item
from envolve.graph.learning import learn_step
from envolve.graph.requests import BuildOutcome, Found, Lesson, Package
from envolve.graph.round_memory import DEFECTS_TOLD, RoundMemory, told, with_probe
from envolve.memory import Librarian, MemoryIndex, RunLock, RunStore, embedder_named
from envolve.memory.records import PlannedItem

SAMPLE = Path(__file__).parents[1] / "data" / "table-booking"


@pytest.fixture(scope="module")
def sound() -> Environment:
    return Environment.load(SAMPLE)


@pytest.fixture(scope="module")
def faulty(sound: Environment) -> Environment:
    """A list of it repeats its rows."""
    return next(iter(plants(sound, "duplicate_rows"))).environment


@pytest.fixture(scope="module")
def finding(faulty: Environment) -> Finding:
    found = run_gates(faulty, seed=1, effort=Effort(calls_per_tool=60, least=400)).blocking
    return next(claim for claim in found if claim.probe is not None and claim.probe.calls)


def _lesson(finding: Finding, *drafts: Environment) -> Lesson:
    (lesson,) = learn_step([(drafts[0], Found(finding=finding, path=""))], drafts).lessons
    return lesson


def test_a_fix_is_the_change_after_which_the_probe_shows_nothing(
    finding: Finding, faulty: Environment, sound: Environment
) -> None:
    lesson = _lesson(finding, faulty, sound)
    place = ".".join(finding.where.split(".")[:2])
    assert lesson.fix.startswith(place)
    assert "became" in lesson.fix
    assert finding.probe is not None
    assert {call.call for call in finding.probe.calls} <= {tool.name for tool in lesson.scene.tools}
    assert all(not tool.steps and tool.returns is None for tool in lesson.scene.tools)


def test_a_change_after_which_it_is_still_there_is_no_fix(
    finding: Finding, faulty: Environment, sound: Environment
) -> None:
    spec = faulty.spec.model_copy(update={"policy": faulty.spec.policy + "99. Nobody runs.\n"})
    reworded = Environment(faulty.kit, spec, faulty.schema_sql, faulty.seed_sql, faulty.tools_file, faulty.tasks)
    assert _lesson(finding, faulty).fix == ""
    assert _lesson(finding, faulty, reworded).fix == ""
    assert "Nobody runs" not in _lesson(finding, faulty, reworded, sound).fix
    assert _lesson(finding.model_copy(update={"confirmed": False}), faulty, sound).fix == ""


@pytest.mark.parametrize(("split", "shown"), [("train", 1), ("held_out", 0)])
def test_nothing_of_held_out_environments_is_told(
    split: Split, shown: int, finding: Finding, faulty: Environment, sound: Environment, tmp_path: Path
) -> None:
    item = Item(round=1, kind="build", name="one")
    lesson = _lesson(finding, faulty, sound)
    build = BuildOutcome(fate="admitted", findings=(finding,), lessons=(lesson,))
    with RunStore.create(tmp_path, {}) as store, RunLock(tmp_path) as lock, MemoryIndex(store, lock) as index:
        librarian = Librarian(store, embedder_named(), search=index)
        memory = RoundMemory(librarian, index)
        store.work.plan_round(1, {}, [PlannedItem(key=item.key, kind="build")])
        with store.commit(item.key) as tx:
            package = Package(id=sound.id, hash=sound.hash, path="")
            tx.add_findings(evidence.findings(item, package, build, memory, split))
            tx.finish(fate="admitted")
        memory.begin(2)
        found = librarian.defects("tables of a restaurant", n=5)
        assert len(found) == shown
        assert librarian.defects("tables of a restaurant", n=5, before_round=1) == []
        for defect in found:
            probing = with_probe(defect)
            assert probing.fix == lesson.fix
            assert probing.tools == lesson.scene.tools
            (plain,) = told([probing])
            assert (plain.probe, plain.tools) == (None, ())
            assert told([probing] * (DEFECTS_TOLD + 1)) == (plain,) * DEFECTS_TOLD
            assert build.fixed == (finding.where,)
