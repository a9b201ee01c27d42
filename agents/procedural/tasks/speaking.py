"""A plan's parts with their rows made speakable: phrases, and the values that their words and SQL may name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .offers import Offers
from .plans import Part, Plan, Rows, choice_values
from .references import Reference, Referrer
from .sqltext import STANDING, Sql, inline
from .workflows import Workflow
from .worlds import Unfit, World


class Unusable(Unfit):
    """The plan makes no task."""


class Spoken(NamedTuple):
    """A part with its rows made speakable. `env`: what its SQL may name. `text`: what its words may name.
    `followed`: slot → where gold holds a row taken over from an earlier part."""

    part: Part
    workflow: Workflow
    references: dict[str, Reference]
    env: dict[str, Any]
    text: dict[str, Any]
    followed: dict[str, str]

    def rows(self) -> set[tuple[str, int]]:
        """(table, id) of every row that it is about."""
        return {
            (reference.table, row)
            for reference in self.references.values()
            for row in (reference.rows if isinstance(reference.rows, tuple) else (reference.rows,))
        }


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
                row, self._followed[slot] = _taken_over(before[part.follows], part.taken[slot])
                self._env[slot] = row
                self._phrases[slot] = self._that(table, row, before)
            else:
                self._refer(slot, table)
        if self._workflow.needs is not None and not self._referrer.world.value(self._workflow.needs, self._env):
            raise Unusable(f"{part.workflow}: what it needs is not so")
        text = {**self._env, **part.choices, **self._columns(), **self._phrases}
        return Spoken(part, self._workflow, self._references, self._env, text, self._followed)

    def _that(self, table: str, row: Rows | Sql, before: Sequence[Spoken]) -> str:
        """`that booking`; where others of the table were spoken of too, the phrase that it was spoken of by."""
        told = [each for spoken in before for each in _told(spoken.references) if each.table == table]
        own = next((each.phrase for each in told if each.rows == row), None)
        if own is not None and any(each.rows != row for each in told):
            return own
        return f"that {self._referrer.offers.noun_of(self._referrer.world, table, row)}"

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


def _told(references: Mapping[str, Reference]) -> Iterator[Reference]:
    """References, and those within their phrases."""
    for reference in references.values():
        yield reference
        yield from _told(reference.nested)


def _taken_over(earlier: Spoken, slot: str) -> tuple[Rows | Sql, str]:
    """What an earlier part's slot is in SQL, and where gold holds it: a slot's name, or a reference (`$paid.id`)."""
    created = earlier.workflow.creates.get(slot)
    if created is not None:
        return Sql(inline(created.sql, earlier.env, keep=STANDING)), created.ref
    if slot not in earlier.env:
        raise Unusable(f"{earlier.part.workflow} has no {slot}")
    return earlier.env[slot], slot


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
