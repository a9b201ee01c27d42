"""The heavy steps of the graphs: pure functions from JSON to JSON, run in a worker or in the coordinator.

A step opens packages by path, asks the team's roles or the gates, and returns what it found. It writes nothing
but candidate packages (named by content, so writing one twice is harmless).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from ..agents.base import Blueprint, Dossier, Pair
from ..agents.llm.errors import Unusable
from ..agents.recalled import recalled
from ..agents.team import Team, TeamSpec, assemble
from ..agents.tester import TestReport, confirm, run_gates, task_findings
from ..environments.dataflow import structure_features
from ..environments.errors import PackageError
from ..environments.gold import run_gold
from ..environments.models import Finding, Frozen
from ..environments.package import Environment, task_version
from ..environments.sizes import size_of
from ..eval.audit import audit, freeze
from ..memory.embedders.meaning import meaning
from ..memory.signatures import environment_signature, task_signature
from ..memory.texts import environment_text
from .learning import learn_step
from .measuring import compare_step, confirm_step, measure_step, rate_step
from .requests import (
    AuditReply,
    CodeRequest,
    Compared,
    CompareRequest,
    Description,
    DesignRequest,
    EvolveRequest,
    Findings,
    LearnRequest,
    Lessons,
    MaybePackage,
    MaybeTask,
    Measured,
    MeasureRequest,
    Package,
    PackageRequest,
    Proof,
    ProposeRequest,
    RateRequest,
    RecallRequest,
    RepairRequest,
    RepairTaskRequest,
    ReviewRequest,
    Scenarios,
    ScoutRequest,
    TaskRequest,
    Tasks,
)

Request = TypeVar("Request", bound=Frozen)
Reply = TypeVar("Reply", bound=Frozen)


class Step(NamedTuple, Generic[Request, Reply]):
    """A named function of the team and a request. `role` is the role that it asks ("" for gates and solvers).
    `otherwise` is the reply where a model did not bring about a usable one; without it the item is set aside."""

    name: str
    role: str
    request: type[Request]
    reply: type[Reply]
    function: Callable[[Team, Request], Awaitable[Reply]]
    otherwise: Callable[[Request, Unusable], Reply] | None = None


@lru_cache(maxsize=4)
def _team(spec: str) -> Team:
    return assemble(TeamSpec.model_validate_json(spec), embed=meaning)


@lru_cache(maxsize=32)  # those being worked on; a megabyte each with what is kept beside them, 50 ms to load
def opened(path: str) -> Environment:
    """The package at `path`; packages are named by content, so one that was read stays valid."""
    return Environment.load(Path(path))


async def perform(step: Step[Request, Reply], request: Request, team: TeamSpec) -> Reply:
    """Runs a step in this process."""
    return await step.function(_team(team.model_dump_json()), request)


async def perform_json(name: str, payload: str, team: str) -> str:
    """Runs a step by name, from JSON to JSON. Errors: KeyError for an unknown name."""
    step = STEPS[name]
    reply = await step.function(_team(team), step.request.model_validate_json(payload))
    text: str = reply.model_dump_json(by_alias=True, exclude_none=True)
    return text


def _saved(environment: Environment, folder: str) -> Package:
    path = environment.save(Path(folder))
    return Package(id=environment.id, hash=environment.hash, path=str(path))


async def _scout(team: Team, ask: ScoutRequest) -> Scenarios:
    return Scenarios(scenarios=tuple(await team.scout.scenarios(ask.count, seed=ask.seed, known=ask.known)))


async def _design(team: Team, ask: DesignRequest) -> Blueprint:
    return await team.architect.design(ask.brief)


async def _code(team: Team, ask: CodeRequest) -> Package:
    return _saved(await team.coder.write(ask.brief, ask.blueprint), ask.folder)


async def _repair(team: Team, ask: RepairRequest) -> MaybePackage:
    repaired = await team.coder.repair(opened(ask.path), ask.findings, seed=ask.seed)
    return MaybePackage(package=None if repaired is None else _saved(repaired, ask.folder))


async def _test(team: Team, ask: PackageRequest) -> TestReport:
    return run_gates(opened(ask.path), seed=ask.seed)


async def _review(team: Team, ask: ReviewRequest) -> Findings:
    """Every claim's probe is run; what it does not reproduce, or cannot, is kept as a doubt."""
    environment = opened(ask.path)
    claims = list[Finding]()
    for critic in team.critics:
        claims += await critic.review(Dossier(environment, ask.evidence, ask.past_defects))
    return Findings(findings=tuple(confirm(environment, claims)))


async def _recall(team: Team, ask: RecallRequest) -> Findings:
    return Findings(findings=tuple(recalled(opened(ask.path), ask.defects, seed=ask.seed)))


async def _learn(team: Team, ask: LearnRequest) -> Lessons:
    folder = Path(ask.folder)
    found = [(opened(str(folder / each.path)), each) for each in ask.found]
    return learn_step(found, [opened(str(folder / path)) for path in ask.drafts])


