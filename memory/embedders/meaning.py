"""Likeness of meaning for callers to whom no run gives an embedder: by MiniLM, loaded when first asked, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .base import Embedder
from .minilm import MiniLM, ModelMissing


def meaning(texts: Sequence[str]) -> NDArray[np.float32]:
    """One vector a text, of `MiniLM.dimension`. Where MiniLM is missing all are zero, so that no two texts are alike:
    hashed n-grams would put words in the place of meaning."""
    model = _model()
    return np.zeros((len(texts), MiniLM.dimension), dtype=np.float32) if model is None else model.embed(texts)


@lru_cache(maxsize=1)
def _model() -> Embedder | None:
    try:
        return MiniLM()
    except ModelMissing:
        return None
