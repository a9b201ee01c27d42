"""One task: written or evolved, proved by its executed gold, audited, measured, confirmed afresh.

    evolve ─► prove ─► audit ─► measure ─► confirm ─► compare with the parent
                ▲        │ unsound  │ too hard           ▲
                └ repair ┘          └─► reaudit, with other mutants

The state holds places in staging, never a task.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..environments.canonical import seed_from
from ..environments.models import AuditReport, Fate, Task
from .requests import CompareRequest, EvolveRequest, MeasureRequest, RepairTaskRequest, TaskOutcome, TaskRequest
from .round_memory import RoundMemory
from .stepping import Reply, Request, StepRunner, place_of
from .steps import AUDIT, COMPARE, CONFIRM, EVOLVE, MEASURE, PROVE, REPAIR_TASK, Step

MAX_REPAIRS = 2
COMPARISON_ROLLOUTS = 12
"""Fresh interleaved rollouts of parent and of child, each, that an operator's effect is recorded on."""

FATE_OF_GRADE: dict[str, Fate] = {
    "broken": "broken",
    "disputed": "disputed",
    "weak": "hackable",
    "strict": "broken",
    "ambiguous": "ambiguous",
}


class TaskState(TypedDict, total=False):
    """`key` is the item's, `branch` numbers the tasks that it works side by side, `task` and `parent` are names of kept
    values, `places` where replies are staged."""

    key: str
    branch: int
    path: str
    seed: int
    task: str
    version: str
    parent: str
    parent_version: str
    operator: str
    turn: int
    until: Literal["audited", "confirmed"]
    repairs: int
    stage: str
    fate: Fate | None
    reason: str
    places: dict[str, str]


