"""One environment: architect, coder, tester, critic, first tasks, librarian, with bounded repair loops.

architect ─► coder ─► tester ─► critic ─► first_tasks ─► librarian ─► admitted
    ▲                   │ findings │            │            │
    │                   └► repair ◄┘            │            │ too similar
    │                        │ (tester again)   ▼            │
    └────────────────────────┼──── broken     broken ────────┘
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..agents.base import Brief, Neighbour, PastDefect, Scenario
from ..agents.critics import FAILED
from ..agents.llm.errors import Unusable
from ..agents.tester.report import TestReport
from ..environments.canonical import seed_from
from ..environments.errors import PackageError
from ..environments.models import Fate, Finding, Probe
from .requests import (
    BuildOutcome,
    CodeRequest,
    Description,
    DesignRequest,
    Package,
    PackageRequest,
    ProposeRequest,
    RepairRequest,
    ReviewRequest,
    TaskOutcome,
)
from .round_memory import RoundMemory
from .stepping import StepRunner
from .steps import CODE, DESCRIBE, DESIGN, PROPOSE, REPAIR, REVIEW, TEST
from .task_graph import TaskGraph, TaskState

MAX_REPAIRS = 4
MAX_DESIGNS = 3
FIRST_TASKS = 10
"""How many requirements are asked for as tasks; at least half of them must become audited ones."""


class BuildState(TypedDict, total=False):
    """`package` is where the candidate lies (empty: there is none), `open` are the findings that block it, `seen` all
    findings so far, `contested` the places of readings that the coder was told and left as they are."""

    key: str
    scenario: dict[str, Any]
    defects: list[dict[str, Any]]
    seed: int
    designs: int
    avoid: list[dict[str, Any]]
    package: dict[str, Any]
    repairs: int
    open: list[dict[str, Any]]
    seen: list[dict[str, Any]]
    contested: list[list[str]]
    tasks: list[TaskState]
    fate: Fate | None
    reason: str


class BuildGraph:
    """Builds the graph over a step runner; `folder` is where candidate packages go."""

    def __init__(
        self, runner: StepRunner, memory: RoundMemory, tasks: TaskGraph, *, folder: str, size: dict[str, int]
    ) -> None:
        self._runner = runner
        self._memory = memory
        self._tasks = tasks
        self._folder = folder
        self._size = size

    def compile(self, checkpointer: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
        graph = StateGraph(BuildState)
        for node in (self.architect, self.tester, self.critic, self.repair, self.first_tasks, self.librarian):
            graph.add_node(node.__name__, node)
        graph.add_edge(START, "architect")
        graph.add_conditional_edges("architect", _end_or("tester"), ["tester", END])
        graph.add_conditional_edges("tester", _repair_or("critic"), ["repair", "critic", END])
        graph.add_conditional_edges("critic", _repair_or("first_tasks"), ["repair", "first_tasks", END])
        graph.add_conditional_edges("repair", _end_or("tester"), ["tester", END])
        graph.add_conditional_edges("first_tasks", _repair_or("librarian"), ["repair", "librarian", END])
        graph.add_conditional_edges("librarian", self._after_librarian, ["architect", END])
        return graph.compile(checkpointer)

    async def architect(self, state: BuildState) -> BuildState:
        """Requirements, schema and contracts by the architect; tools and seed by the coder."""
        brief = self._brief(state)
        designs = state.get("designs", 0) + 1
        try:
            blueprint = await self._runner.run(state["key"], DESIGN, DesignRequest(brief=brief))
            request = CodeRequest(brief=brief, blueprint=blueprint, folder=self._folder)
            package = await self._runner.run(state["key"], CODE, request)
        except (PackageError, Unusable) as error:
            reason = f"the package cannot be built: {error.message}"
            return {"package": {}, "designs": designs, "fate": "broken", "reason": reason}
        built = package.model_dump()
        return {"package": built, "designs": designs, "repairs": 0, "open": [], "contested": [], "fate": None}

    async def tester(self, state: BuildState) -> BuildState:
        report = await self._tested(state)
        return self._found(state, report.findings, report.blocking)

    async def critic(self, state: BuildState) -> BuildState:
        review = ReviewRequest(
            path=state["package"]["path"],
            evidence=(await self._tested(state)).compared(),
            past_defects=_defects(state),
        )
        findings = (await self._runner.run(state["key"], REVIEW, review)).findings
        if silent := [claim for claim in findings if claim.kind == FAILED]:
            # No coder can mend a critic: without its answer nothing is admitted.
            return {**self._found(state, findings, silent), "fate": "broken", "reason": silent[0].message}
        contested = {tuple(place) for place in state.get("contested", [])}
        blocking = [claim for claim in findings if _blocks(claim) and (claim.kind, claim.where) not in contested]
        return self._found(state, findings, blocking)

    async def repair(self, state: BuildState) -> BuildState:
        """A critic's reading of words, which no call bears out, blocks until the coder has been told of it once."""
        told = [Finding.model_validate(finding) for finding in state["open"]]
        request = RepairRequest(
            path=state["package"]["path"],
            folder=self._folder,
            findings=tuple(told),
            seed=seed_from(state["seed"], "repair", state["repairs"]),
        )
        repaired = (await self._runner.run(state["key"], REPAIR, request)).package
        readings = [[claim.kind, claim.where] for claim in told if _is_reading(claim)]
        contested = [*state.get("contested", []), *readings]
        if repaired is None or repaired.path == request.path or state["repairs"] >= MAX_REPAIRS:
            if len(readings) == len(told):
                return {"open": [], "contested": contested}
            return {"fate": "broken", "reason": _summary(state["open"])}
        repairs = state["repairs"] + 1
        return {"package": repaired.model_dump(), "repairs": repairs, "open": [], "contested": contested}

    async def first_tasks(self, state: BuildState) -> BuildState:
        """Requirements as tasks, through the task graph up to the audit; half of what was asked for must get there."""
        path = state["package"]["path"]
        request = ProposeRequest(path=path, count=FIRST_TASKS, seed=seed_from(state["seed"], "tasks"))
        proposed = (await self._runner.run(state["key"], PROPOSE, request)).tasks
        graph = self._tasks.compile(None)
        starts: list[TaskState] = [
            {
                "key": state["key"],
                "branch": number,
                "path": path,
                "seed": seed_from(state["seed"], "task", number),
                "task": self._runner.keep(state["key"], task),
                "until": "audited",
            }
            for number, task in enumerate(proposed)
        ]
        settled = await _all(graph.ainvoke(start) for start in starts)
        outcomes = [outcome for outcome in map(self._tasks.outcome, settled) if outcome is not None]
        sound = sum(outcome.stage == "audited" for outcome in outcomes)
        if sound * 2 >= FIRST_TASKS:
            return {"tasks": settled, "open": []}
        blamed = [finding for outcome in outcomes for finding in outcome.findings if _blocks(finding)]
        if blamed:
            return {"tasks": settled, **self._found(state, blamed, blamed)}
        return {"tasks": settled, "fate": "broken", "reason": _too_few(sound, len(proposed), outcomes)}

    async def librarian(self, state: BuildState) -> BuildState:
        description = await self._describe(state)
        verdict, near = self._memory.neighbours(description)
        if not verdict.duplicate:
            return {"fate": "admitted", "reason": ""}
        avoid = [neighbour.model_dump() for neighbour in near]
        reason = f"like {verdict.of}: {verdict.reason}"
        return {"fate": "duplicate", "reason": reason, "avoid": [*state.get("avoid", []), *avoid]}

    async def outcome(self, state: BuildState) -> BuildOutcome:
        """What a finished state comes to."""
        fate = state.get("fate") or "broken"
        findings = [Finding.model_validate(finding) for finding in state.get("seen", [])]
        still = {(finding["kind"], finding["where"]) for finding in state.get("open", [])}
        tasks = [self._tasks.outcome(task) for task in state.get("tasks", [])] if fate == "admitted" else []
        built = bool(state.get("package"))
        return BuildOutcome(
            fate=fate,
            reason=state.get("reason", ""),
            package=Package.model_validate(state["package"]) if built else None,
            description=await self._describe(state) if built else None,
            tested=await self._tested(state) if built else None,
            findings=tuple(findings),
            fixed=tuple(
                sorted(
                    {claim.where for claim in findings if _blocks(claim) and (claim.kind, claim.where) not in still}
                )
            ),
            tasks=tuple(outcome for outcome in tasks if isinstance(outcome, TaskOutcome)),
            attempts=state.get("designs", 1),
        )

    async def _describe(self, state: BuildState) -> Description:
        return await self._runner.run(state["key"], DESCRIBE, PackageRequest(path=state["package"]["path"]))

    async def _tested(self, state: BuildState) -> TestReport:
        """The tester's report on the candidate; asked again, it comes from staging."""
        request = PackageRequest(path=state["package"]["path"], seed=seed_from(state["seed"], "test"))
        return await self._runner.run(state["key"], TEST, request)

    def _brief(self, state: BuildState) -> Brief:
        attempt = state.get("designs", 0)
        return Brief(
            scenario=_scenario(state),
            seed=seed_from(state["seed"], "design", attempt),
            size=self._size,
            avoid=tuple(Neighbour.model_validate(neighbour) for neighbour in state.get("avoid", [])),
            defects=_defects(state),
            attempt=attempt,
        )

    def _found(self, state: BuildState, findings: Sequence[Finding], blocking: Sequence[Finding]) -> BuildState:
        known = {(finding["kind"], finding["where"]) for finding in state.get("seen", [])}
        fresh = [finding for finding in findings if (finding.kind, finding.where) not in known]
        seen = [*state.get("seen", []), *(finding.model_dump(mode="json", by_alias=True) for finding in fresh)]
        return {"seen": seen, "open": [finding.model_dump(mode="json", by_alias=True) for finding in blocking]}

    def _after_librarian(self, state: BuildState) -> str:
        again = state.get("fate") == "duplicate" and state["designs"] < MAX_DESIGNS
        return "architect" if again else END


