"""What things are called in one world: a noun, and the table, column and tool names made from it."""

from __future__ import annotations

from typing import NamedTuple

from .inflection import article, plural

_STAFF_TEST = "EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value <> '{customer}')"


class Seen:
    """`seen.b` is the SQL condition that the actor may see the row with alias `b`: its own, or any for staff."""

    def __init__(self, owner: str, staff_test: str) -> None:
        self._owner = owner
        self._staff_test = staff_test

    def __getattr__(self, alias: str) -> str:
        if alias.startswith("_"):
            raise AttributeError(alias)
        return f"({self._staff_test} OR {self._owner.replace('@.', alias + '.')})"


class Called(NamedTuple):
    """An entity's (or role's) names. `key` is `archetype.entity`; `owner` the condition that a row is the actor's,
    `@.` standing for the row (empty: nobody's)."""

    key: str
    noun: str
    plural: str
    table: str
    one: str
    fk: str
    owner: str = ""
    staff_test: str = ""

    @property
    def a(self) -> str:
        return f"{article(self.noun)} {self.noun}"

    @property
    def A(self) -> str:
        return capitalized(self.a)

    @property
    def Noun(self) -> str:
        return capitalized(self.noun)

    @property
    def Plural(self) -> str:
        return capitalized(self.plural)

    @property
    def id(self) -> str:
        return f"{self.table}.id"

    @property
    def seen(self) -> Seen:
        return Seen(self.owner, self.staff_test)


def called(key: str, noun: str, *, table: str | None = None) -> Called:
    """The names that follow from a noun (singular, human words)."""
    many = plural(noun)
    one = snake(noun)
    return Called(key=key, noun=noun, plural=many, table=table or snake(many), one=one, fk=f"{one}_id")


def staff_test(customer: str) -> str:
    """SQL that is true for an actor who holds a role other than the customers'."""
    return _STAFF_TEST.format(customer=customer)


def snake(words: str) -> str:
    kept = "".join(char if char.isascii() and char.isalnum() else " " for char in words.lower())
    return "_".join(kept.split())


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
