"""A sum that goes the wrong way.

Stands for flipped signs: a deposit that lowers the balance, a withdrawal that raises it, a transfer that adds on both
sides. Told from the tool's first word, for tools that move one column of one table by an amount; two moves of the
same column by the same amount must go opposite ways. Credit and debit are left out: whether they raise a balance
depends on whose money the balance counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from ....environments.models import Finding
from ...tester.queries import Query
from ...tester.trees import assignments, render, unwrapped
from ..reading.base import Context, again, finding

KIND = "sign_unlike_name"
_UP = frozenset({"deposit", "add", "increase", "restock", "topup", "top", "receive", "earn", "replenish", "raise"})
_DOWN = frozenset({"withdraw", "deduct", "decrease", "spend", "redeem", "consume", "reduce", "remove", "lower"})


class _Move(NamedTuple):
    query: Query
    column: str
    amount: str
    up: bool


def check(context: Context) -> Iterator[Finding]:
    for name, queries in context.anatomy.queries.items():
        moves = [move for query in queries if query.kind == "do" for move in _moves(query)]
        by_amount: dict[tuple[str, str], list[_Move]] = defaultdict(list)
        for move in moves:
            by_amount[move.column, move.amount].append(move)
        yield from _named(name, moves)
        for same in by_amount.values():
            if len(same) == 2 and same[0].up == same[1].up:
                message = f"{name} moves {same[0].column} by {same[0].amount} twice, and the same way."
                yield finding(KIND, "major", same[1].query.where, message, probe=again(KIND), sql=same[1].query.sql)


def _moves(query: Query) -> Iterator[_Move]:
    """`column = column ± amount`, the amount being bound from outside."""
    for table, column, value in assignments(query.tree):
        plain = unwrapped(value)
        if isinstance(plain, exp.Add | exp.Sub) and isinstance(unwrapped(plain.this), exp.Column):
            amount = unwrapped(plain.expression)
            if unwrapped(plain.this).name.lower() == column and isinstance(amount, exp.Placeholder):
                yield _Move(query, f"{table}.{column}", render(amount), isinstance(plain, exp.Add))


def _named(name: str, moves: list[_Move]) -> Iterator[Finding]:
    verb = name.split("_")[0]
    if verb not in _UP | _DOWN or len({move.column for move in moves}) != 1 or len(moves) != 1:
        return
    move = moves[0]
    if move.up != (verb in _UP):
        way = "up" if move.up else "down"
        message = f"{name} moves {move.column} {way} by {move.amount}."
        yield finding(KIND, "major", move.query.where, message, probe=again(KIND), sql=move.query.sql)
