"""What a run is asked to do. Kept in the run's folder as config.yaml; holds no secrets."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from pydantic import Field, field_validator

from ..agents.base import Scenario
from ..agents.llm.names import is_model_name
from ..agents.team import ROLES, TeamSpec
from ..environments.models import Frozen
from ..eval.bands import Band

MAY_CHANGE = frozenset(
    {"environments", "tasks", "solvers", "budget_usd", "budget_tokens", "max_time", "max_rounds", "jobs", "engine"}
    | {"model_settings", "role_settings"}
)
"""What may differ when a run is resumed: wanted counts, budgets, solvers, and how it is executed. Besides, another model
may take over a role from a model."""


class RunConfig(Frozen):
    """Everything needed to repeat a run."""

    format: Literal[1] = 1
    scenarios: tuple[Scenario, ...] = ()
    """Tried in this order; when they are used up the scout is asked for more."""
    environments: int = Field(default=3, ge=1)
    """How many environments are wanted."""
    tasks: int = Field(default=6, ge=1)
    """How many confirmed tasks are wanted in each environment."""
    band: str = "0.2:0.6"
    """Wanted pass rate of the target solver, `low:high`."""
    target: str = "slip:1"
    """The solver that the band is about."""
    solvers: tuple[str, ...] = ("null", "slip:0", "slip:2")
    """Further solvers whose pass rates on confirmed tasks are reported."""
    team: TeamSpec = TeamSpec()
    supervisor: str = "uniform"
    seed: int = 0
    size: dict[str, int] = {}
    surface: Literal["plain", "varied"] = "varied"
    """How tools look from outside: alike everywhere, or drawn for each environment of a procedural architect."""
    held_out: float = Field(default=0.0, ge=0, lt=1)
    """Share of structural clusters whose environments never enter prompts, retrieval or training exports."""
    budget_usd: float | None = Field(default=None, gt=0)
    budget_tokens: int | None = Field(default=None, gt=0)
    max_time: float | None = Field(default=None, gt=0)
    """Seconds of this sitting."""
    max_rounds: int = Field(default=200, ge=1)
    jobs: int = Field(default=2, ge=1)
    engine: str = "local"

    @field_validator("band")
    @classmethod
    def _band_is_measurable(cls, text: str) -> str:
        Band.parse(text)
        return text

    @field_validator("scenarios")
    @classmethod
    def _ids_are_unique(cls, scenarios: tuple[Scenario, ...]) -> tuple[Scenario, ...]:
        counts = Counter(scenario.id for scenario in scenarios)
        repeated = [name for name, count in counts.items() if count > 1]
        if repeated:
            raise ValueError(f"scenarios must have ids of their own, but several are called {repeated[0]!r}")
        return scenarios

    @property
    def models(self) -> tuple[str, ...]:
        """Names of all models that the run asks, as roles and as solvers, each once and without a solver's options."""
        solvers = (name.partition("?")[0] for name in (self.target, *self.solvers) if is_model_name(name))
        return tuple(dict.fromkeys((*self.team.models, *solvers)))

    def differences(self, other: RunConfig) -> dict[str, tuple[Any, Any]]:
        """Fields that must not change on resume but do: name → (kept, asked)."""
        mine, theirs = _flat(self), _flat(other)
        return {
            name: (mine[name], theirs[name])
            for name in mine
            if name not in MAY_CHANGE and _fixed(name, mine[name]) != _fixed(name, theirs[name])
        }


def _fixed(name: str, value: Any) -> Any:
    """What of an option must stay as it is: of a role that a model plays, that one does."""
    if name in ROLES or name == "critics":
        players = [value] if name in ROLES else value
        return ["a model" if is_model_name(player) else player for player in players]
    return value


def _flat(config: RunConfig) -> dict[str, Any]:
    """Options by the names that a user types: the team's among the others."""
    values = config.model_dump(mode="json")
    team: dict[str, Any] = values.pop("team")
    return values | team
