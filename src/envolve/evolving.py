"""One evolution step by hand: what `envolve evolve` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from envolve.agents.base import Evolver, Pair
from envolve.agents.solvers import solver_named
from envolve.agents.team import Team, TeamSpec, assemble
from envolve.environments.errors import InputError
from envolve.environments.gold import run_gold
from envolve.environments.models import AuditReport, Task
from envolve.environments.package import Environment
from envolve.environments.writing import task_files, write_beside
from envolve.eval.audit import audit, freeze
from envolve.eval.measurement import Effect, compare
from envolve.eval.usage import metered
from envolve.packages import load_one

from .teams import Spent, spent_by


class Evolved(NamedTuple):
    """The child, its audit, and its effect if it was measured. `path` is where it was written, if it was. A refusal
    brings its twin, with an audit of its own."""

    operator: str
    parent: Task
    child: Task
    report: AuditReport
    effect: Effect | None
    path: Path | None
    spent: Spent = Spent()
    twin: Task | None = None
    twin_report: AuditReport | None = None

    @property
    def grade(self) -> str:
        """`sound`, or the grade of what is not: the child, else its twin."""
        other = self.twin_report.grade if self.twin_report else "sound"
        return self.report.grade if self.report.grade != "sound" else other

    def lines(self) -> list[str]:
        lines = [
            f"{self.operator}: {self.parent.id} → {self.child.id}",
            f"  before: {' '.join(self.parent.instruction.split())}",
            f"  after:  {' '.join(self.child.instruction.split())}",
            *([f"  twin:   {' '.join(self.twin.instruction.split())}"] if self.twin else []),
            f"  audit:  {self.grade}",
        ]
        for report in (self.report, *([self.twin_report] if self.twin_report else [])):
            lines += [f"    {gate.gate}: {gate.message}" for gate in report.gates if gate.status == "failed"]
        if self.effect is not None:
            lines.append(f"  {_told(self.effect)}")
        if self.path is not None:
            lines.append(f"  written: {self.path}")
        if self.spent.tokens:
            lines.append(f"  spent:   {self.spent.line}")
        return lines

    def as_json(self) -> dict[str, Any]:
        effect = self.effect
        return {
            "operator": self.operator,
            "parent": self.parent.id,
            "child": self.child.model_dump(mode="json", by_alias=True, exclude_none=True),
            "twin": self.twin and self.twin.model_dump(mode="json", by_alias=True, exclude_none=True),
            "grade": self.grade,
            "effect": None
            if effect is None
            else effect.model_dump(mode="json", exclude={"parent_rollouts", "child_rollouts"}),
            "written": str(self.path) if self.path else None,
            **self.spent._asdict(),
        }


async def evolve_one(
    path: Path,
    task: str,
    operator: str,
    *,
    solver: str | None,
    count: int,
    seed: int,
    keep: bool,
    spec: TeamSpec | None = None,
) -> Evolved:
    """Errors: InputError for an unknown task or operator, one that does not apply to this task, and a team that cannot
    work together; those of models."""
    environment = load_one(path, task, again=f"envolve evolve {{env}} {{task}} --operator {operator}")
    parent = environment.tasks[task]
    spec = spec or TeamSpec()
    team = assemble(spec)
    _check_operator(operator, team.evolver)
    chosen = solver_named(solver) if solver else None
    with metered() as usage:
        child = await team.evolver.evolve(environment, parent, operator, seed=seed)
        if child is None and spec.models:
            raise _declined(spec.evolver, parent, operator)
        if child is None:
            raise await _inapplicable(team.evolver, environment, parent, operator, seed)
        halves = [await _verified(environment, half, team) for half in _halves(child)]
    reports = [audit(environment.with_tasks(halves[1:]), half, seed=seed) for half in halves]
    halves = [freeze(half, report) for half, report in zip(halves, reports, strict=True)]
    sound = all(report.grade == "sound" for report in reports)
    first, twin = halves[0], halves[1] if halves[1:] else None
    effect = None
    if chosen is not None and sound:
        effect = await compare(environment, parent, first, chosen, n=count, seed=seed, child_twin=twin)
    written = None
    if keep and sound:
        write_beside(path, task_files(halves))
        written = path / "tasks" / f"{first.id}.yaml"
    spent = spent_by(spec.models, usage)
    twin_report = reports[1] if twin else None
    return Evolved(operator, parent, first, reports[0], effect, written, spent, twin, twin_report)


def _halves(child: Task | Pair) -> list[Task]:
    """The child, and after a refusal its twin."""
    return [child.refusal, child.twin] if isinstance(child, Pair) else [child]


async def _verified(environment: Environment, task: Task, team: Team) -> Task:
    """The task with a verifier, where its gold runs."""
    run = run_gold(environment, task)
    return await team.task_writer.write_verifier(environment, task, run) if run.ok else task


def _declined(evolver: str, task: Task, operator: str) -> InputError:
    return InputError(
        f"{operator} came to nothing for {task.id}: {evolver} found that it does not apply.",
        remedy="Try another operator, another --seed or another model.",
    )


async def _inapplicable(
    evolver: Evolver, environment: Environment, task: Task, operator: str, seed: int
) -> InputError:
    """Why an operator does not apply, and what can be done instead."""
    if not task.plan:
        return InputError(
            f"{task.id} was written by hand: it has no plan, and operators change plans.",
            remedy="Tasks that Envolve wrote can be evolved: those of a run's environments (`envolve run`), or of one"
            ' built with `envolve new "A tea house with tastings"`.\nA model evolves any: --evolver MODEL.',
        )
    others = [
        name
        for name in _operators(evolver)
        if name != operator and await evolver.evolve(environment, task, name, seed=seed) is not None
    ]
    return InputError(
        f"{operator} finds nothing to change in {task.id} (seed {seed}).",
        remedy=f"Operators that apply to it: {', '.join(others)}."
        if others
        else "Try another task of this environment.",
    )


def _operators(evolver: Evolver) -> list[str]:
    return sorted({*evolver.operators["harden"], *evolver.operators["soften"], "paraphrase"})


def _check_operator(operator: str, evolver: Evolver) -> None:
    known = _operators(evolver)
    if operator not in known:
        raise InputError(f"There is no operator {operator!r}.", remedy=f"Known: {', '.join(known)}.")


def _told(effect: Effect) -> str:
    rates = (
        f"{effect.solver}: {effect.parent_passes} of {effect.parent_n} → {effect.child_passes} of {effect.child_n}"
    )
    if effect.change is None:
        return rates
    change = effect.change
    return f"{rates}, {change.difference:+.2f} (95% {change.interval.low:+.2f} to {change.interval.high:+.2f})"
