"""One environment: architect, coder, tester, recall, critic, first tasks, librarian, with bounded repair loops.

architect ─► coder ─► tester ─► recall ─► critic ─► first_tasks ─► librarian ─► admitted
    ▲                   │ findings │        │            │            │
    │                   └► repair ◄┴────────┘            │            │ too similar
    │                        │ (tester again)            ▼            │
    └────────────────────────┼──── broken             broken ─────────┘

Recall tries the probes of past defects. It stands after the tester, whose findings it need not repeat, and before the
critics, which may ask models; it is no critic itself, so that no choice of critics leaves it out.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..agents.base import Brief, Neighbour, PastDefect, Scenario
from ..agents.critics import FAILED
from ..agents.llm.errors import Unusable
from ..agents.tester.report import TestReport
from ..environments.canonical import seed_from
from ..environments.errors import PackageError
from ..environments.models import Fate, Finding, Frozen, Probe
from ..eval.units import units
from .requests import (
    BuildOutcome,
    CodeRequest,
    Description,
    DesignRequest,
    Found,
    LearnRequest,
    Lesson,
    Package,
    PackageRequest,
    ProposeRequest,
    RecallRequest,
    RepairRequest,
    ReviewRequest,
    TaskOutcome,
)
from .round_memory import RoundMemory, told
from .stepping import StepRunner
from .steps import CODE, DESCRIBE, DESIGN, LEARN, PROPOSE, RECALL, REPAIR, REVIEW, TEST
from .task_graph import TaskGraph
from .task_state import TaskState

MAX_REPAIRS = 4
MAX_DESIGNS = 3
FIRST_TASKS = 10
"""How many requirements are asked for as tasks; at least half of them must become audited ones."""


class BuildState(TypedDict, total=False):
    """`package` is where the candidate lies (empty: there is none), `drafts` the paths of all of its design, `open` are
    the findings that block it, `seen` all findings so far, `found_in` the path of each one's package, `contested` the
    places of readings that the coder was told and left as they are. `defects` are past ones: near the scenario, then
    near what was designed."""

    key: str
    scenario: dict[str, Any]
    defects: list[dict[str, Any]]
    seed: int
    designs: int
    avoid: list[dict[str, Any]]
    package: dict[str, Any]
    drafts: list[str]
    repairs: int
    open: list[dict[str, Any]]
    seen: list[dict[str, Any]]
    found_in: list[str]
    contested: list[list[str]]
    tasks: list[TaskState]
    fate: Fate | None
    reason: str


class BuildGraph:
    """Builds the graph over a step runner; `folder` is where candidate packages go."""

    def __init__(
        self,
        runner: StepRunner,
        memory: RoundMemory,
        tasks: TaskGraph,
        *,
        folder: str,
        size: dict[str, int],
        surface: Literal["plain", "varied"],
    ) -> None:
        self._runner = runner
        self._memory = memory
        self._tasks = tasks
        self._folder = folder
        self._size = size
        self._surface = surface

    def compile(self, checkpointer: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
        graph = StateGraph(BuildState)
        nodes = (self.architect, self.tester, self.recall, self.critic, self.repair, self.first_tasks, self.librarian)
        for node in nodes:
            graph.add_node(node.__name__, node)
        graph.add_edge(START, "architect")
        graph.add_conditional_edges("architect", _end_or("tester"), ["tester", END])
        graph.add_conditional_edges("tester", _repair_or("recall"), ["repair", "recall", END])
        graph.add_conditional_edges("recall", _repair_or("critic"), ["repair", "critic", END])
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
            defects = self._memory.defects_like(brief.scenario, blueprint)
            informed = brief.model_copy(update={"defects": told(defects)})
            request = CodeRequest(brief=informed, blueprint=blueprint, folder=self._folder)
            package = await self._runner.run(state["key"], CODE, request)
        except (PackageError, Unusable) as error:
            reason = f"the package cannot be built: {error.message}"
            return {"package": {}, "designs": designs, "fate": "broken", "reason": reason}
        return {
            "package": package.model_dump(),
            "drafts": [package.path],
            "defects": [defect.model_dump(mode="json", by_alias=True, exclude_unset=True) for defect in defects],
            "designs": designs,
            "repairs": 0,
            "open": [],
            "contested": [],
            "fate": None,
        }

    async def tester(self, state: BuildState) -> BuildState:
        report = await self._tested(state)
        return self._found(state, report.findings, report.blocking)

    async def recall(self, state: BuildState) -> BuildState:
        """Probes of past defects, where they fit."""
        defects = tuple(defect for defect in _defects(state) if defect.probe is not None and defect.tools)
        if not defects:
            return {"open": []}
        seed = seed_from(state["seed"], "recall")
        request = RecallRequest(path=state["package"]["path"], defects=defects, seed=seed)
        findings = (await self._runner.run(state["key"], RECALL, request)).findings
        return self._found(state, findings, [claim for claim in findings if _blocks(claim)])

    async def critic(self, state: BuildState) -> BuildState:
        review = ReviewRequest(
            path=state["package"]["path"],
            evidence=(await self._tested(state)).compared(),
            past_defects=told(_defects(state)),
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
        drafts = [*state["drafts"], repaired.path]
        return {
            "package": repaired.model_dump(),
            "drafts": drafts,
            "repairs": repairs,
            "open": [],
            "contested": contested,
        }

    async def first_tasks(self, state: BuildState) -> BuildState:
        """Requirements as tasks, through the task graph up to the audit; half of what was asked for must get there."""
        path = state["package"]["path"]
        request = ProposeRequest(path=path, count=FIRST_TASKS, seed=seed_from(state["seed"], "tasks"))
        proposed = units((await self._runner.run(state["key"], PROPOSE, request)).tasks)
        graph = self._tasks.compile(None)
        starts: list[TaskState] = [
            {
                "key": state["key"],
                "branch": number,
                "path": path,
                "seed": seed_from(state["seed"], "task", number),
                **self._tasks.keep(state["key"], unit),
                "until": "audited",
            }
            for number, unit in enumerate(proposed)
        ]
        settled = await _all(graph.ainvoke(start) for start in starts)
        outcomes = [outcome for outcome in map(self._tasks.outcome, settled) if outcome is not None]
        sound = sum(outcome.stage == "audited" for outcome in outcomes)
        if sound * 2 >= FIRST_TASKS:
            return {"tasks": settled, "open": []}
        halves = [half for outcome in outcomes for half in outcome.halves()]
        blamed = [finding for half in halves for finding in half.findings if _blocks(finding)]
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
        tasks = [self._tasks.outcome(task) for task in state.get("tasks", [])] if fate == "admitted" else []
        built = bool(state.get("package"))
        return BuildOutcome(
            fate=fate,
            reason=state.get("reason", ""),
            package=Package.model_validate(state["package"]) if built else None,
            description=await self._describe(state) if built else None,
            tested=await self._tested(state) if built else None,
            findings=tuple(findings),
            lessons=await self._lessons(state, findings),
            tasks=tuple(outcome for outcome in tasks if isinstance(outcome, TaskOutcome)),
            attempts=state.get("designs", 1),
        )

    async def _lessons(self, state: BuildState, findings: Sequence[Finding]) -> tuple[Lesson, ...]:
        """One a finding: of those that were confirmed what is to be remembered, of others nothing."""
        places = state.get("found_in", [])
        found = [Found(finding=claim, path=path) for claim, path in zip(findings, places, strict=True)]
        learned = tuple(entry for entry in found if entry.finding.confirmed and entry.finding.probe is not None)
        if not learned:
            return tuple(Lesson() for _ in findings)
        request = LearnRequest(folder=".", found=learned, drafts=tuple(state.get("drafts", ())))
        lessons = iter((await self._runner.run(state["key"], LEARN, request)).lessons)
        return tuple(next(lessons) if entry in learned else Lesson() for entry in found)

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
            surface=self._surface,
            avoid=tuple(Neighbour.model_validate(neighbour) for neighbour in state.get("avoid", [])),
            defects=told(_defects(state)),
            attempt=attempt,
        )

    def _found(self, state: BuildState, findings: Sequence[Finding], blocking: Sequence[Finding]) -> BuildState:
        known = {(finding["kind"], finding["where"]) for finding in state.get("seen", [])}
        fresh = [finding for finding in findings if (finding.kind, finding.where) not in known]
        seen = [*state.get("seen", []), *map(_json, fresh)]
        found_in = [*state.get("found_in", []), *(state["package"]["path"] for _ in fresh)]
        return {"seen": seen, "found_in": found_in, "open": [_json(finding) for finding in blocking]}

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


def _json(value: Frozen) -> dict[str, Any]:
    return value.model_dump(mode="json", by_alias=True)


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
