"""One task: written or evolved, proved by its executed gold, audited, measured, confirmed afresh.

    evolve ─► prove ─► audit ─► measure ─► confirm ─► compare with the parent
                ▲        │ unsound  │ too hard, or doubts ▲
                └ repair ┘          └─► reaudit, with other mutants and the ways that solvers found

A refusal and its twin go through as one: both are proved and audited, rollouts come in pairs, and they share stage, fate
and reason. They are not repaired: changed alone, one would no longer fit the other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..environments.canonical import seed_from
from ..environments.models import AuditReport, Task
from ..environments.models.fates import UNSOUND
from ..eval.units import Unit
from .doubting import told
from .requests import (
    CompareRequest,
    Doubts,
    EvolveRequest,
    MeasureRequest,
    RepairTaskRequest,
    TaskOutcome,
    TaskRequest,
)
from .round_memory import RoundMemory
from .stepping import Reply, Request, StepRunner, place_of
from .steps import AUDIT, COMPARE, CONFIRM, EVOLVE, MEASURE, PROVE, REPAIR_TASK, Step
from .task_state import FATE_OF_GRADE, Half, TaskState, counted, failed_gates, place_of_half

MAX_REPAIRS = 2
COMPARISON_ROLLOUTS = 12
"""Fresh interleaved rollouts of parent and of child, each, that an operator's effect is recorded on."""
NO_DOUBTS = Doubts()


