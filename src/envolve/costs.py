"""What a run paid models for: building, by role, and measuring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import Status
    from envolve.memory.store.queries.rollouts import Spent

AWM_USD = 57.09
"""Dollars that AWM reports for 100 environments by GPT-5, scenario to verification code (arXiv 2602.10090). Quoted, not
measured here."""


class RoleCost(NamedTuple):
    """What one role's steps by one implementation came to."""

    role: str
    implementation: str
    steps: int
    tokens: int
    cost_usd: float


class Costs(NamedTuple):
    """`build_usd` is all but rollouts: scenarios, environments, tasks, verifiers, reviews, operators, whatever became of
    them. `measure_usd` is what solvers' rollouts cost."""

    build_usd: float
    measure_usd: float
    build_tokens: int
    measure_tokens: int
    environments: int
    admitted_tasks: int
    in_band_tasks: int
    roles: tuple[RoleCost, ...]

    @property
    def per_environment_usd(self) -> float | None:
        return _share(self.build_usd, self.environments)

    @property
    def per_admitted_task_usd(self) -> float | None:
        return _share(self.build_usd, self.admitted_tasks)

    @property
    def per_in_band_task_usd(self) -> float | None:
        """Measuring included: it is how a task is known to be in the band."""
        return _share(self.build_usd + self.measure_usd, self.in_band_tasks)

    @property
    def hundred_environments_usd(self) -> float | None:
        """What building a hundred environments would cost at this run's rate."""
        each = self.per_environment_usd
        return None if each is None else 100 * each

    def as_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "roles": [role._asdict() for role in self.roles],
            "per_environment_usd": self.per_environment_usd,
            "per_admitted_task_usd": self.per_admitted_task_usd,
            "per_in_band_task_usd": self.per_in_band_task_usd,
            "hundred_environments_usd": self.hundred_environments_usd,
            "awm_hundred_environments_usd": AWM_USD,
        }


def costs_of(store: RunStore, status: Status) -> Costs:
    """Of a run, from its store."""
    measured = store.rollouts.spent()
    return Costs(
        build_usd=max(0.0, status.cost_usd - measured.cost_usd),
        measure_usd=measured.cost_usd,
        build_tokens=max(0, status.tokens - measured.tokens),
        measure_tokens=measured.tokens,
        environments=len(status.environments),
        admitted_tasks=status.tasks.audited,
        in_band_tasks=status.tasks.confirmed,
        roles=tuple(
            RoleCost(total.role, total.implementation, total.steps, total.tokens, total.cost_usd)
            for total in store.agents.totals()
            if total.tokens
        ),
    )


def environment_costs(store: RunStore) -> dict[str, Spent]:
    """By environment: all that its build and all work on it cost, rollouts included."""
    from envolve.memory.store.queries.rollouts import Spent

    built = store.environments.by_item()
    found: dict[str, Spent] = {}
    for item in store.work.items():
        name = item.inputs.get("environment") or built.get(item.key)
        if name and item.tokens:
            found[name] = found.get(name, Spent()).plus(item.tokens, item.cost_usd)
    return found


def task_costs(store: RunStore) -> dict[str, Spent]:
    """By task version: verifying, repairing and trying it. Writing comes to several tasks at once, and is their
    environment's."""
    from envolve.memory.store.queries.rollouts import Spent

    found = dict(store.agents.by_subject())
    for version, spent in store.rollouts.by_version().items():
        found[version] = found.get(version, Spent()).plus(*spent)
    return found


def unpriced(models: Sequence[str]) -> list[str]:
    """Those of which no price is known."""
    if not models:
        return []
    from envolve.agents.llm.pricing import price_of

    return [name for name in models if price_of(name) is None]


def _share(cost: float, count: int) -> float | None:
    return cost / count if count else None
