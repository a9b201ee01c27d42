"""Reads that show rows with owners, and which of the rows shown are another's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import apsw
from sqlglot import exp

from ...environments.models import Actor
from .anatomy import Anatomy
from .ownership import Owner, admitted
from .queries import Query
from .stage import Stage
from .trees import place_of


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
        result = next((query for query in anatomy.queries[name] if query.kind in ("one", "many")), None)
        table = _shown_table(anatomy, result) if tool.kind == "read" and result is not None else None
        owners = [owner for owner in anatomy.owners if owner.table == table and not owner.people]
        found[name] = tuple(
            Shown(owner, anatomy.tables[owner.table].primary_key[0])
            for owner in owners
            if owner.role in admitted(anatomy.spec, tool) and _refused_elsewhere(anatomy, owner, name)
        )
    return found


def _refused_elsewhere(anatomy: Anatomy, owner: Owner, tool: str) -> bool:
    return any(other != tool and anatomy.tools[other].kind == "read" for other in owner.guarded)


def _shown_table(anatomy: Anatomy, result: Query) -> str | None:
    """The table whose key the result shows as `id`."""
    for column in result.tree.selects if isinstance(result.tree, exp.Select) else ():
        if column.alias_or_name == "id":
            place = place_of(column.this if isinstance(column, exp.Alias) else column, anatomy.tables)
            keyed = place is not None and anatomy.tables[place.table].primary_key == (place.column,)
            return place.table if place is not None and keyed else None
    return None
