"""Reads that show rows with owners, and which of the rows shown are another's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw

from ...environments.models import Actor
from ...environments.resolution import ResolvedTool
from .anatomy import Anatomy
from .ownership import Owner, admitted
from .reads import listed_table
from .stage import Stage


class Shown(NamedTuple):
    """A read whose results' `id` is the key of rows that have owners."""

    owner: Owner
    key: str

    def foreign(self, stage: Stage, actor: Actor, value: Any) -> bool:
        """Whether a result shows a row that is not the actor's own."""
        items = value.get("items", [value]) if isinstance(value, dict) else []
        shown = {item["id"] for item in items if isinstance(item, dict) and item.get("id") is not None}
        if not shown:
            return False
        try:
            rows = stage.query(self._own, actor_id=actor.id, actor_roles=json.dumps(actor.roles))
        except apsw.Error:
            return False
        return not shown <= {row[0] for row in rows}

    def told(self, tool: str) -> str:
        guarded = ", ".join(self.owner.guarded)
        return f"{tool} shows a {self.owner.role} rows of {self.owner.table} that {guarded} refuse."

    @property
    def _own(self) -> str:
        table = self.owner.table
        return f'SELECT "{table}"."{self.key}" FROM "{table}" WHERE ({self.owner.where}\n)'

    @property
    def own_rows_only(self) -> str:
        """True of a table `result` that shows only the actor's own rows."""
        return f"SELECT NOT EXISTS (SELECT 1 FROM result WHERE id NOT IN ({self._own}))"


def shown_rows(anatomy: Anatomy) -> Mapping[str, tuple[Shown, ...]]:
    """By read tool. Only rows that another read refuses count: much may be seen that only its owner may change."""
    found: dict[str, tuple[Shown, ...]] = {}
    for name, tool in anatomy.tools.items():
        table = listed_table(anatomy, tool) if tool.kind == "read" else None
        owners = [owner for owner in anatomy.owners if owner.table == table and not owner.people]
        found[name] = tuple(
            Shown(owner, anatomy.tables[owner.table].primary_key[0])
            for owner in owners
            if owner.role in admitted(anatomy.spec, tool) and _refused_elsewhere(anatomy, owner, tool)
        )
    return found


def _refused_elsewhere(anatomy: Anatomy, owner: Owner, tool: ResolvedTool) -> bool:
    """Whether another read, open to the same roles, refuses rows that are not one's own. Where this one is open to
    fewer roles it may be their privilege; where it is open to more, the rows are public."""
    here = set(admitted(anatomy.spec, tool))
    others = (anatomy.tools[name] for name in owner.guarded if name != tool.name)
    return any(other.kind == "read" and set(admitted(anatomy.spec, other)) == here for other in others)
