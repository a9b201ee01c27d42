"""What memory asks of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Maps texts to points. Equal texts get equal vectors, whatever else is embedded with them.

    `name` identifies the space: vectors of two names are never compared.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), each row of length 1. Errors: ServiceError if the service fails."""
        ...


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1; a zero row becomes the first axis, so that every text has a direction."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    scaled[lengths[:, 0] == 0, 0] = 1.0
    return np.asarray(scaled, dtype=np.float32)
