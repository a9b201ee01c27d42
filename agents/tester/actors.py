"""Who can act in a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...environments.models import Actor
from .anatomy import Anatomy

_EACH = 6


def actors_by_role(anatomy: Anatomy, each: int = _EACH) -> Mapping[str, tuple[Actor, ...]]:
    """Up to `each` actors by role, spread over the rows that hold it. Each acts in this role alone: whoever holds
    two is bound by fewer guards."""
    return {
        name: tuple(Actor(roles=(name,), id=held) for held in _spread(_holders(anatomy, name), each))
        for name in anatomy.spec.roles
    }


def _holders(anatomy: Anatomy, name: str) -> list[int]:
    role = anatomy.spec.roles[name]
    key = anatomy.tables[role.table].primary_key[0]
    where = f" WHERE ({role.where}\n)" if role.where else ""
    rows = anatomy.seed_rows(f'SELECT "{key}" FROM "{role.table}"{where} ORDER BY "{key}"', actor_id=None)
    return [row[0] for row in rows if isinstance(row[0], int)]


def _spread(ids: Sequence[int], count: int) -> Sequence[int]:
    if len(ids) <= count:
        return ids
    return [ids[index * len(ids) // count] for index in range(count)]
