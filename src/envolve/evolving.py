"""One evolution step by hand: what `envolve evolve` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from envolve.agents.base import Evolver
from envolve.agents.solvers import solver_named
from envolve.agents.team import TeamSpec, assemble
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
    """The child, its audit, and its effect if it was measured. `path` is where it was written, if it was."""

    operator: str
    parent: Task
    child: Task
    report: AuditReport
    effect: Effect | None
    path: Path | None
    spent: Spent = Spent()

    @property
    def grade(self) -> str:
        return self.report.grade

    def lines(self) -> list[str]:
        lines = [
            f"{self.operator}: {self.parent.id} → {self.child.id}",
            f"  before: {' '.join(self.parent.instruction.split())}",
            f"  after:  {' '.join(self.child.instruction.split())}",
            f"  audit:  {self.grade}",
        ]
        lines += [f"    {gate.gate}: {gate.message}" for gate in self.report.gates if gate.status == "failed"]
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
        run = run_gold(environment, child)
        if run.ok:
            child = await team.task_writer.write_verifier(environment, child, run)
    report = audit(environment, child, seed=seed)
    child = freeze(child, report)
    effect = None
    if chosen is not None and report.grade == "sound":
        effect = await compare(environment, parent, child, chosen, n=count, seed=seed)
    written = None
    if keep and report.grade == "sound":
        write_beside(path, task_files([child]))
        written = path / "tasks" / f"{child.id}.yaml"
    return Evolved(operator, parent, child, report, effect, written, spent_by(spec.models, usage))


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
