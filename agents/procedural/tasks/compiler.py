"""A plan → a task: instruction, grounding, goal, gold. The verifier comes later, from the executed run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from ....environments.canonical import sha256
from ....environments.models import ExpectedSubmission, Goal, Grounding, Task, TaskLineage, Verifier
from ....environments.package import Environment
from .answers import PartAnswer, combined_answer, part_answer, submitted_answer
from .formats import fill
from .offers import Offers
from .plans import PICKS, TRIED, Plan
from .programs import Program
from .repetition import Phrase, as_said, without_repeats
from .requests import instruction
from .speaking import Spoken, Unusable, part_goals, speak
from .workflows import Step, Workflow
from .worlds import World, seed_world


def compile_plan(
    environment: Environment,
    offers: Offers,
    plan: Plan,
    *,
    lineage: TaskLineage | None = None,
    spoken: Sequence[Spoken] | None = None,
) -> Task:
    """The task of a plan, without `require` and `allow`. Raises Unfit. `spoken`: the plan's parts, if known."""
    try:
        return _compiled(
            environment, offers, plan, lineage or TaskLineage(split=environment.spec.lineage.split), spoken
        )
    except KeyError as error:
        raise Unusable(f"{plan.parts[0].workflow}: nothing is called {error}") from error


def _compiled(
    environment: Environment, offers: Offers, plan: Plan, lineage: TaskLineage, spoken: Sequence[Spoken] | None
) -> Task:
    world = seed_world(environment, plan.actor, plan.setup)
    spoken = spoken or speak(offers, world, plan)
    program, answers, tried = _written(environment, world.today, spoken)
    submit = _submission(offers, plan, spoken)
    phrases = list(_phrases(offers, world, spoken))
    said = without_repeats(instruction(spoken, plan, world.today), phrases)
    return Task.model_validate(
        {
            "id": _task_id(environment, plan, spoken),
            "instruction": said,
            "actor": plan.actor,
            "setup": plan.setup,
            "goal": _goal(spoken, world),
            "grounding": as_said(_grounding(spoken), said, phrases),
            "gold": [
                *program.steps,
                {"submit": {"status": submit.status, "reason": submit.reason, **submitted_answer(answers)}},
            ],
            "verifier": Verifier(free=_free(spoken), submit=submit, answer=combined_answer(answers)),
            "lineage": lineage,
            "plan": {**plan.model_dump(mode="json", exclude_defaults=True), PICKS: program.picks, **tried},
        }
    )


def _written(
    environment: Environment, today: date, spoken: Sequence[Spoken]
) -> tuple[Program, list[PartAnswer], dict[str, list[Step]]]:
    """Gold with its answers; and of a refusal the steps that gold stops short of, by their key in the plan."""
    program = Program(today)
    answers = _write_gold(environment, program, spoken)
    if all(said.workflow.kind != "refusal" for said in spoken):
        return program, answers, {}
    whole = Program(today)
    obliging = [said._replace(workflow=said.workflow.model_copy(update={"kind": "change"})) for said in spoken]
    _write_gold(environment, whole, obliging)
    return program, answers, {TRIED: whole.steps[len(program.steps) :]}


def _write_gold(environment: Environment, program: Program, spoken: Sequence[Spoken]) -> list[PartAnswer]:
    answers: list[PartAnswer] = []
    written: list[dict[str, str]] = []
    for index, said in enumerate(spoken):
        known = {slot: _held(source, written[said.part.follows or 0]) for slot, source in said.followed.items()}
        steps = _steps(environment, said.workflow)
        names = program.block(steps, said.text, finds=said.references, known=known)
        written.append(names)
        if said.workflow.answer is not None:
            changed = any(other.workflow.kind == "change" for other in spoken[:index])
            answers.append(part_answer(said.workflow, said.env, names, "after" if changed else "before"))
    return answers


def _steps(environment: Environment, workflow: Workflow) -> tuple[Step, ...]:
    """The workflow's gold; of a refusal the look-ups before the first write, which is not to be made."""
    if workflow.kind != "refusal":
        return workflow.gold
    writes = (
        index
        for index, step in enumerate(workflow.gold)
        if (plan := environment.plans.get(step.get("call", ""))) is not None and plan.writes
    )
    return workflow.gold[: next(writes, len(workflow.gold))]


def _held(source: str, names: Mapping[str, str]) -> str:
    """A name (or path) of the program so far that holds a row of an earlier part."""
    head, _, path = source.removeprefix("$").partition(".")
    held = names.get(head, head)
    return held if path in ("", "id") else f"{held}.{path}"


def _submission(offers: Offers, plan: Plan, spoken: Sequence[Spoken]) -> ExpectedSubmission:
    """`done`, or refused under the policy's rule. Where a refusal is at stake the rules stand to choose from."""
    rule = next((said.workflow.rule for said in spoken if said.workflow.kind == "refusal"), None)
    options = tuple(range(1, offers.rules + 1)) if rule is not None or plan.twinned else ()
    if rule is None:
        return ExpectedSubmission(options=options)
    return ExpectedSubmission(status="refused", reason=rule, options=options)


def _goal(spoken: Sequence[Spoken], world: World) -> Goal:
    texts, queries = [], []
    for said in spoken:
        goal = said.workflow.goal
        texts.append(fill(goal.text, said.text, world.today) if goal else _told(said))
        queries += part_goals(said)
    sql = " AND ".join(f"({query.strip().rstrip(';')})" for query in queries)
    return Goal(text="; ".join(texts), sql=f"SELECT {sql}" if sql else None)


def _told(said: Spoken) -> str:
    if said.workflow.kind == "refusal":
        return f"nothing changes, and the request is refused under rule {said.workflow.rule}"
    return f"the question is answered: {said.workflow.about or said.workflow.name.replace('_', ' ')}"


def _phrases(offers: Offers, world: World, spoken: Sequence[Spoken]) -> Iterator[Phrase]:
    """Every phrase with what its row is called, those within phrases too; sets have no name of their own."""
    pending = [reference for said in spoken for reference in said.references.values()]
    while pending:
        reference = pending.pop()
        if isinstance(reference.rows, int):
            yield Phrase(reference.phrase, offers.noun_of(world, reference.table, reference.rows))
        pending += reference.nested.values()


def _grounding(spoken: Sequence[Spoken]) -> dict[str, Grounding]:
    found: dict[str, Grounding] = {}
    for said in spoken:
        for reference in said.references.values():
            found.update(reference.groundings)
    return found


def _free(spoken: Sequence[Spoken]) -> dict[str, tuple[str, ...]]:
    free: dict[str, tuple[str, ...]] = {}
    for said in spoken:
        for table, columns in said.workflow.free.items():
            free[table] = tuple(sorted({*free.get(table, ()), *columns}))
    return free


def _task_id(environment: Environment, plan: Plan, spoken: Sequence[Spoken]) -> str:
    """What is done, in words, and a hash that tells plans apart."""
    words = "-and-".join(said.workflow.name.replace("_", "-") for said in spoken)[:60].strip("-")
    return f"{words}-{sha256([environment.hash, plan])[:8]}"
