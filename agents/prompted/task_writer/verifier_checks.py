"""What is wrong with a task's verifier: what must be mended, and what an audit would reject besides."""

from __future__ import annotations

from typing import NamedTuple

from ....environments.errors import EnvolveError
from ....environments.models import GateResult, Task
from ....environments.package import Environment
from ....eval.audit import audit
from ..clipping import clipped
from .task_checks import MOST_PROBLEMS, TOO_DEEP, gate_text

_HARD = frozenset({"gold", "null"})
_NOT_THE_VERIFIERS = frozenset({"leak", "permission", "twins"})
_LONGEST = 600


class Judged(NamedTuple):
    """`hard`: gold does not pass, doing nothing does, or SQL does not run. `soft`: what else an audit rejects and a
    better verifier may mend."""

    hard: tuple[str, ...]
    soft: tuple[str, ...] = ()


def judge_verifier(environment: Environment, task: Task) -> Judged:
    """The audit of a task with its verifier, as what its writer should hear."""
    named = _missing_names(task)
    if named:
        return Judged(named)
    try:
        report = audit(environment, task)
    except EnvolveError as error:
        return Judged((clipped(str(error), _LONGEST),))
    except RecursionError:
        return Judged((TOO_DEEP,))
    failed = [gate for gate in report.gates if gate.status == "failed"]
    hard = tuple(gate_text(gate) for gate in failed if gate.gate in _HARD)
    soft = tuple(gate_text(gate) for gate in failed if gate.gate not in _HARD and _mendable(gate))
    return Judged(hard[:MOST_PROBLEMS], soft[:MOST_PROBLEMS])


def _missing_names(task: Task) -> tuple[str, ...]:
    """Names of new rows that phrases of the instruction speak of, and the verifier does not bind."""
    wanted = {one.bind for one in task.grounding.values() if one.expect == "created" and one.bind}
    return tuple(
        f"bind has no {name!r}, which the instruction's grounding names as a new row"
        for name in sorted(wanted - set(task.verifier.bind))
    )


def _mendable(gate: GateResult) -> bool:
    """Whether the verifier can be at fault: of grounding only for constants that come from nowhere."""
    if gate.gate == "grounding":
        return any("constant" in found for found in gate.evidence)
    return gate.gate not in _NOT_THE_VERIFIERS
