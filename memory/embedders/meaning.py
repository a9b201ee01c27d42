"""The default embedder for callers to whom it makes no difference which: loaded when first asked, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .base import Embedder
from .named import embedder_named


def meaning(texts: Sequence[str]) -> NDArray[np.float32]:
    """One vector a text, of the dimension of the default embedder."""
    return _embedder().embed(texts)


@lru_cache(maxsize=1)
def _embedder() -> Embedder:
    return embedder_named()
