"""Proof of an archetype or link: worlds made of it, with what it needs, must pass what every environment passes.

`linting` checks that a part renders and that its queries run; here its worlds go through the tester, the critics'
rules and its tasks through the audit. Nothing of a run calls it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Set

from ...environments.errors import EnvolveError
from ...environments.gold import run_gold
from ...environments.models import AuditReport, CallStep
from ...environments.package import Environment
from ...eval.audit import audit
from ..base import Dossier
from ..critics.rules_critic import RulesCritic
from ..tester import confirm, out_of_reach, run_gates
from .coder import render
from .composition import Composition
from .design import Design
from .library import Library, library
from .linting import Problem, design_of, structures_of
from .sizes import size_of
from .structures import Structure
from .tasks.derivation import write_verifier
from .tasks.offers import Offers, offers_in
from .tasks.plans import plan_of
from .tasks.writer import REFUSALS, propose

EACH, MIXED = 2, 12
"""Tasks asked for of each workflow, question and refusal of the part by itself, and of all that a world offers."""
ENOUGH = 3
"""Worlds of a part where nobody says how many and these have all that it brings."""


def prove_part(
    name: str, *, source: Library | None = None, worlds: int | None = None, seed: int = 0, mixed: int = MIXED
) -> Iterator[Problem]:
    """What is wrong with the worlds of one archetype or link, each with other variants: findings that were confirmed;
    what nobody can reach without its optional tools; tasks that are not sound; workflows of its own of which no task
    came, and tools of its own that no call got through, in any of the worlds. `worlds`: how many; by default as
    many as it takes for each of these to be there. `mixed`: tasks of all that a world offers."""
    source = source or library()
    untold: dict[str, int] = {}
    unused: dict[str, int] = {}
    for place, structure in enumerate(telling_structures(source, name, worlds)):
        where = str(structure.choice[name])
        try:
            design = design_of(source, structure, seed + place)
            trial = _Trial(render(design, source=source), Composition(design, source), name, seed)
            told = (*_bare(source, structure, design), *trial.faults(), *trial.unsound(mixed))
            yield from (Problem(name, where, text) for text in told)
        except EnvolveError as error:
            yield Problem(name, where, f"does not build: {error}")
            continue
        _count(untold, trial.flows, trial.asked)
        _count(unused, trial.tools, trial.called)
    for flow, count in untold.items():
        if count:
            yield Problem(name, flow, f"offered in {count} worlds, and no task came of it in any")
    for tool, count in unused.items():
        if count:
            yield Problem(name, tool, f"there in {count} worlds, and no call of it succeeded in any")


def _count(seen: dict[str, int], there: Iterable[str], reached: Set[str]) -> None:
    """Takes note of a world; what was reached once counts 0 for good."""
    for what in there:
        before = seen.get(what)
        seen[what] = 0 if what in reached or before == 0 else (before or 0) + 1


def telling_structures(source: Library, name: str, count: int | None = None) -> list[Structure]:
    """`count` structures of a part if it has as many, by default `ENOUGH` and those in which a workflow, a refusal or
    a tool of it is there that the others lack. First come those that have most which none before them has."""
    left = [(structure, _own(source, name, structure)) for structure in structures_of(source, name)]
    told: list[Structure] = []
    seen: set[str] = set()
    while left:
        structure, own = max(left, key=lambda one: len(one[1] - seen))
        if len(told) >= (count or ENOUGH) and (count or own <= seen):
            break
        left.remove((structure, own))
        told.append(structure)
        seen |= own
    return told


def _own(source: Library, name: str, structure: Structure) -> set[str]:
    """What a part brings in a structure."""
    composition = Composition(design_of(source, structure, 0), source)
    flows = {flow["key"] for flow in (*composition.workflows, *composition.refusals)}
    return {*composition.own_tools(name), *(flow for flow in flows if flow.rpartition(".")[0] == name)}


def _bare(source: Library, structure: Structure, design: Design) -> Iterator[str]:
    """What nobody can reach any more once all optional tools are left out, as small worlds do."""
    optional = size_of(source, structure.choice, structure.fills).optional
    bare = design.model_copy(update={"left_out": tuple(sorted(optional))})
    for finding in out_of_reach(render(bare, source=source)):
        yield f"without its optional tools: {finding.message}"


class _Trial:
    """One world of a part. `asked`, `called`: the flows of which tasks came, the tools that calls got through."""

    def __init__(self, environment: Environment, composition: Composition, part: str, seed: int) -> None:
        self._environment = environment
        self._seed = seed
        self._offers = offers_in(environment, composition)
        self.tools = composition.own_tools(part)
        self.flows = [
            flow for flow in (*self._offers.workflows, *self._offers.refusals) if flow.rpartition(".")[0] == part
        ]
        self.asked: set[str] = set()
        self.called: set[str] = set()

    def faults(self) -> Iterator[str]:
        """Findings that were confirmed, of the tester and of the critics' rules."""
        report = run_gates(self._environment, seed=self._seed)
        for finding in report.blocking:
            yield f"tester: {finding.kind} at {finding.where}: {finding.message}"
        self.called |= {*self._environment.tools} - {*report.coverage.never_succeeded}
        dossier = Dossier(self._environment, report.model_dump(mode="json"))
        for finding in confirm(self._environment, asyncio.run(RulesCritic().review(dossier)), seed=self._seed):
            if finding.confirmed:
                yield f"critic: {finding.kind} at {finding.where}: {finding.message}"

    def unsound(self, mixed: int) -> Iterator[str]:
        """Tasks that are not sound: of each flow, and of all that the world offers."""
        for flow in self.flows:
            yield from self._tried(self._only(flow), EACH, refusals=float(flow in self._offers.refusals))
        yield from self._tried(self._offers, mixed)

    def _only(self, flow: str) -> Offers:
        """The offers with one workflow, or with one refusal."""
        if flow in self._offers.refusals:
            return self._offers.narrowed(refusals={flow})
        return self._offers.narrowed(workflows={flow})

    def _tried(self, offers: Offers, count: int, *, refusals: float = REFUSALS) -> Iterator[str]:
        proposed = propose(self._environment, offers, count, seed=self._seed, refusals=refusals)
        runs = {task.id: run_gold(self._environment, task) for task in proposed}
        written = [write_verifier(self._environment, self._offers, task, runs[task.id]) for task in proposed]
        held = self._environment.with_tasks(written)
        for task in held.tasks.values():
            plan = plan_of(task)
            self.asked |= {part.workflow for part in plan.parts} if plan else set()
            self.called |= {step.call for step in task.gold if isinstance(step, CallStep)}
            report = audit(held, task, seed=self._seed)
            if report.grade != "sound":
                yield f"task {task.id} is {report.grade}: {task.instruction.strip()}\n    {_why(report)}"


def _why(report: AuditReport) -> str:
    failed = [gate for gate in report.gates if gate.status == "failed"]
    return "; ".join(f"{gate.gate}: {gate.message} {gate.evidence[:1] or ''}" for gate in failed)
