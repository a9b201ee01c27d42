"""How a verifier holds a column against a value: exactly, or, where the spelling is the solver's, as texts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ....eval.audit.sql_literals import is_same_text

Place = tuple[str, str]
"""A column, and a text that it is compared with."""


class Expected(NamedTuple):
    """SQL for the value of a column. `spelled`: a text that the solver writes, so that case, accents and spacing are
    its own (`same_text`), as they are in goals."""

    sql: str
    spelled: bool = False

    def held(self, column: str) -> str:
        """The condition that a column holds it."""
        if self.spelled:
            return f"same_text({column}, {self.sql})"
        return f"{column} IS NULL" if self.sql == "NULL" else f"{column} = {self.sql}"

    def missed(self, column: str) -> str:
        """The condition that a column holds anything else."""
        if self.spelled:
            return f"same_text({column}, {self.sql}) IS NOT 1"
        return f"{column} IS NOT {self.sql}"


@lru_cache(maxsize=256)
def letter_by_letter(sql: str) -> frozenset[Place]:
    """Where a query, such as a goal, takes a text in no spelling but its own. SQL that does not parse: nowhere."""
    try:
        tree = sqlglot.parse_one(sql, read="sqlite")
    except SqlglotError:
        return frozenset()
    exact = {place for node in tree.find_all(exp.EQ, exp.NullSafeEQ) for place in _places(node)}
    return frozenset(
        exact.difference(*(_places(call) for call in tree.find_all(exp.Anonymous) if is_same_text(call)))
    )


def _places(comparison: exp.Expr) -> set[Place]:
    """The texts that a comparison names, each with the columns on either side of it."""
    sides = [*comparison.args.values(), *comparison.expressions]
    texts = [side.this for side in sides if isinstance(side, exp.Literal) and side.is_string]
    return {(column.name, text) for text in texts for column in comparison.find_all(exp.Column)}
