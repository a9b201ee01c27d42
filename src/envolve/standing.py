"""Where a run stands, as `status`, `report` and the live panel tell it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .costs import costs_of, environment_costs

if TYPE_CHECKING:
    from envolve.graph.config import RunConfig
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import Status


FRESH = frozenset({"confirm", "rate"})
"""Purposes of measurements that no decision about keeping a task was made from, or only the last."""
SIMULATED = frozenset({"slip", "search"})


class Rate(NamedTuple):
    """Passes of n rollouts, with a 95% interval (Wilson)."""

    solver: str
    passes: int
    n: int
    low: float
    high: float

    @classmethod
    def of(cls, solver: str, passes: int, n: int) -> Rate:
        from envolve.eval.intervals import wilson

        low, high = wilson(passes, n) if n else (0.0, 1.0)
        return cls(solver, passes, n, low, high)

    @property
    def rate(self) -> float | None:
        return self.passes / self.n if self.n else None


def status_of(store: RunStore, folder: Path) -> Status:
    """The store's status; a run that says it is running but whose process is gone was stopped."""
    from envolve.memory.store import RunLock

    status = store.progress.status()
    if status.state == "running" and not RunLock.is_live(folder):
        return status.model_copy(update={"state": "stopped"})
    return status


def rates_of(store: RunStore) -> list[Rate]:
    """Pass rates on confirmed tasks by solver: of fresh rollouts only, none that took part in choosing the tasks."""
    confirmed = {task.version for task in store.tasks.standings() if task.fate == "confirmed"}
    totals: dict[str, tuple[str, int, int]] = {}
    for record in store.tasks.measurements():
        if record.version in confirmed and record.purpose in FRESH:
            name, passes, n = totals.get(record.profile, (record.solver, 0, 0))
            totals[record.profile] = (name, passes + record.passes, n + record.n)
    return [Rate.of(*total) for total in sorted(totals.values())]


class TaskLine(NamedTuple):
    """A stored task. `passes` of `n` rollouts of the target: the fresh ones that confirmed it (or did not), or where
    it was never confirmed those that measured it; `n` is 0 where there are none, and where the task turned out
    unsound: then they say nothing. What is told of the twin of the refusal `twin_of` is told of the two as one, in pairs
    of rollouts."""

    task: str
    version: str
    environment: str
    stage: str
    fate: str | None
    solver: str
    passes: int
    n: int
    fresh: bool
    twin_of: str | None = None

    @property
    def rate(self) -> float | None:
        return self.passes / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95% (Wilson)."""
        if not self.n:
            return None
        found = Rate.of(self.solver, self.passes, self.n)
        return found.low, found.high

    def as_json(self, tokens: int, cost_usd: float) -> dict[str, Any]:
        """With what models cost for it."""
        told = {"rate": self.rate, "interval": self.interval, "tokens": tokens, "cost_usd": cost_usd}
        return {**self._asdict(), **told}


def task_lines(store: RunStore, target: str) -> list[TaskLine]:
    """Every task that the run stores, in the order of their commits."""
    from envolve.environments.models.fates import UNSOUND

    measured = store.tasks.measurements()
    fresh = {record.version: record for record in measured if record.purpose == "confirm"}
    chosen_by = {record.version: record for record in measured if record.purpose == "measure"}
    lines = list[TaskLine]()
    for task in store.tasks.standings():
        unit = task.twin_of or task.version
        found = None if task.fate in UNSOUND else fresh.get(unit) or chosen_by.get(unit)
        counts = (found.solver, found.passes, found.n) if found else (target, 0, 0)
        place = (task.id, task.version, task.environment, task.stage, task.fate)
        lines.append(TaskLine(*place, *counts, found is not None and unit in fresh, task.twin_of))
    return lines


def packaged(store: RunStore, folder: Path, environment: str) -> int:
    """How many tasks lie in the package of a run's environment, a refusal and its twin as one."""
    twins = set(store.tasks.twin_ids(environment))
    files = (folder / "environments" / environment / "tasks").glob("*.yaml")
    return sum(1 for path in files if path.stem not in twins)


def note_of(folder: Path, environment: str) -> str:
    """What of its scenario an environment could not take up, for whoever gave it; "" if nothing."""
    from envolve.environments.yaml_text import parse_yaml

    path = folder / "environments" / environment / "environment.yaml"
    if not path.is_file():
        return ""
    written = parse_yaml(path.read_text(encoding="utf-8"), str(path)).value
    return str(((written.get("provenance") or {}).get("design") or {}).get("note") or "")


class SetAside(NamedTuple):
    """A piece of work that came to nothing, or a candidate environment that was not admitted."""

    kind: str
    subject: str
    fate: str
    reason: str


def set_aside(store: RunStore) -> list[SetAside]:
    """In the order of their rounds. What became of tasks is counted in the status."""
    return [
        SetAside(
            kind=item.kind,
            subject=(item.inputs.get("scenario") or {}).get("name") or item.key.split("/", 2)[-1],
            fate=item.fate or item.status,
            reason=item.reason,
        )
        for item in store.work.items()
        if item.status in {"failed", "set_aside"} or (item.kind == "build" and item.fate not in {None, "admitted"})
    ]


def status_json(status: Status, store: RunStore, folder: Path) -> dict[str, Any]:
    """What `status --json` prints, and `run --json` last."""
    from .findings import findings_json

    listed = [entry._asdict() for entry in set_aside(store)]
    told = status.model_dump(mode="json")
    spent = environment_costs(store)
    for line in told["environments"]:
        line["in_package"] = packaged(store, folder, line["id"])
        line["tokens"], line["cost_usd"] = spent.get(line["id"], (0, 0.0))
    found = {"findings": findings_json(store)}
    return {"run": str(folder), **told, **found, "set_aside": listed, "costs": costs_of(store, status).as_json()}


def is_simulated(solver: str) -> bool:
    """Whether a solver's pass rates say nothing about models, by its name."""
    return solver.partition(":")[0] in SIMULATED


def simulated_in(config: RunConfig) -> list[str]:
    return [name for name in dict.fromkeys((config.target, *config.solvers)) if is_simulated(name)]
