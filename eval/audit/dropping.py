"""Mutants that do not count, each with the one rule by which it was dropped."""

from __future__ import annotations

from typing import NamedTuple

SAME = "≈"
FREE = "free column"
UNWRITTEN = "no tool writes it"
CONSTRAINT = "breaks a constraint"
INVARIANT = "breaks an invariant"
FAILED = "a call failed"
AGAIN = "tried already"
SPELLED = "gold's end in another spelling"

RULES = (SAME, FREE, UNWRITTEN, CONSTRAINT, INVARIANT, FAILED, AGAIN, SPELLED)


class Dropped(NamedTuple):
    """`place` is a column (`table.column`), a row with its columns, or a step of gold."""

    kind: str
    place: str
    rule: str