async def _propose(team: Team, ask: ProposeRequest) -> Tasks:
    proposed = await team.task_writer.propose(opened(ask.path), ask.count, seed=ask.seed, known=ask.known)
    return Tasks(tasks=tuple(proposed))


async def _evolve(team: Team, ask: EvolveRequest) -> MaybeTask:
    child = await team.evolver.evolve(opened(ask.path), ask.task, ask.operator, seed=ask.seed)
    return MaybeTask(task=child.refusal, twin=child.twin) if isinstance(child, Pair) else MaybeTask(task=child)


async def _prove(team: Team, ask: TaskRequest) -> Proof:
    """Executes gold, then has the verifier written from the executed states."""
    environment = opened(ask.path)
    try:
        run = run_gold(environment, ask.task)
    except PackageError as error:  # the task does not fit the environment, or its setup fails
        return Proof(task=ask.task, version=task_version(environment, ask.task), failure=f"gold failed: {error.bare}")
    findings = tuple(task_findings(environment, ask.task, run))
    if run.failure is not None:
        failure = f"gold failed: step {run.failure.step + 1}: {run.failure.message}"
        return Proof(task=ask.task, version=task_version(environment, ask.task), failure=failure, findings=findings)
    task = await team.task_writer.write_verifier(environment, ask.task, run)
    return Proof(
        task=task,
        version=task_version(environment, task),
        features=structure_features(environment, task, run),
        findings=findings,
        signature=task_signature(environment, task),
    )


async def _audit(team: Team, ask: TaskRequest) -> AuditReply:
    """A refusal is held against its twin, which no package holds yet."""
    environment = opened(ask.path)
    if ask.twin is not None:
        environment = environment.with_tasks([ask.twin])
    report = audit(environment, ask.task, seed=ask.seed, alternatives=ask.alternatives)
    return AuditReply(task=freeze(ask.task, report), version=report.version, report=report)


async def _repair_task(team: Team, ask: RepairTaskRequest) -> MaybeTask:
    return MaybeTask(task=await team.task_writer.repair(opened(ask.path), ask.task, ask.report, seed=ask.seed))


async def _measure(team: Team, ask: MeasureRequest) -> Measured:
    return await measure_step(opened(ask.path), ask)


async def _confirm(team: Team, ask: MeasureRequest) -> Measured:
    return await confirm_step(opened(ask.path), ask)


async def _rate(team: Team, ask: RateRequest) -> Measured:
    return await rate_step(opened(ask.path), ask)


async def _compare(team: Team, ask: CompareRequest) -> Compared:
    return await compare_step(opened(ask.path), ask)


async def _describe(team: Team, ask: PackageRequest) -> Description:
    environment = opened(ask.path)
    return Description(
        id=environment.id,
        hash=environment.hash,
        text=environment_text(environment),
        signature=environment_signature(environment),
        **size_of(environment)._asdict(),
    )


def _unproven(ask: TaskRequest, error: Unusable) -> Proof:
    return Proof(task=ask.task, version=task_version(opened(ask.path), ask.task), failure=error.message)


def _untold(_: Frozen, error: Unusable) -> MaybeTask:
    return MaybeTask(why=error.message)


SCOUT = Step("scout", "scout", ScoutRequest, Scenarios, _scout, lambda *_: Scenarios())
DESIGN = Step("design", "architect", DesignRequest, Blueprint, _design)
CODE = Step("code", "coder", CodeRequest, Package, _code)
REPAIR = Step("repair", "coder", RepairRequest, MaybePackage, _repair, lambda *_: MaybePackage())
TEST = Step("test", "tester", PackageRequest, TestReport, _test)
REVIEW = Step("review", "critics", ReviewRequest, Findings, _review)
RECALL = Step("recall", "", RecallRequest, Findings, _recall)
LEARN = Step("learn", "", LearnRequest, Lessons, _learn)
DESCRIBE = Step("describe", "", PackageRequest, Description, _describe)
PROPOSE = Step("propose", "task_writer", ProposeRequest, Tasks, _propose, lambda *_: Tasks())
EVOLVE = Step("evolve", "evolver", EvolveRequest, MaybeTask, _evolve, _untold)
PROVE = Step("prove", "task_writer", TaskRequest, Proof, _prove, _unproven)
AUDIT = Step("audit", "", TaskRequest, AuditReply, _audit)
REPAIR_TASK = Step("repair_task", "task_writer", RepairTaskRequest, MaybeTask, _repair_task, _untold)
MEASURE = Step("measure", "", MeasureRequest, Measured, _measure)
CONFIRM = Step("confirm", "", MeasureRequest, Measured, _confirm)
RATE = Step("rate", "", RateRequest, Measured, _rate)
COMPARE = Step("compare", "", CompareRequest, Compared, _compare)

STEPS: dict[str, Step[Any, Any]] = {
    step.name: step
    for step in (
        SCOUT, DESIGN, CODE, REPAIR, TEST, REVIEW, RECALL, LEARN, DESCRIBE, PROPOSE, EVOLVE, PROVE, AUDIT, REPAIR_TASK,
        MEASURE, CONFIRM, RATE, COMPARE,
    )
}  # fmt: skip
