"""The operators of the prompted evolver, as its data file describes them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from ....environments.errors import InputError
from ....environments.models import Frozen
from ...base import Direction

_FILE = Path(__file__).parent / "operators.yaml"


class Operator(Frozen):
    """`moves` are features of structure, one of which must rise (fall, for one that softens); `setup` lets rows of
    the task only change. Placebos have no direction."""

    name: str
    direction: Direction | None
    counterpart: str
    does: str
    keeps: str
    example: str
    moves: tuple[str, ...] = ()
    setup: bool = False


@lru_cache(maxsize=1)
def all_operators() -> tuple[Operator, ...]:
    read = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Operator, ...]).validate_python(read)


def operator_named(name: str) -> Operator:
    """Raises InputError for a name that no operator has."""
    found = next((operator for operator in all_operators() if operator.name == name), None)
    if found is None:
        known = ", ".join(operator.name for operator in all_operators())
        raise InputError(f"no operator is called {name!r}.", remedy=f"Known: {known}.")
    return found
