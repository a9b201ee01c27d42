"""Which table's keys an SQL value is one of: ids of bookings are never ids of tables.

A column's domain is the primary key that its foreign keys lead to; a parameter's, that of its `ref`.
"""

from __future__ import annotations

from sqlglot import exp

from ...environments.models import Param
from .names import Names
from .trees import Tables, place_of, unwrapped

_DEEPEST = 12


class Domains:
    """Domains are written `table.column`; None where a value is no key, or of any table's."""

    def __init__(self, tables: Tables, actors: str | None) -> None:
        """`actors`: the table that all roles share, if they do."""
        self._tables = tables
        self._actors = actors

    def of_column(self, table: str, column: str) -> str | None:
        for _ in range(_DEEPEST):
            info = self._tables[table]
            found = info.by_name.get(column)
            if found is None:
                return None
            if found.references is None:
                return f"{table}.{column}" if info.primary_key == (column,) else None
            if found.references == f"{table}.{column}":
                return found.references
            table, column = found.references.split(".")
        return None

    def of_param(self, param: Param) -> str | None:
        source = param.items if param.items is not None else param
        return self.of_column(*source.ref.split(".")) if source.ref else None

    def of_name(self, name: str, names: Names, depth: int = 0) -> str | None:
        if name == "actor_id":
            return self.of_column(self._actors, self._tables[self._actors].primary_key[0]) if self._actors else None
        if name in names.params:
            return self.of_param(names.params[name])
        behind = names.expression(name)
        return self.of(behind, names, depth + 1) if behind is not None else None

    def of(self, node: exp.Expr | None, names: Names, depth: int = 0) -> str | None:
        """The domain of an expression's value."""
        if node is None or depth > _DEEPEST:
            return None
        node = unwrapped(node)
        if isinstance(node, exp.Placeholder):
            return self.of_name(node.name, names, depth)
        if isinstance(node, exp.Column):
            place = place_of(node, self._tables)
            if place is None:
                return self._listed(node, names, depth)
            return self.of_column(*place)
        return next(filter(None, (self.of(part, names, depth + 1) for part in _same_value(node))), None)

    def _listed(self, node: exp.Column, names: Names, depth: int) -> str | None:
        """`value` of json_each over an array parameter."""
        scope = node.find_ancestor(exp.Select)
        if node.name.lower() != "value" or scope is None:
            return None
        found = {self.of_name(name.name, names, depth + 1) for name in scope.find_all(exp.Placeholder)}
        return found.pop() if len(found) == 1 and len(list(scope.find_all(exp.Placeholder))) == 1 else None


def _same_value(node: exp.Expr) -> list[exp.Expr]:
    """The parts that an expression takes its value from unchanged."""
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Min | exp.Max | exp.Nullif | exp.Distinct):
        return [node.this] if isinstance(node.this, exp.Expr) else list(node.expressions)
    if isinstance(node, exp.Case):
        branches = [branch.args["true"] for branch in node.args["ifs"]]
        default = node.args.get("default")
        return branches if default is None else [*branches, default]
    if isinstance(node, exp.Subquery):
        return list(node.this.selects[:1]) if isinstance(node.this, exp.Query) else []
    if isinstance(node, exp.Alias):
        return [node.this]
    if isinstance(node, exp.Select):
        return list(node.selects[:1])
    return []
