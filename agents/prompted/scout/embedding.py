"""An embedder that remembers: a scout looks at the same texts several times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....memory.embedders import Embedder


class Remembering:
    """An `Embedder` over another one, for as many texts as a scout sees."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors |= dict(zip(fresh, self._embedder.embed(fresh), strict=True)) if fresh else {}
        found = [self._vectors[text] for text in texts]
        return np.stack(found) if found else np.zeros((0, self.dimension), dtype=np.float32)
