"""The committed state of a run, as the planner sees it, kept up round by round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ..agents.base import Scenario
from ..memory.records import WorkItem
from ..memory.store import RunStore
from ..memory.store.queries import TaskStanding
from .config import RunConfig
from .planning import FRUITLESS_BUILDS, FRUITLESS_WRITES, RunView, TaskView


class Standing:
    """What finished rounds committed. A round costs what is new since the last one that was taken in; a process that
    opens the run later comes to the same. `profile` is the target solver's."""

    def __init__(self, store: RunStore, config: RunConfig, profile: str) -> None:
        self._store = store
        self._profile = profile
        self._round = -1
        self._scenarios = {scenario.id: scenario for scenario in config.scenarios}
        self._tried = set[str]()
        self._tasks = dict[str, TaskView]()
        self._applied = dict[str, frozenset[str]]()
        self._stuck = set[str]()
        self._rated = set[tuple[str, str]]()
        self._paired = set[str]()
        self._fruitless = dict[str, int]()
        self._broken_builds = 0
        self._scouted_dry = False

    def after(self, number: int) -> RunView:
        """When all rounds up to `number` are finished. Rounds are taken in once, in their order."""
        items = self._store.work.items(after_round=self._round)
        for item in items:
            self._take_in(item)
        self._update(self._store.tasks.standings(profile=self._profile, purpose="measure", settled_after=self._round))
        self._evolved({item.inputs["task"] for item in items if item.kind in {"evolve", "measure"}})
        self._round = number
        return RunView(
            scenarios=tuple(self._scenarios.values()),
            tried=frozenset(self._tried),
            environments=tuple(self._store.environments.ids(fate="admitted")),
            tasks=tuple(self._tasks.values()),
            rated=frozenset(self._rated),
            scouted_dry=self._scouted_dry,
            written_dry=frozenset(name for name, runs in self._fruitless.items() if runs >= FRUITLESS_WRITES),
            built_dry=self._broken_builds >= FRUITLESS_BUILDS,
        )

    def _take_in(self, item: WorkItem) -> None:
        inputs = item.inputs
        if item.kind == "build":
            self._tried.add(inputs["name"])
            broken = item.status == "set_aside" or item.fate == "broken"
            self._broken_builds = self._broken_builds + 1 if broken else 0
        elif item.kind == "scout":
            self._scouted(item)
        elif item.kind == "write":
            self._written(item)
        elif item.kind == "rate":
            self._rated.add((inputs["task"], inputs["solver"]))
        elif item.kind == "measure" and item.status == "set_aside":
            self._stuck.add(inputs["task"])
        elif item.kind == "evolve":
            self._applied[inputs["task"]] = self._applied.get(inputs["task"], frozenset()) | {inputs["operator"]}

    def _scouted(self, item: WorkItem) -> None:
        """A scenario whose id is known already is no new one."""
        found = [Scenario.model_validate(scenario) for scenario in (item.result or {}).get("scenarios", [])]
        for scenario in found:
            self._scenarios.setdefault(scenario.id, scenario)
        self._scouted_dry = self._scouted_dry or not found

    def _written(self, item: WorkItem) -> None:
        """Stores of earlier versions do not say what a write item came to: they count as fruitful."""
        environment = item.inputs["environment"]
        admitted = 0 if item.status == "set_aside" else (item.result or {}).get("admitted", 1)
        self._fruitless[environment] = 0 if admitted else self._fruitless.get(environment, 0) + 1

    def _update(self, standings: Iterable[TaskStanding]) -> None:
        """A twin is not planned for by itself: its refusal stands for both."""
        found = list(standings)
        self._paired |= {standing.twin_of for standing in found if standing.twin_of}
        for standing in (standing for standing in found if standing.twin_of is None):
            self._tasks[standing.version] = TaskView(
                version=standing.version,
                id=standing.id,
                environment=standing.environment,
                fate=standing.fate,
                rate=cast(float, standing.measurement.posterior["mean"]) if standing.measurement else None,
                generation=standing.generation,
                operators=self._applied.get(standing.version, frozenset()),
                paired=standing.version in self._paired,
            )

    def _evolved(self, versions: Iterable[str]) -> None:
        for version in versions:
            view = self._tasks[version]
            fate = "unmeasured" if version in self._stuck else view.fate
            self._tasks[version] = view._replace(fate=fate, operators=self._applied.get(version, frozenset()))
