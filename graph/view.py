"""The committed state of a run, as the planner sees it."""

from __future__ import annotations

from typing import cast

from ..agents.base import Scenario
from ..memory.store import RunStore
from .config import RunConfig
from .planning import RunView, TaskView


def run_view(store: RunStore, config: RunConfig, profile: str) -> RunView:
    """What earlier rounds committed; `profile` is the target solver's."""
    items = [item for item in store.work.items() if item.status != "pending"]
    scouted = [
        Scenario.model_validate(scenario)
        for item in items
        if item.kind == "scout"
        for scenario in (item.result or {}).get("scenarios", [])
    ]
    return RunView(
        scenarios=(*config.scenarios, *scouted),
        tried=frozenset(item.key.rsplit("/", 1)[-1] for item in items if item.kind == "build"),
        environments=tuple(card.id for card in store.environments.cards(fate="admitted")),
        tasks=_tasks(store, profile),
        rated=frozenset((item.inputs["task"], item.inputs["solver"]) for item in items if item.kind == "rate"),
        scouted_dry=any(item.kind == "scout" and not (item.result or {}).get("scenarios") for item in items),
    )


def _tasks(store: RunStore, profile: str) -> tuple[TaskView, ...]:
    applied = dict[str, set[str]]()
    stuck = set[str]()
    for item in store.work.items():
        if item.kind == "measure" and item.status == "set_aside":
            stuck.add(item.inputs["task"])
        if item.kind == "evolve" and item.status != "pending":
            applied.setdefault(item.inputs["task"], set()).add(item.inputs["operator"])
    return tuple(
        TaskView(
            version=standing.version,
            id=standing.id,
            environment=standing.environment,
            fate="unmeasured" if standing.version in stuck else standing.fate,
            rate=cast(float, standing.measurement.posterior["mean"]) if standing.measurement else None,
            generation=standing.generation,
            operators=frozenset(applied.get(standing.version, ())),
        )
        for standing in store.tasks.standings(profile=profile, purpose="measure")
    )
