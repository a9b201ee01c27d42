"""What is told of one world that was tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from envolve.environments.sizes import Size
from envolve.memory.signatures import Signature

CRASH = "crash"


class Flaw(NamedTuple):
    """A confirmed finding, or a task that is not sound at first try: where, what, and who says so.

    Where the source is CRASH a stage of the bench (`where`) ended in an error, whose type and message are `what`;
    `trace` says where it came from.
    """

    where: str
    what: str
    source: str
    trace: str = ""


class TaskTried(NamedTuple):
    """A task, or a refusal with its twin. `grade`: of its audit, the worse of two; empty if it was not audited."""

    task: str
    grade: str
    shape: str
    long: bool
    answer_only: bool
    refusal: bool
    two_roles: bool


class WorldTried(NamedTuple):
    """`archetypes`, `links`: name → variant → choice. `tool_shapes`: a digest for each tool, `schema` one of the whole
    schema. `seconds`: of processor time, by stage. `findings` are the environment's own and what crashed, `unsound` its
    tasks'. Of a world that could not be built there is no `environment`, and nothing that would be told of it."""

    number: int
    scenario: str
    category: str
    seed: int
    environment: str = ""
    size: Size = Size(0, 0, 0)
    archetypes: Mapping[str, Mapping[str, str]] = {}
    links: Mapping[str, Mapping[str, str]] = {}
    findings: tuple[Flaw, ...] = ()
    unsound: tuple[Flaw, ...] = ()
    tasks: tuple[TaskTried, ...] = ()
    text: str = ""
    signature: Signature = Signature()
    schema: str = ""
    tool_shapes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = {}
    peak_mb: float = 0.0
    resident_mb: float = 0.0
    """Of the process that tried it: the most while it did, and what was left when it had."""

    @property
    def built(self) -> bool:
        return bool(self.environment)

    @property
    def crashes(self) -> tuple[Flaw, ...]:
        return tuple(flaw for flaw in self.findings if flaw.source == CRASH)

    @property
    def admitted(self) -> bool:
        """Whether nothing was confirmed against it; of a quick look, where nothing is tried, if it did not crash."""
        return not self.findings
