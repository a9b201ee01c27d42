"""Conditions in one shape: NOT pushed inwards, comparisons as left, operator, right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from sqlglot import exp

from .trees import unwrapped

Operator = Literal["=", "<>", "<", "<=", ">", ">="]
_OPERATORS: dict[type[exp.Expr], Operator] = {
    exp.EQ: "=",
    exp.NullSafeEQ: "=",
    exp.NEQ: "<>",
    exp.NullSafeNEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_NOT: dict[Operator, Operator] = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_FLIPPED: dict[Operator, Operator] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Comparison(NamedTuple):
    left: exp.Expr
    operator: Operator
    right: exp.Expr

    def flipped(self) -> Comparison:
        """The same, read from the other side."""
        return Comparison(self.right, _FLIPPED[self.operator], self.left)


def turned(operator: Operator) -> Operator:
    """The operator between the elapsed times, for one between the moments: earlier is longer ago."""
    return _FLIPPED[operator]


def looks_back(node: exp.Expr) -> bool:
    """Whether a moment is so much before another: date(:today, '-30 days')."""
    return any(
        literal.is_string and str(literal.this).strip().startswith("-") for literal in node.find_all(exp.Literal)
    )


class Membership(NamedTuple):
    """That something EXISTS or not."""

    node: exp.Exists
    holds: bool


def condition_of(query: exp.Expr | None) -> exp.Expr | None:
    """What a `require` tests: the first value that its query selects, brackets removed."""
    if not isinstance(query, exp.Select) or not query.selects:
        return None
    first = query.selects[0]
    return unwrapped(first.this if isinstance(first, exp.Alias) else first)


def comparison(node: exp.Expr | None, negated: bool = False) -> Comparison | None:
    """A single comparison, with any NOT around it worked in; None for anything else."""
    if node is None:
        return None
    node = unwrapped(node)
    if isinstance(node, exp.Not):
        return comparison(node.this, not negated)
    operator = _OPERATORS.get(type(node))
    if operator is None:
        return None
    return Comparison(unwrapped(node.this), _NOT[operator] if negated else operator, unwrapped(node.expression))


def membership(node: exp.Expr | None, negated: bool = False) -> Membership | None:
    """An EXISTS, with any NOT around it worked in; None for anything else."""
    if node is None:
        return None
    node = unwrapped(node)
    if isinstance(node, exp.Not):
        return membership(node.this, not negated)
    return Membership(node, not negated) if isinstance(node, exp.Exists) else None


class Admitted(NamedTuple):
    """The texts that a condition on `subject` lets pass: the `values` (`inside`), or all others."""

    subject: exp.Expr
    values: frozenset[str]
    inside: bool

    def holds(self, value: str) -> bool:
        return (value in self.values) == self.inside


def values_admitted(node: exp.Expr | None, negated: bool = False) -> Admitted | None:
    """What `x = 'a'`, `x <> 'a'`, `x IN ('a', 'b')`, and these with NOT, let pass; None for anything else."""
    if node is None:
        return None
    node = unwrapped(node)
    if isinstance(node, exp.Not):
        return values_admitted(node.this, not negated)
    if isinstance(node, exp.In) and node.expressions:
        texts = [literal_text(item) for item in node.expressions]
        values = frozenset(text for text in texts if text is not None)
        return Admitted(node.this, values, not negated) if len(values) == len(texts) else None
    found = comparison(node, negated)
    for each in (found, found.flipped()) if found is not None else ():
        text = literal_text(each.right)
        if text is not None and each.operator in ("=", "<>"):
            return Admitted(each.left, frozenset({text}), each.operator == "=")
    return None


def literal_text(node: exp.Expr) -> str | None:
    """The text of a string literal."""
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


class Leaf(NamedTuple):
    """A test within a condition, with the NOTs around it worked in: `negated` says that it must fail."""

    node: exp.Expr
    negated: bool


def leaves(node: exp.Expr | None, negated: bool = False) -> Iterator[Leaf]:
    """The tests that AND and OR join."""
    if node is None:
        return
    plain = unwrapped(node)
    if isinstance(plain, exp.Not):
        yield from leaves(plain.this, not negated)
    elif isinstance(plain, exp.And | exp.Or):
        yield from leaves(plain.this, negated)
        yield from leaves(plain.expression, negated)
    else:
        yield Leaf(plain, negated)
