"""A small run of one seed in one arm: rounds of builds, each tested, probed, reviewed, repaired and remembered.

The order is that of `graph/build_graph.py`, from coder to critics; first tasks and novelty are left out.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from envolve.agents.base import PastDefect, Scenario
from envolve.agents.procedural import ProceduralCoder
from envolve.agents.recalled import recalled
from envolve.agents.scenarios import shipped_scenarios
from envolve.environments.canonical import seed_from
from envolve.environments.models import Finding
from envolve.environments.package import Environment
from envolve.graph import evidence
from envolve.graph.build_graph import MAX_REPAIRS
from envolve.graph.items import Item
from envolve.graph.learning import learn_step
from envolve.graph.requests import BuildOutcome, Found, Package
from envolve.graph.round_memory import DEFECTS_TOLD, RoundMemory
from envolve.memory import Embedder, Librarian, MemoryIndex, RunLock, RunStore, embedder_named
from envolve.memory.records import PlannedItem

from .coder import Draft, drafted, habits, warned
from .looking import EachOnce, Looking, blocking
from .settings import ARMS, Arm, Build, Settings


def grown(seed: int, settings: Settings) -> list[Build]:
    """All builds of a seed, arm after arm. Depends on the arguments alone."""
    drafts, looking = _drafts(seed, settings), Looking(seed, settings.calls)
    embedder = EachOnce(embedder_named())
    return [build for arm in ARMS for build in _arm(arm, seed, settings, drafts, looking, embedder)]


def _drafts(seed: int, settings: Settings) -> list[tuple[Scenario, Draft]]:
    scenarios = shipped_scenarios()
    random.Random(seed_from("scenarios", seed)).shuffle(scenarios)
    kinds = habits(seed, settings.habits)
    wanted = scenarios[: settings.rounds * settings.builds]
    return [(scenario, drafted(scenario, seed_from(seed, scenario.id), kinds)) for scenario in wanted]


def _arm(
    arm: Arm,
    seed: int,
    settings: Settings,
    drafts: Sequence[tuple[Scenario, Draft]],
    looking: Looking,
    embedder: Embedder,
) -> Iterator[Build]:
    with tempfile.TemporaryDirectory(prefix="envolve-bench-") as place:
        folder = Path(place)
        with RunStore.create(folder, {}) as store, RunLock(folder) as lock, MemoryIndex(store, lock) as index:
            memory = RoundMemory(Librarian(store, embedder, search=index), index)
            yield from _Line(arm, seed, settings, looking, store, memory).rounds(drafts)


class _Built(NamedTuple):
    """A build to its end: its packages in order, and each finding that blocked one of them."""

    drafts: list[Environment]
    found: list[tuple[Environment, Finding]]
    admitted: bool


class _Line:
    """One arm's run."""

    def __init__(
        self, arm: Arm, seed: int, settings: Settings, looking: Looking, store: RunStore, memory: RoundMemory
    ) -> None:
        self._arm = arm
        self._seed = seed
        self._settings = settings
        self._looking = looking
        self._store = store
        self._memory = memory
        self._confirmed = set[str]()
        self._meaning = dict[str, str]()

    def rounds(self, drafts: Sequence[tuple[Scenario, Draft]]) -> Iterator[Build]:
        builds = self._settings.builds
        for number in range(1, self._settings.rounds + 1):
            items = [
                (Item(round=number, kind="build", name=scenario.id, scenario=scenario), draft)
                for scenario, draft in drafts[(number - 1) * builds : number * builds]
            ]
            planned = [PlannedItem(key=item.key, kind="build") for item, _ in items]
            self._store.work.plan_round(number, {}, planned)
            self._memory.begin(number)
            confirmed = set[str]()
            for item, draft in items:
                build, kind = self._build(item, draft)
                confirmed |= {kind} if kind else set()
                yield build
            self._confirmed |= confirmed
            self._store.work.finish_round(number)

    def _build(self, item: Item, draft: Draft) -> tuple[Build, str]:
        """What became of it, and the kind of fault that was confirmed and mended ("" if none was)."""
        defects = self._defects(item, draft)
        kind = draft.planted.kind if draft.planted is not None else ""
        told = warned(draft, defects[:DEFECTS_TOLD], self._meaning)
        written = draft.planted is not None and not (told and self._arm == "with" and self._heeds(item))
        first = draft.planted.environment if written and draft.planted is not None else draft.sound
        built = self._to_its_end(first, defects, item)
        mended = self._remember(item, built)
        if mended:
            self._meaning[built.drafts[-1].id] = kind
        build = Build(
            seed=self._seed,
            arm=self._arm,
            round=item.round,
            prone=kind,
            repeat=kind in self._confirmed,
            warned=told,
            written=written,
            admitted=built.admitted,
            left=built.drafts[-1].hash != draft.sound.hash,
            found_by=tuple(sorted({finding.source for _, finding in built.found})),
            false_alarms=0 if written else len(built.found),
        )
        return build, kind if written and mended else ""

    def _defects(self, item: Item, draft: Draft) -> tuple[PastDefect, ...]:
        if self._arm == "without" or item.scenario is None:
            return ()
        return self._memory.defects_like(item.scenario, draft.blueprint)

    def _heeds(self, item: Item) -> bool:
        return random.Random(seed_from("heed", self._seed, item.key)).random() < self._settings.heed

    def _to_its_end(self, first: Environment, defects: Sequence[PastDefect], item: Item) -> _Built:
        """Repaired until nothing blocks it, or no further."""
        drafts, found = [first], list[tuple[Environment, Finding]]()
        for turn in range(MAX_REPAIRS + 1):
            current = drafts[-1]
            claims = self._claims(current, defects, item)
            if not claims:
                return _Built(drafts, found, admitted=True)
            found += [(current, claim) for claim in claims]
            repaired = asyncio.run(ProceduralCoder().repair(current, claims, seed=turn))
            if repaired is None or repaired.hash == current.hash:
                break
            drafts.append(repaired)
        return _Built(drafts, found, admitted=False)

    def _claims(self, current: Environment, defects: Sequence[PastDefect], item: Item) -> tuple[Finding, ...]:
        seed = seed_from(self._seed, item.key)
        return (
            self._looking.tested(current)
            or blocking(recalled(current, defects, seed=seed))
            or self._looking.reviewed(current)
        )

    def _remember(self, item: Item, built: _Built) -> bool:
        """Store the findings as a run does; whether a repair mended one of them."""
        last = built.drafts[-1]
        found = [(environment, Found(finding=claim, path="")) for environment, claim in built.found]
        lessons = learn_step(found, built.drafts).lessons
        outcome = BuildOutcome(
            fate="admitted" if built.admitted else "broken",
            findings=tuple(claim for _, claim in built.found),
            lessons=lessons,
        )
        package = Package(id=last.id, hash=last.hash, path="")
        with self._store.commit(item.key) as tx:
            tx.add_findings(evidence.findings(item, package, outcome, self._memory, "train"))
            tx.finish(fate=outcome.fate)
        return any(lesson.fix for lesson in lessons)
