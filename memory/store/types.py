"""Column types: Pydantic-checked JSON, vectors, compressed JSON."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Any

import numpy as np
from pydantic import TypeAdapter
from sqlalchemy import LargeBinary, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from ..records import Vector


class ModelJSON(TypeDecorator[Any]):
    """A value of `kind` (a Pydantic model, or any type Pydantic knows) as JSON text; None is NULL."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.kind)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self._adapter.dump_json(value, by_alias=True).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else self._adapter.validate_json(value)


class PackedJSON(TypeDecorator[Any]):
    """Like `ModelJSON`, zlib-compressed: for what is large and rarely read."""

    impl = LargeBinary
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.kind)

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        return None if value is None else zlib.compress(self._adapter.dump_json(value, by_alias=True))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return None if value is None else self._adapter.validate_json(zlib.decompress(value))


class VectorBlob(TypeDecorator[Vector]):
    """A float32 vector as little-endian bytes."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Vector | None, dialect: Dialect) -> bytes | None:
        return None if value is None else np.ascontiguousarray(value, dtype="<f4").tobytes()

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Vector | None:
        return None if value is None else np.frombuffer(value, dtype="<f4").astype(np.float32, copy=False)
