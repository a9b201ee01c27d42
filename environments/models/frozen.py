"""The base of every model that is written to a file or travels between processes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable, closed (unknown fields are refused), read and written by alias where a field has one. Blobs of a
    database become hexadecimal text in JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, ser_json_bytes="hex")
