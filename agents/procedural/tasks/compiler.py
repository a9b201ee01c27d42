"""A plan → a task: instruction, grounding, goal, gold. The verifier comes later, from the executed run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from ....environments.canonical import seed_from, sha256
from ....environments.models import Goal, Grounding, Task, TaskLineage, Verifier
from ....environments.package import Environment
from .answers import PartAnswer, combined_answer, part_answer, submitted_answer
from .formats import fill, fill_sentences
from .grammar import fits
from .offers import Offers
from .plans import Part, Plan, Rows
from .programs import Program
from .references import Reference, Referrer
from .sqltext import STANDING, Sql, inline
from .voice import Utterance, say_all
from .workflows import Say, Workflow
from .worlds import World, seed_world


class Unusable(Exception):
    """The plan makes no task: says why. Control flow of the task writer, not an error for people."""


class Spoken(NamedTuple):
    """A part with its rows made speakable. `env`: what its SQL may name. `text`: what its words may name.
    `followed`: slot → where gold holds a row taken over from an earlier part."""

    part: Part
    workflow: Workflow
    references: dict[str, Reference]
    env: dict[str, Any]
    text: dict[str, Any]
    followed: dict[str, str]


def compile_plan(environment: Environment, offers: Offers, plan: Plan, *, lineage: TaskLineage | None = None) -> Task:
    """The task of a plan, without `require` and `allow`. Raises Unusable."""
    world = seed_world(environment, plan.actor, plan.setup)
    spoken = speak(offers, world, plan)
    program = Program(world.today)
    answers = _write_gold(program, spoken)
    return Task.model_validate(
        {
            "id": _task_id(environment, plan, spoken),
            "instruction": _instruction(spoken, plan, world),
            "actor": plan.actor,
            "setup": plan.setup,
            "goal": _goal(spoken, world),
            "grounding": _grounding(spoken),
            "gold": [*program.steps, {"submit": {"status": "done", **submitted_answer(answers)}}],
            "verifier": Verifier(free=_free(spoken), answer=combined_answer(answers)),
            "lineage": lineage or TaskLineage(split=environment.spec.lineage.split),
            "plan": plan.model_dump(mode="json", exclude_defaults=True),
        }
    )


# Rows and words


def speak(offers: Offers, world: World, plan: Plan) -> list[Spoken]:
    """Every part of the plan with its references. Raises Unusable."""
    spoken: list[Spoken] = []
    for part in plan.parts:
        spoken.append(speak_part(offers, world, plan.role, part, spoken))
    return spoken


def speak_part(offers: Offers, world: World, role: str, part: Part, before: Sequence[Spoken]) -> Spoken:
    """One part with its references, after those `before`. Raises Unusable."""
    workflow = offers.workflow(part.workflow)
    if workflow is None or role not in workflow.actors:
        raise Unusable(f"no workflow {part.workflow!r} for {role}")
    return _Speaker(Referrer(offers, world, role, workflow.choose), workflow, part).spoken(before)


class _Speaker:
    def __init__(self, referrer: Referrer, workflow: Workflow, part: Part) -> None:
        self._referrer = referrer
        self._workflow = workflow
        self._part = part
        self._env: dict[str, Any] = {**referrer.world.names, **choice_values(part.choices), **self._absent()}
        self._references: dict[str, Reference] = {}
        self._phrases: dict[str, str] = {}
        self._followed: dict[str, str] = {}

    def spoken(self, before: Sequence[Spoken]) -> Spoken:
        part = self._part
        for slot in self._workflow.slots:
            table = self._workflow.table(slot)
            if slot in part.taken and part.follows is not None:
                self._env[slot], self._followed[slot] = _taken_over(before[part.follows], part.taken[slot])
                self._phrases[slot] = f"that {self._referrer.offers.noun(table)}"
            else:
                self._refer(slot, table)
        if self._workflow.needs is not None and not self._referrer.world.value(self._workflow.needs, self._env):
            raise Unusable(f"{part.workflow}: what it needs is not so")
        text = {**self._env, **part.choices, **self._columns(), **self._phrases}
        return Spoken(part, self._workflow, self._references, self._env, text, self._followed)

    def _refer(self, slot: str, table: str) -> None:
        rows = self._part.rows.get(slot)
        if rows is None:
            raise Unusable(f"{self._part.workflow}: no row for {slot}")
        ways = self._referrer.ways(self._workflow, slot, table)
        reference = self._referrer.reference(ways, table, rows, self._part.refer, slot, self._env)
        if reference is None:
            raise Unusable(f"{self._part.workflow}: {slot} cannot be referred to so")
        self._env[slot] = rows
        self._references[slot] = reference
        self._phrases[slot] = reference.phrase

    def _absent(self) -> dict[str, None]:
        absent = [name for name in self._workflow.choose if name not in self._part.choices]
        for name in absent:
            if not self._workflow.choose[name].optional:
                raise Unusable(f"{self._part.workflow}: no value for {name}")
        return dict.fromkeys(absent)

    def _columns(self) -> dict[str, Any]:
        """`slot.column` → value, for each single row referred to."""
        found: dict[str, Any] = {}
        for slot, reference in self._references.items():
            if not reference.many:
                row = self._referrer.world.record(
                    f'SELECT * FROM "{reference.table}" WHERE id = :id', {"id": reference.rows}
                )
                found |= {f"{slot}.{column}": value for column, value in (row or {}).items()}
        return found


def choice_values(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Choices as names for SQL: `offer.price` is `offer_price`."""
    return {name.replace(".", "_"): value for name, value in choices.items()}


