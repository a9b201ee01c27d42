"""SQL as trees, each text read once: several gates and every search ask about the same verifier. Do not change a tree."""

from __future__ import annotations

from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError


@lru_cache(maxsize=512)
def parsed(sql: str) -> exp.Expr | None:
    """The tree of a statement or condition; None where it does not parse."""
    try:
        return sqlglot.parse_one(sql, read="sqlite")
    except SqlglotError:
        return None
