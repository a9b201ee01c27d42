"""Values as text: different for different values, the same for values that SQLite takes as equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def tokens(values: Iterable[Any]) -> str:
    return f"[{', '.join(map(token, values))}]"


def token(value: Any) -> str:
    """A value as text that tells its type; whole numbers alike whether stored as integer or real."""
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))
    return repr(value)