async def _all(branches: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    """What all come to. One that fails lets the others end first: what they pay for is staged under an open item.

    Each has a context of its own: a graph would inherit the checkpointer of the one around it, and a repeated node
    would find old states there.
    """
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(branch, context=contextvars.Context()) for branch in branches]
    found = await asyncio.gather(*tasks, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return found


def _blocks(claim: Finding) -> bool:
    return claim.confirmed is True and claim.severity != "minor"


def _is_reading(claim: Finding) -> bool:
    """A critic's claim that rests on how it reads words and SQL, with no call that shows it."""
    probe = claim.probe
    return claim.source.startswith("critic:") and probe is not None and not probe.calls and _asks_gates_only(probe)


def _asks_gates_only(probe: Probe) -> bool:
    return all(expectation.gate is not None for expectation in probe.expect)


def _scenario(state: BuildState) -> Scenario:
    return Scenario.model_validate(state["scenario"])


def _defects(state: BuildState) -> tuple[PastDefect, ...]:
    return tuple(PastDefect.model_validate(defect) for defect in state.get("defects", []))


def _repair_or(node: str) -> Any:
    def route(state: BuildState) -> str:
        if state.get("fate"):
            return END
        return "repair" if state.get("open") else node

    return route


def _end_or(node: str) -> Any:
    def route(state: BuildState) -> str:
        return END if state.get("fate") else node

    return route


def _too_few(sound: int, proposed: int, outcomes: Sequence[TaskOutcome]) -> str:
    why = "; ".join(sorted({outcome.reason for outcome in outcomes if outcome.reason}))[:400]
    told = f"only {sound} of {FIRST_TASKS} requirements became sound tasks ({proposed} were proposed)"
    return f"{told}: {why}" if why else told


def _summary(findings: Sequence[dict[str, Any]]) -> str:
    places = ", ".join(f"{finding['kind']} at {finding['where']}" for finding in findings[:5])
    return f"not repaired: {places}"
