"""What one episode may use. Steps and sizes decide outcomes; the clock is only a backstop."""

from __future__ import annotations

from pydantic import Field

from .models import Frozen

PAGE_SIZE = 2048
"""Bytes of a database page: worlds have many small tables, and each takes at least a page."""


class Limits(Frozen):
    """Limits of an episode. Whatever runs into one answers `limit_exceeded`, except `seconds_per_call`."""

    calls: int = Field(default=60, ge=1)
    """Tool calls before the tools close; `submit` is not counted."""
    steps_per_call: int = Field(default=5_000_000, ge=1_000)
    """Virtual machine steps of SQLite, roughly 100 million a second."""
    result_rows: int = Field(default=1_000, ge=1)
    result_bytes: int = Field(default=262_144, ge=1_024)
    """Characters of text in one result."""
    value_bytes: int = Field(default=65_536, ge=1_024)
    """The longest text, blob or row, stored or on the way."""
    pages: int = Field(default=16_384, ge=16)
    """Pages of the world's database, of 2,048 bytes."""
    seconds_per_call: float = Field(default=10.0, gt=0)
    """Processor time. A call that takes longer is an `internal` error: the rollout says nothing about its solver."""
