"""A guard taken apart for those who read its message: the tests that it makes, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlglot import exp

from ...tester.conditions import Comparison, Leaf, comparison, leaves
from ...tester.names import Names
from ...tester.trees import Tables, sources


class Told(NamedTuple):
    """A guard. `leaves` are its tests, with what flags were computed from in their place; `said` is its message in
    lower case."""

    leaves: tuple[Leaf, ...]
    said: str
    code: str
    names: Names
    tables: Tables

    @property
    def single(self) -> Leaf | None:
        return self.leaves[0] if len(self.leaves) == 1 else None

    def comparisons(self) -> Iterator[Comparison]:
        """Every test that compares, read from both sides."""
        for leaf in self.leaves:
            found = comparison(leaf.node, leaf.negated)
            if found is not None:
                yield from (found, found.flipped())

    def stored(self) -> list[Leaf]:
        """The tests that some row of the schema's tables is there, or is not."""
        return [
            leaf
            for leaf in self.leaves
            if isinstance(leaf.node, exp.Exists)
            and isinstance(leaf.node.this, exp.Select)
            and any(source.table is not None for source in sources(leaf.node.this, self.tables))
        ]


Test = Callable[[Told], str | None]
"""How a guard contradicts its message; None if it does not, or the test does not know such messages."""


def told(condition: exp.Expr, said: str, code: str, names: Names, tables: Tables) -> Told:
    """A guard whose condition and message (in lower case) are given."""
    return Told(tuple(_opened(condition, names)), said, code, names, tables)


def _opened(condition: exp.Expr, names: Names) -> Iterator[Leaf]:
    """The tests, flags of earlier steps replaced by what they were computed from."""
    for leaf in leaves(condition):
        behind = names.expression(leaf.node.name) if isinstance(leaf.node, exp.Placeholder) else None
        yield from (leaves(behind, leaf.negated) if behind is not None else (leaf,))


def is_null(leaf: Leaf | None) -> bool:
    """Whether a test is `x IS NULL`, NOT aside."""
    return leaf is not None and isinstance(leaf.node, exp.Is) and isinstance(leaf.node.expression, exp.Null)


def is_asked(node: exp.Expr, names: Names) -> bool:
    """Whether a value comes from what the caller asked for: from parameters that point at nothing. Those by which rows
    are looked up do not count."""
    given = [bound.name for bound in node.find_all(exp.Placeholder) if not _looked_up_by(bound, node)]
    behind = {param for bound in given for param in names.behind(bound) if param in names.params}
    return any(names.params[param].ref is None for param in behind)


def _looked_up_by(bound: exp.Expr, value: exp.Expr) -> bool:
    query = bound.find_ancestor(exp.Select)
    return query is not None and any(inner is query for inner in value.find_all(exp.Select))