class TaskGraph:
    """Builds the graph over a step runner; `solver` and `band` are the target's."""

    def __init__(self, runner: StepRunner, memory: RoundMemory, *, solver: str, band: str) -> None:
        self._runner = runner
        self._memory = memory
        self._solver = solver
        self._band = band

    def keep(self, key: str, unit: Unit) -> TaskState:
        """The part of a state that holds a unit, its tasks staged."""
        kept: TaskState = {"task": self._runner.keep(key, unit.task)}
        return {**kept, "twin": self._runner.keep(key, unit.twin)} if unit.twin else kept

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
        graph.add_conditional_edges("reaudit", _after_reaudit, ["confirm", "compare", END])
        graph.add_conditional_edges("confirm", self._after_confirm, ["reaudit", "compare"])
        graph.add_edge("compare", END)
        return graph.compile(checkpointer)

    async def evolve(self, state: TaskState) -> TaskState:
        parent = self._runner.kept(state["key"], state["parent"], Task)
        request = EvolveRequest(path=state["path"], task=parent, operator=state["operator"], seed=state["seed"])
        evolved = await self._run(state, EVOLVE, request)
        if evolved.task is None:
            reason = evolved.why or f"{state['operator']} does not apply"
            return {"stage": "proposed", "fate": "broken", "reason": reason}
        return self.keep(state["key"], Unit(evolved.task, evolved.twin))

    async def prove(self, state: TaskState) -> TaskState:
        return await self._both(state, self._proved)

    async def audit(self, state: TaskState) -> TaskState:
        """A sound task that repeats an earlier one is not worth a rollout."""
        audited = await self._audited(state, seed_from(state["seed"], "audit"))
        if audited.get("fate"):
            return audited
        repeated = self._repeated({**state, **audited})
        return {**audited, "fate": "duplicate", "reason": repeated} if repeated else audited

    async def reaudit(self, state: TaskState) -> TaskState:
        """Too hard may be broken, and rollouts may speak against the task: other mutants, and the ways that solvers
        found, get a say. A task that is sound after all stands as it stood."""
        doubts, place = (
            self._doubts(state) or NO_DOUBTS,
            "confirmed" if "confirmed" in state["places"] else "measured",
        )
        checked = await self._audited(state, seed_from(state["seed"], "reaudit", place), doubts)
        if not checked.get("fate"):
            return {"fate": state.get("fate"), "reason": state.get("reason", "")}
        reason = told(doubts.triggers, checked["reason"]) if doubts.triggers else checked["reason"]
        return {**checked, "stage": "proposed", "reason": reason}

    async def repair(self, state: TaskState) -> TaskState:
        report = self._report(state)
        request = RepairTaskRequest(
            path=state["path"], task=self._task(state), report=report, seed=seed_from(state["seed"], "repair")
        )
        repaired = await self._run(state, REPAIR_TASK, request)
        if repaired.task is None:
            why = f"; not repaired: {repaired.why}" if repaired.why else ""
            return {"fate": FATE_OF_GRADE[report.grade], "reason": f"{failed_gates(report)}{why}"}
        task = self._runner.keep(state["key"], repaired.task)
        return {"task": task, "repairs": state.get("repairs", 0) + 1, "fate": None, "reason": ""}

    async def measure(self, state: TaskState) -> TaskState:
        request = self._measurement(state, "measure")
        measured = await self._run(state, MEASURE, request)
        places = self._placed(state, "measured", place_of(MEASURE, request))
        if measured.decision == "accept":
            return {**places, "stage": "accepted", "fate": None}
        fate: Any = measured.decision
        return {**places, "stage": "audited", "fate": fate, "reason": counted(measured, state)}

    async def confirm(self, state: TaskState) -> TaskState:
        request = self._measurement(state, "confirm")
        fresh = await self._run(state, CONFIRM, request)
        places = self._placed(state, "confirmed", place_of(CONFIRM, request))
        fate: Any = fresh.decision
        stage = "confirmed" if fate == "confirmed" else "accepted"
        return {**places, "stage": stage, "fate": fate, "reason": counted(fresh, state, "fresh ")}

    async def compare(self, state: TaskState) -> TaskState:
        if "parent" not in state:
            return {}
        request = CompareRequest(
            path=state["path"],
            parent=self._runner.kept(state["key"], state["parent"], Task),
            child=self._task(state),
            child_twin=self._twin(state),
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
        measured = self._runner.reply(key, MEASURE, places["measured"]) if "measured" in places else None
        confirmed = self._runner.reply(key, CONFIRM, places["confirmed"]) if "confirmed" in places else None
        compared = self._runner.reply(key, COMPARE, places["compared"]) if "compared" in places else None
        twin = self._half(state, "twin") if "twin" in state else None
        told = {"twin": twin, "measured": measured, "confirmed": confirmed, "compared": compared}
        return self._half(state, "task").model_copy(update=told)

    def _half(self, state: TaskState, half: Half) -> TaskOutcome:
        """What the task, or its twin, comes to by itself, with what is told of both."""
        key, places = state["key"], state.get("places", {})
        proved, audited = place_of_half("prove", half), place_of_half("audit", half)
        proof = self._runner.reply(key, PROVE, places[proved]) if proved in places else None
        return TaskOutcome.model_validate(
            {
                "task": self._kept(state, half),
                "version": state.get("versions", {}).get(half, ""),
                "stage": state.get("stage", "proposed"),
                "fate": state.get("fate"),
                "reason": state.get("reason", ""),
                "features": proof.features if proof else {},
                "findings": proof.findings if proof else (),
                **({"signature": proof.signature} if proof else {}),
                "report": self._report(state, half) if audited in places else None,
            }
        )

    def _enter(self, state: TaskState) -> str:
        if state.get("stage") == "audited":
            return "measure"
        return "prove" if "task" in state else "evolve"

    def _after_audit(self, state: TaskState) -> str:
        if state.get("fate"):
            mendable = state["fate"] != "duplicate" and "twin" not in state
            return "repair" if mendable and state.get("repairs", 0) < MAX_REPAIRS else END
        return "measure" if state["until"] == "confirmed" else END

    def _after_measure(self, state: TaskState) -> str:
        if self._doubts(state) or state.get("fate") == "too_hard":
            return "reaudit"
        return "confirm" if state["stage"] == "accepted" else "compare"

    def _after_confirm(self, state: TaskState) -> str:
        return "reaudit" if self._doubts(state) else "compare"

    def _doubts(self, state: TaskState) -> Doubts | None:
        """What the last rollouts say against the task."""
        step, name = (CONFIRM, "confirmed") if "confirmed" in state["places"] else (MEASURE, "measured")
        return self._runner.reply(state["key"], step, state["places"][name]).doubts

    async def _both(self, state: TaskState, work: Callable[[TaskState, Half], Awaitable[TaskState]]) -> TaskState:
        """What `work` comes to for the task and then for its twin. The fate is that of the first that has one."""
        found = await work(state, "task")
        if "twin" not in state:
            return found
        other = await work({**state, **found}, "twin")
        failed, which = (found, "the refusal") if found.get("fate") else (other, "its twin")
        if failed.get("fate"):
            shared: TaskState = {"fate": failed["fate"], "reason": f"{which}: {failed['reason']}"}
            return {**found, **other, **shared, "stage": state.get("stage", "proposed")}
        return {**found, **other}

    async def _proved(self, state: TaskState, half: Half) -> TaskState:
        request = TaskRequest(path=state["path"], task=self._kept(state, half))
        proof = await self._run(state, PROVE, request)
        places = self._placed(state, place_of_half("prove", half), place_of(PROVE, request))
        versions: TaskState = {"versions": {**state.get("versions", {}), half: proof.version}, "stage": "proposed"}
        if proof.failure:
            return {**places, **versions, "fate": "broken", "reason": proof.failure}
        return {**places, **versions, **self._keep(state, half, proof.task)}

    async def _audited(self, state: TaskState, seed: int, doubts: Doubts = NO_DOUBTS) -> TaskState:
        async def work(state: TaskState, half: Half) -> TaskState:
            twin = self._twin(state) if half == "task" else None
            ways = doubts.alternatives if half == "task" else doubts.twin_alternatives
            request = TaskRequest(
                path=state["path"], task=self._kept(state, half), twin=twin, seed=seed, alternatives=ways
            )
            reply = await self._run(state, AUDIT, request)
            places = self._placed(state, place_of_half("audit", half), place_of(AUDIT, request))
            task = self._keep(state, half, reply.task)
            if reply.report.grade == "sound":
                return {**places, **task, "stage": "audited", "fate": None, "reason": ""}
            fate = FATE_OF_GRADE[reply.report.grade]
            return {**places, **task, "fate": fate, "reason": failed_gates(reply.report)}

        return await self._both(state, work)

    def _repeated(self, state: TaskState) -> str:
        """Which earlier task this one repeats; "" if none. A twin that an operator made is its parent's request on
        purpose, and is held against nothing."""
        exempt = (state["parent_version"],) if "parent_version" in state else ()
        halves: list[Half] = ["task", "twin"] if "twin" in state and not exempt else ["task"]
        for half in halves:
            signature = self._runner.reply(
                state["key"], PROVE, state["places"][place_of_half("prove", half)]
            ).signature
            if repeated := self._memory.repeated_task(self._kept(state, half), signature, exempt):
                return repeated
        return ""

    async def _run(self, state: TaskState, step: Step[Request, Reply], request: Request) -> Reply:
        return await self._runner.run(state["key"], step, request, branch=state.get("branch"))

    def _report(self, state: TaskState, half: Half = "task") -> AuditReport:
        return self._runner.reply(state["key"], AUDIT, state["places"][place_of_half("audit", half)]).report

    def _task(self, state: TaskState) -> Task:
        return self._kept(state, "task")

    def _twin(self, state: TaskState) -> Task | None:
        return self._kept(state, "twin") if "twin" in state else None

    def _kept(self, state: TaskState, half: Half) -> Task:
        return self._runner.kept(state["key"], state[half], Task)

    def _keep(self, state: TaskState, half: Half, task: Task) -> TaskState:
        name = self._runner.keep(state["key"], task)
        return {"task": name} if half == "task" else {"twin": name}

    def _measurement(self, state: TaskState, purpose: str) -> MeasureRequest:
        return MeasureRequest(
            path=state["path"],
            task=self._task(state),
            twin=self._twin(state),
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
    if state.get("fate") in UNSOUND:
        return END
    return "confirm" if state["stage"] == "accepted" and "confirmed" not in state["places"] else "compare"