def _taken_over(earlier: Spoken, slot: str) -> tuple[Rows | Sql, str]:
    """What an earlier part's slot is in SQL, and where gold holds it: a slot's name, or a reference (`$paid.id`)."""
    created = earlier.workflow.creates.get(slot)
    if created is not None:
        return Sql(inline(created.sql, earlier.env, keep=STANDING)), created.ref
    if slot not in earlier.env:
        raise Unusable(f"{earlier.part.workflow} has no {slot}")
    return earlier.env[slot], slot


# Gold


def _write_gold(program: Program, spoken: Sequence[Spoken]) -> list[PartAnswer]:
    answers: list[PartAnswer] = []
    written: list[dict[str, str]] = []
    for index, said in enumerate(spoken):
        known = {slot: _held(source, written[said.part.follows or 0]) for slot, source in said.followed.items()}
        names = program.block(said.workflow.gold, said.text, finds=said.references, known=known)
        written.append(names)
        if said.workflow.answer is not None:
            changed = any(other.workflow.kind == "change" for other in spoken[:index])
            answers.append(part_answer(said.workflow, said.env, names, "after" if changed else "before"))
    return answers


def _held(source: str, names: Mapping[str, str]) -> str:
    """A name (or path) of the program so far that holds a row of an earlier part."""
    head, _, path = source.removeprefix("$").partition(".")
    held = names.get(head, head)
    return held if path in ("", "id") else f"{held}.{path}"


# Instruction


def _instruction(spoken: Sequence[Spoken], plan: Plan, world: World) -> str:
    rng = Random(seed_from("voice", plan.voice))
    return say_all([_utterance(said, world) for said in spoken], plan.tone, rng)


def _utterance(said: Spoken, world: World) -> Utterance:
    workflow, part = said.workflow, said.part
    say = _wording(said)
    adds = [choice.add for name, choice in workflow.choose.items() if choice.add and name in part.choices]
    why = workflow.why[part.why % len(workflow.why)] if part.why is not None and workflow.why else None
    try:
        return Utterance(
            text=(fill_sentences if say.sentences else fill)(say.text, said.text, world.today),
            sentences=say.sentences,
            adds=tuple(fill(add, said.text, world.today) for add in adds),
            why=why and fill(why, said.text, world.today),
            follows=part.follows is not None,
            join=part.join or "then",
        )
    except KeyError as error:
        raise Unusable(f"{workflow.key}: nothing is called {error}") from error


def _wording(said: Spoken) -> Say:
    """The wording that the part names, or the next one into which its phrases fit. Added clauses need a clause."""
    says = said.workflow.say
    first = said.part.say % len(says)
    phrases = {slot: said.text[slot] for slot in said.workflow.slots}
    added = any(choice.add and name in said.part.choices for name, choice in said.workflow.choose.items())
    turned = [*says[first:], *says[:first]]
    usable = [say for say in turned if not (added and say.sentences)] or turned
    fitting = next((say for say in usable if fits(say.text, phrases)), None)
    if fitting is None:
        raise Unusable(f"{said.workflow.key}: no wording takes such a phrase")
    return fitting


# Goal, grounding, the rest


def _goal(spoken: Sequence[Spoken], world: World) -> Goal:
    texts, queries = [], []
    for said in spoken:
        goal = said.workflow.goal
        texts.append(fill(goal.text, said.text, world.today) if goal else f"told: {said.workflow.about}")
        queries += part_goals(said)
    sql = " AND ".join(f"({query.strip().rstrip(';')})" for query in queries)
    return Goal(text="; ".join(texts), sql=f"SELECT {sql}" if sql else None)


def part_goals(said: Spoken) -> list[str]:
    """The SQL goals of one part: none for a question, one for each row of a set."""
    goal = said.workflow.goal
    if goal is None or goal.sql is None:
        return []
    return [inline(goal.sql, env, keep=STANDING) for env in _each(said.env)]


def _each(env: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The names once for each row of a set that they hold."""
    for name, value in env.items():
        if isinstance(value, tuple):
            return [{**env, name: item} for item in value]
    return [dict(env)]


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
