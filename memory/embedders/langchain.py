"""Any LangChain `Embeddings` as an embedder, and OpenAI-compatible servers through it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...environments.errors import ServiceError
from .base import unit

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class LangChainEmbedder:
    """The dimension is learnt from one call. Errors: ServiceError when the embeddings fail or do not fit."""

    def __init__(self, embeddings: Embeddings, name: str) -> None:
        self._embeddings = embeddings
        self.name = name

    @cached_property
    def dimension(self) -> int:
        return int(self._call(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self._call(list(texts))
        if vectors.shape != (len(texts), self.dimension):
            raise ServiceError(
                f"{self.name} answered with shape {vectors.shape}, wanted {(len(texts), self.dimension)}."
            )
        return unit(vectors)

    def _call(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            vectors = np.array(self._embeddings.embed_documents(texts), dtype=np.float32)
        except Exception as error:  # whatever a user's class raises, the service failed
            raise ServiceError(
                f"Embeddings {self.name} failed: {type(error).__name__}.",
                remedy="Check the server, its key and model.",
            ) from error
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise ServiceError(f"{self.name} answered with something else than one vector a text.")
        return vectors


def openai_embedder(model: str, base_url: str | None) -> LangChainEmbedder:
    """Embeddings of an OpenAI-compatible server; the key comes from OPENAI_API_KEY."""
    import os

    from langchain_openai import OpenAIEmbeddings
    from pydantic import SecretStr

    key = SecretStr(os.environ.get("OPENAI_API_KEY", "none"))
    # Other servers do not read token ids, which the length check sends instead of text.
    embeddings = OpenAIEmbeddings(
        model=model, openai_api_base=base_url, openai_api_key=key, check_embedding_ctx_length=False
    )
    return LangChainEmbedder(embeddings, f"openai:{model}" + (f"@{base_url}" if base_url else ""))
