"""What the names bound in a tool's SQL stand for: parameters, or expressions of earlier steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sqlglot import exp

from ...environments.models import Param
from ...environments.resolution import ResolvedTool
from .queries import Query
from .trees import Tables, unwrapped

_DEEPEST = 12


class Names:
    """The names of one tool. `expression` leads to the SQL that a `let` or `as` took its value from."""

    def __init__(self, tool: ResolvedTool, queries: Iterable[Query], tables: Tables) -> None:
        self.params: Mapping[str, Param] = tool.params
        self._tables = tables
        self._expressions = dict(pair for query in queries for pair in self._bound(query))

    def expression(self, name: str) -> exp.Expr | None:
        """The expression whose value the name holds; None for parameters and what the runtime binds."""
        return self._expressions.get(name)

    def origin(self, node: exp.Expr) -> exp.Expr:
        """The node, or, for a name that a `let` bound to a plain value, what that value was taken from."""
        for _ in range(_DEEPEST):
            plain = unwrapped(node)
            if not isinstance(plain, exp.Placeholder):
                return plain
            behind = self.expression(plain.name)
            if behind is None:
                return plain
            node = behind
        return node

    def behind(self, name: str) -> frozenset[str]:
        """Every name that the value of `name` depends on, itself included."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            current = waiting.pop()
            if current in found:
                continue
            found.add(current)
            expression = self.expression(current)
            if expression is not None:
                statement = expression.find_ancestor(exp.Select) or expression
                waiting += [node.name for node in statement.find_all(exp.Placeholder)]
        return frozenset(found)

    def _bound(self, query: Query) -> Iterator[tuple[str, exp.Expr]]:
        if query.binds is None or query.tree is None:
            return
        if query.kind == "row":
            for column in self._selected(query.tree):
                yield f"{query.binds}_{column.alias_or_name.lower()}", _value(column)
        elif query.kind == "do":
            returning = query.tree.args.get("returning")
            if returning is not None and returning.expressions:
                yield query.binds, _value(returning.expressions[0])
        else:
            yield from ((query.binds, _value(column)) for column in self._selected(query.tree)[:1])

    def _selected(self, tree: exp.Expr) -> list[exp.Expr]:
        return list(tree.selects) if isinstance(tree, exp.Query) else []


def _value(column: exp.Expr) -> exp.Expr:
    inner = column.this if isinstance(column, exp.Alias) else column
    return inner if isinstance(inner, exp.Expr) else column