class TaskGraph:
    """Builds the graph over a step runner; `solver` and `band` are the target's."""

    def __init__(self, runner: StepRunner, memory: RoundMemory, *, solver: str, band: str) -> None:
        self._runner = runner
        self._memory = memory
        self._solver = solver
        self._band = band

    def compile(self, checkpointer: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
        graph = StateGraph(TaskState)
        for node in (self.evolve, self.prove, self.repair, self.audit, self.measure, self.reaudit, self.confirm):
            graph.add_node(node.__name__, node)
        graph.add_node("compare", self.compare)
        graph.add_conditional_edges(START, self._enter, ["evolve", "prove", "measure"])
        graph.add_conditional_edges("evolve", _go_on("prove"), ["prove", END])
        graph.add_conditional_edges("prove", _go_on("audit"), ["audit", END])
        graph.add_conditional_edges("audit", self._after_audit, ["repair", "measure", END])
        graph.add_conditional_edges("repair", _go_on("prove"), ["prove", END])
        graph.add_conditional_edges("measure", self._after_measure, ["confirm", "reaudit", "compare", END])
        graph.add_conditional_edges("reaudit", _after_reaudit, ["compare", END])
        graph.add_edge("confirm", "compare")
        graph.add_edge("compare", END)
        return graph.compile(checkpointer)

    async def evolve(self, state: TaskState) -> TaskState:
        parent = self._runner.kept(state["key"], state["parent"], Task)
        request = EvolveRequest(path=state["path"], task=parent, operator=state["operator"], seed=state["seed"])
        evolved = await self._run(state, EVOLVE, request)
        if evolved.task is None:
            reason = evolved.why or f"{state['operator']} does not apply"
            return {"stage": "proposed", "fate": "broken", "reason": reason}
        return {"task": self._runner.keep(state["key"], evolved.task)}

    async def prove(self, state: TaskState) -> TaskState:
        request = TaskRequest(path=state["path"], task=self._task(state))
        proof = await self._run(state, PROVE, request)
        places = self._placed(state, "prove", place_of(PROVE, request))
        if proof.failure:
            told: TaskState = {"stage": "proposed", "fate": "broken", "reason": proof.failure}
            return {**places, **told, "version": proof.version}
        task = self._runner.keep(state["key"], proof.task)
        return {**places, "task": task, "version": proof.version, "stage": "proposed"}

    async def audit(self, state: TaskState) -> TaskState:
        """A sound task that repeats an earlier one is not worth a rollout."""
        audited = await self._audited(state, seed_from(state["seed"], "audit"), "audit")
        if audited.get("fate"):
            return audited
        exempt = (state["parent_version"],) if "parent_version" in state else ()
        signature = self._runner.reply(state["key"], PROVE, state["places"]["prove"]).signature
        repeated = self._memory.repeated_task(self._task({**state, **audited}), signature, exempt)
        return {**audited, "fate": "duplicate", "reason": repeated} if repeated else audited

    async def reaudit(self, state: TaskState) -> TaskState:
        """Too hard may be broken: other mutants and alternatives get a say before the task is called hard."""
        checked = await self._audited(state, seed_from(state["seed"], "reaudit"), "audit")
        return checked if checked.get("fate") else {"fate": state.get("fate"), "reason": state.get("reason", "")}

    async def repair(self, state: TaskState) -> TaskState:
        report = self._report(state)
        request = RepairTaskRequest(
            path=state["path"], task=self._task(state), report=report, seed=seed_from(state["seed"], "repair")
        )
        repaired = await self._run(state, REPAIR_TASK, request)
        if repaired.task is None:
            why = f"; not repaired: {repaired.why}" if repaired.why else ""
            return {"fate": FATE_OF_GRADE[report.grade], "reason": f"{_failed_gates(report)}{why}"}
        task = self._runner.keep(state["key"], repaired.task)
        return {"task": task, "repairs": state.get("repairs", 0) + 1, "fate": None, "reason": ""}

    async def measure(self, state: TaskState) -> TaskState:
        request = self._measurement(state, "measure")
        measured = await self._run(state, MEASURE, request)
        places = self._placed(state, "measured", place_of(MEASURE, request))
        if measured.decision == "accept":
            return {**places, "stage": "accepted", "fate": None}
        fate: Any = measured.decision
        return {**places, "stage": "audited", "fate": fate, "reason": f"{measured.passes} of {measured.n} passed"}

    async def confirm(self, state: TaskState) -> TaskState:
        request = self._measurement(state, "confirm")
        fresh = await self._run(state, CONFIRM, request)
        places = self._placed(state, "confirmed", place_of(CONFIRM, request))
        fate: Any = fresh.decision
        stage = "confirmed" if fate == "confirmed" else "accepted"
        return {**places, "stage": stage, "fate": fate, "reason": f"{fresh.passes} of {fresh.n} fresh passed"}

    async def compare(self, state: TaskState) -> TaskState:
        if "parent" not in state:
            return {}
        request = CompareRequest(
            path=state["path"],
            parent=self._runner.kept(state["key"], state["parent"], Task),
            child=self._task(state),
            solver=self._solver,
            seed=seed_from(state["seed"], "compare"),
            n=COMPARISON_ROLLOUTS,
            turn=state.get("turn", 0),
        )
        await self._run(state, COMPARE, request)
        return self._placed(state, "compared", place_of(COMPARE, request))

    def outcome(self, state: TaskState) -> TaskOutcome | None:
        """What a finished state comes to; None if there is no task (the operator did not apply)."""
        if "task" not in state:
            return None
        key, places = state["key"], state.get("places", {})
        proof = self._runner.reply(key, PROVE, places["prove"]) if "prove" in places else None
        report = self._report(state) if "audit" in places else None
        measured = self._runner.reply(key, MEASURE, places["measured"]) if "measured" in places else None
        confirmed = self._runner.reply(key, CONFIRM, places["confirmed"]) if "confirmed" in places else None
        compared = self._runner.reply(key, COMPARE, places["compared"]) if "compared" in places else None
        return TaskOutcome.model_validate(
            {
                "task": self._task(state),
                "version": state.get("version", ""),
                "stage": state.get("stage", "proposed"),
                "fate": state.get("fate"),
                "reason": state.get("reason", ""),
                "features": proof.features if proof else {},
                "findings": proof.findings if proof else (),
                **({"signature": proof.signature} if proof else {}),
                "report": report,
                "measured": measured,
                "confirmed": confirmed,
                "compared": compared,
            }
        )

    def _enter(self, state: TaskState) -> str:
        if state.get("stage") == "audited":
            return "measure"
        return "prove" if "task" in state else "evolve"

    def _after_audit(self, state: TaskState) -> str:
        if state.get("fate"):
            unsound = state["fate"] != "duplicate"
            return "repair" if unsound and state.get("repairs", 0) < MAX_REPAIRS else END
        return "measure" if state["until"] == "confirmed" else END

    def _after_measure(self, state: TaskState) -> str:
        if state["stage"] == "accepted":
            return "confirm"
        return "reaudit" if state.get("fate") == "too_hard" else "compare"

    async def _audited(self, state: TaskState, seed: int, name: str) -> TaskState:
        request = TaskRequest(path=state["path"], task=self._task(state), seed=seed)
        reply = await self._run(state, AUDIT, request)
        places = self._placed(state, name, place_of(AUDIT, request))
        task = self._runner.keep(state["key"], reply.task)
        if reply.report.grade == "sound":
            return {**places, "task": task, "stage": "audited", "fate": None, "reason": ""}
        fate = FATE_OF_GRADE[reply.report.grade]
        return {**places, "task": task, "fate": fate, "reason": _failed_gates(reply.report)}

    async def _run(self, state: TaskState, step: Step[Request, Reply], request: Request) -> Reply:
        return await self._runner.run(state["key"], step, request, branch=state.get("branch"))

    def _report(self, state: TaskState) -> AuditReport:
        return self._runner.reply(state["key"], AUDIT, state["places"]["audit"]).report

    def _task(self, state: TaskState) -> Task:
        return self._runner.kept(state["key"], state["task"], Task)

    def _measurement(self, state: TaskState, purpose: str) -> MeasureRequest:
        return MeasureRequest(
            path=state["path"],
            task=self._task(state),
            solver=self._solver,
            band=self._band,
            seed=seed_from(state["seed"], purpose),
        )

    def _placed(self, state: TaskState, name: str, place: str) -> TaskState:
        return {"places": {**state.get("places", {}), name: place}}


def _go_on(node: str) -> Any:
    def route(state: TaskState) -> str:
        return END if state.get("fate") else node

    return route


def _after_reaudit(state: TaskState) -> str:
    """Rollouts of an unsound task say nothing of difficulty, and so nothing of its operator."""
    return "compare" if state.get("fate") == "too_hard" else END


def _failed_gates(report: AuditReport) -> str:
    failed = [gate for gate in report.gates if gate.status == "failed"]
    return "; ".join(f"{gate.gate}: {gate.message}" for gate in failed)[:500]
