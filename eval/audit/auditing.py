"""The audit of one task's verifier: every gate, the counts, and the grade that follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import get_args

from ...environments.errors import InputError
from ...environments.models import AuditReport, GateResult, Grade, MutantCount, Tally, Task
from ...environments.models.audits import AttackCount, DroppedMutant, GateName
from ...environments.package import Environment, task_version
from .attacks import BUILT_IN, Attacker
from .attacks.running import attacks, count_of
from .base import AuditContext, Gate, Program
from .end_states import EndStates, end_states
from .gates import alternatives as alternatives_gate
from .gates import (
    attack,
    end_state_mutants,
    goal,
    gold,
    grounding,
    leak,
    null,
    permission,
    prefix,
    trajectory_mutants,
    twins,
)
from .other_ways import other_ways
from .runs import Runs
from .trajectories import Trajectories, trajectories

ALL: tuple[GateName, ...] = get_args(GateName)
GATES: Mapping[GateName, Gate] = {
    "gold": gold.gate,
    "goal": goal.gate,
    "null": null.gate,
    "prefix": prefix.gate,
    "end_state_mutants": end_state_mutants.gate,
    "trajectory_mutants": trajectory_mutants.gate,
    "alternatives": alternatives_gate.gate,
    "grounding": grounding.gate,
    "leak": leak.gate,
    "permission": permission.gate,
    "twins": twins.gate,
    "attack": attack.gate,
}
ATTACK_CALLS = 60
"""Tool calls that each attacker may make where nothing else is said."""
SEARCH_CALLS = 60
"""Tool calls that the search for other paths may make where nothing else is said."""
_WITHOUT_GOLD: tuple[GateName, ...] = ("gold", "permission")
"""What runs where gold does not pass: without it there is nothing to hold the others against."""
_WEAK: tuple[GateName, ...] = ("null", "prefix", "end_state_mutants", "trajectory_mutants", "leak", "twins", "attack")


def audit(
    environment: Environment,
    task: Task,
    *,
    seed: int = 0,
    gates: Collection[GateName] = ALL,
    alternatives: Sequence[Program] = (),
    attackers: Sequence[Attacker] = BUILT_IN,
    attack_calls: int = ATTACK_CALLS,
    search_calls: int = SEARCH_CALLS,
    list_dropped: bool = False,
    runs: Runs | None = None,
    context_of: Callable[..., AuditContext] = AuditContext,
) -> AuditReport:
    """Audit the verifier of `task` by execution. `seed` fixes what is sampled.

    `gates` not named are reported as not run. `alternatives` are other programs for the task, as a solver found them,
    besides those that a search finds within `search_calls` tool calls: those that end ≈ gold's state must pass, one
    that passes and ends elsewhere makes the task disputed. `attackers` try to pass without the work, each within
    `attack_calls` tool calls (0: none is tried).
    `list_dropped`: the report names every dropped mutant (a few hundred), not only how many each rule dropped.
    `runs`: what earlier audits of the task under other verifiers ran, which is not run again; it is added to.
    `context_of` makes the context, for those who look on.
    Whatever is wrong with the task is in the report; nothing is raised for it.
    """
    version = task_version(environment, task)
    try:
        environment.open(task).close()
        context = context_of(
            environment,
            task,
            seed=seed,
            alternatives=alternatives,
            attackers=attackers,
            attack_calls=attack_calls,
            search_calls=search_calls,
            runs=runs,
        )
    except InputError as error:
        results = tuple(_not_opened(name, error) for name in ALL)
        return AuditReport(environment=environment.id, task=task.id, version=version, grade="broken", gates=results)
    with context:
        results = tuple(_run(context, name, gates) for name in ALL)
        report = _report(context, version, results)
        return report.model_copy(update={"dropped_mutants": _dropped_mutants(context)}) if list_dropped else report


def grade(results: Sequence[GateResult], *, other_end_passes: bool = False) -> Grade:
    """The grade that follows from the gates. `other_end_passes`: a found program passes and ends in another state, so
    that a reader has to decide."""
    failed = {result.gate for result in results if result.status == "failed"}
    if failed & {"gold", "permission"}:
        return "broken"
    if "goal" in failed:
        return "disputed"
    # Where known mistakes pass nobody has to decide about an end that was found.
    if failed & (set(_WEAK) - {"attack"}):
        return "weak"
    if other_end_passes:
        return "disputed"
    if "attack" in failed:
        return "weak"
    if "alternatives" in failed:
        return "strict"
    return "ambiguous" if "grounding" in failed else "sound"


def _run(context: AuditContext, name: GateName, wanted: Collection[GateName]) -> GateResult:
    reason = _not_run_because(context, name, wanted)
    return GateResult(gate=name, status="not_run", message=reason) if reason else context.once(GATES[name])


def _not_run_because(context: AuditContext, name: GateName, wanted: Collection[GateName]) -> str:
    if name == "attack" and not (context.attackers and context.attack_calls):
        return "attacks were given no budget of calls"
    if name == "twins" and context.task.verifier.submit.status == "done" and context.task.twin is None:
        return "only refusals have a twin"
    if name not in wanted:
        return "not asked for"
    if not context.task.gold:
        return "there is no gold solution yet"
    if name not in _WITHOUT_GOLD and context.once(gold.gate).status != "passed":
        return "gold does not pass"
    return ""


def _not_opened(name: GateName, error: InputError) -> GateResult:
    message = f"no episode opens: {error}"
    return GateResult(gate=name, status="failed" if name == "gold" else "not_run", message=message)


def _report(context: AuditContext, version: str, results: tuple[GateResult, ...]) -> AuditReport:
    parts, attacked = _mutated(context), context.made(attacks)
    mutants = [trial for part in parts for trial in (part.mutants if isinstance(part, EndStates) else part.mistakes)]
    ran = {result.gate for result in results if result.status != "not_run"}
    ways = list(alternatives_gate.alternatives(context)) if "alternatives" in ran else []
    dropped = Counter(one.rule for part in parts for one in part.dropped)
    return AuditReport(
        environment=context.environment.id,
        task=context.task.id,
        version=version,
        grade=grade(results, other_end_passes=_other_end_passes(context)),
        gates=results,
        null_passes=len(null.passing_submissions(context)) if "null" in ran else 0,
        mutants=MutantCount(
            killed=sum(trial.killed for trial in mutants),
            total=len(mutants),
            dropped=dict(sorted(dropped.items())),
            untried=sum(part.untried for part in parts),
        ),
        alternatives=Tally(passed=sum(passed for _, passed in ways), total=len(ways)),
        attacks=count_of(attacked) if attacked else AttackCount(),
    )


def _other_end_passes(context: AuditContext) -> bool:
    """Whether another end passes, and no attack has shown the verifier to be wrong."""
    others, attacked = context.made(other_ways), context.made(attacks)
    if attacked and attacked.of("succeeded"):
        return False
    return bool(others and others.elsewhere) or bool(attacked and attacked.of("elsewhere"))


def _mutated(context: AuditContext) -> list[EndStates | Trajectories]:
    """The mutants of the gates that ran."""
    return [part for part in (context.made(end_states), context.made(trajectories)) if part is not None]


def _dropped_mutants(context: AuditContext) -> tuple[DroppedMutant, ...]:
    return tuple(DroppedMutant(**one._asdict()) for part in _mutated(context) for one in part.dropped)
