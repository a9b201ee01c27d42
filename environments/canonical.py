"""One canonical form for hashing: JSON with sorted keys, no spaces, UTF-8."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel


def canonical_json(value: Any) -> str:
    """`value` (JSON-like, or a Pydantic model) as canonical JSON. Raises ValueError for NaN and infinities."""
    return json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=_plain,
    )


def sha256(value: Any) -> str:
    """Hex SHA-256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def seed_from(*parts: Any) -> int:
    """A 63-bit random seed that depends on all `parts` and on nothing else."""
    return int(sha256(list(parts))[:16], 16) >> 1


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return list(value)
    raise ValueError(f"{type(value).__name__} has no canonical form")
