"""What is wrong with a task's verifier: what must be mended, and what an audit would reject besides."""

from __future__ import annotations

from typing import NamedTuple

from ....environments.errors import EnvolveError
from ....environments.gold import GoldRun
from ....environments.models import GateResult, Task
from ....environments.package import Environment
from ....eval.audit import Runs, audit
from ..clipping import clipped
from .clock_set import clock_advice
from .task_checks import MOST_PROBLEMS, TOO_DEEP, gate_text

_HARD = frozenset({"gold", "null"})
_NOT_THE_VERIFIERS = frozenset({"leak", "permission", "twins"})
_MOVED_BY_CLOCK = frozenset({"gold", "goal", "alternatives", "grounding", "end_state_mutants", "trajectory_mutants"})
_LONGEST = 600


class Judged(NamedTuple):
    """`hard`: gold does not pass, doing nothing does, or SQL does not run. `soft`: what else an audit rejects and a
    better verifier may mend."""

    hard: tuple[str, ...]
    soft: tuple[str, ...] = ()


def judge_verifier(environment: Environment, task: Task, run: GoldRun, runs: Runs | None) -> Judged:
    """The audit of a task with its verifier, as what its writer should hear. `run`: gold, executed; `runs`: what was
    run for earlier verifiers of it."""
    named = _missing_names(task)
    if named:
        return Judged(named)
    try:
        report = audit(environment, task, runs=runs)
    except EnvolveError as error:
        return Judged((clipped(str(error), _LONGEST),))
    except RecursionError:
        return Judged((TOO_DEEP,))
    failed = [mendable for gate in report.gates if gate.status == "failed" and (mendable := _mendable(gate))]
    hard = [gate_text(gate) for gate in failed if gate.gate in _HARD]
    soft = [gate_text(gate) for gate in failed if gate.gate not in _HARD]
    if any(gate.gate in _MOVED_BY_CLOCK for gate in failed):
        soft[:0] = clock_advice(environment, task, run)
    return Judged(tuple(hard[:MOST_PROBLEMS]), tuple(soft[:MOST_PROBLEMS]))


def _missing_names(task: Task) -> tuple[str, ...]:
    """Names of new rows that phrases of the instruction speak of, and the verifier does not bind."""
    wanted = {one.bind for one in task.grounding.values() if one.expect == "created" and one.bind}
    return tuple(
        f"bind has no {name!r}, which the instruction's grounding names as a new row"
        for name in sorted(wanted - set(task.verifier.bind))
    )


def _mendable(gate: GateResult) -> GateResult | None:
    """The failed gate, as far as the verifier is at fault: of grounding only constants that come from nowhere, and
    not those of the answer's SQL, which is the task's."""
    if gate.gate in _NOT_THE_VERIFIERS:
        return None
    if gate.gate != "grounding":
        return gate
    own = tuple(found for found in gate.evidence if "constant" in found and found.get("where") != "answer")
    if not own:
        return None
    return gate.model_copy(update={"message": f"{own[0]['constant']!r} {own[0]['problem']}", "evidence": own})
