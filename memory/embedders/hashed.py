"""Hashed n-grams: no model at all. Finds shared words and spellings, not meanings; the fallback, and named so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .base import unit

_WORD = re.compile(r"\w+")


class HashedNgrams:
    """Words, word pairs and character trigrams, each hashed to a signed coordinate, weighted by 1 + log(count)."""

    name = "hashed-ngrams"
    dimension = 512

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for feature, count in Counter(_features(text)).items():
                digest = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")
                sign = 1.0 if digest >> 63 else -1.0
                vectors[row, digest % self.dimension] += np.float32(sign * (1.0 + np.log(count)))
        return unit(vectors)


def _features(text: str) -> Iterator[str]:
    words = [match.group() for match in _WORD.finditer(text.casefold())]
    for word in words:
        yield f"w:{word}"
        padded = f"^{word}$"
        yield from (f"c:{padded[start : start + 3]}" for start in range(len(padded) - 2))
    yield from (f"p:{left} {right}" for left, right in pairwise(words))
