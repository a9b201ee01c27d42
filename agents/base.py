"""The roles of the team, as small protocols. Each has model and procedural implementations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

from ..environments.gold import GoldRun
from ..environments.models import AuditReport, EnvironmentSpec, Finding, Frozen, Probe, Task, Tool
from ..environments.package import Environment

Direction = Literal["harden", "soften"]


class Scenario(Frozen):
    """What an environment is to be about. `id` is a slug, unique in a run."""

    id: str
    name: str
    category: str
    text: str


class Neighbour(Frozen):
    """Something in memory that is close: `distance` in 0..1 by `view`; held-out items show id and distance only."""

    id: str
    view: Literal["text", "structure"]
    distance: float
    summary: str = ""


class PastDefect(Frozen):
    """A defect seen before, with the fix that worked (empty if none did).

    `probe` showed it in `environment`; `tools` are the contracts of the tools that it calls there, `clock` is that
    world's time. All of them are absent where the defect is only told.
    """

    kind: str
    where: str
    message: str
    fix: str = ""
    environment: str = ""
    probe: Probe | None = None
    tools: tuple[Tool, ...] = ()
    clock: str = ""


class Brief(Frozen):
    """What an architect works from. `seed` fixes all random choices; `avoid` are the neighbours to differ from;
    `attempt` counts from 0. `surface`: whether the tools' look is drawn, by an architect that can."""

    scenario: Scenario
    seed: int
    size: dict[str, int] = {}
    avoid: tuple[Neighbour, ...] = ()
    defects: tuple[PastDefect, ...] = ()
    attempt: int = 0
    surface: Literal["plain", "varied"] = "plain"


class Blueprint(Frozen):
    """The architect's work: requirements and invariants first, then schema and tool contracts.

    `contracts` are tools without steps and queries; `design` is whatever the coder of the same kind needs
    to go on (for procedural agents: archetypes, variants, links, words).
    """

    spec: EnvironmentSpec
    schema_sql: str
    contracts: tuple[Tool, ...]
    design: dict[str, Any] = {}


class Dossier(NamedTuple):
    """What a critic sees."""

    environment: Environment
    evidence: dict[str, Any]
    """The tester's: findings, coverage, transcripts, contracts."""
    past_defects: tuple[PastDefect, ...] = ()


class Scout(Protocol):
    async def scenarios(self, count: int, *, seed: int, known: Sequence[Scenario]) -> list[Scenario]:
        """`count` scenarios unlike `known` and each other; fewer if it has run out."""
        ...


class Architect(Protocol):
    async def design(self, brief: Brief) -> Blueprint: ...


class Coder(Protocol):
    async def write(self, brief: Brief, blueprint: Blueprint) -> Environment: ...

    async def repair(self, environment: Environment, findings: Sequence[Finding], *, seed: int) -> Environment | None:
        """A repaired environment, or None if the coder cannot help. Sees findings only."""
        ...


class Critic(Protocol):
    name: str

    async def review(self, dossier: Dossier) -> list[Finding]: ...


class Pair(NamedTuple):
    """A refusal that names its twin, and the twin: the same request where it is legitimate. Two tasks that are one."""

    refusal: Task
    twin: Task


class TaskWriter(Protocol):
    async def propose(
        self, environment: Environment, count: int, *, seed: int, known: Sequence[Task] = ()
    ) -> list[Task]:
        """Up to `count` tasks unlike `known`: instruction, grounding, goal and gold, without a verifier. A refusal
        names its twin, which is among them; the two count as one."""
        ...

    async def write_verifier(self, environment: Environment, task: Task, run: GoldRun) -> Task:
        """The task with a verifier, written from the executed states."""
        ...

    async def repair(self, environment: Environment, task: Task, report: AuditReport, *, seed: int) -> Task | None:
        """A repaired task (gold unexecuted, no verifier), or None to give up."""
        ...


class Evolver(Protocol):
    @property
    def operators(self) -> dict[Direction, tuple[str, ...]]: ...

    async def evolve(self, environment: Environment, task: Task, operator: str, *, seed: int) -> Task | Pair | None:
        """A child task (no verifier yet), with its twin if it is a refusal; None where the operator does not apply."""
        ...
