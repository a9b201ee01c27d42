"""An embedder by what a user typed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ...environments.errors import InputError
from ..notices import Notice, Notify, log_notice
from .base import Embedder
from .hashed import HashedNgrams
from .minilm import MiniLM, ModelMissing

GROUP = "envolve.embedders"
_KNOWN = "minilm (default), minilm:PATH, hashed-ngrams, openai:MODEL[@URL], module:attr"


def embedder_named(spec: str = "minilm", *, notify: Notify = log_notice) -> Embedder:
    """`minilm`, `minilm:PATH`, `hashed-ngrams`, `openai:MODEL[@URL]`, an installed plug-in's name, or `module:attr`.

    `module:attr` is an embedder or a LangChain `Embeddings`, or a callable without arguments that makes one.
    Where MiniLM is missing the default is hashed n-grams, and `notify` hears of it.
    Errors: InputError for a spec that names nothing; ServiceError if `minilm:PATH` is not the expected model.
    """
    head, _, rest = spec.partition(":")
    if spec == "minilm":
        return _default(notify)
    if spec == HashedNgrams.name:
        return HashedNgrams()
    if head == "minilm":
        return MiniLM(Path(rest))
    if head == "openai" and rest:
        from .langchain import openai_embedder

        model, _, url = rest.partition("@")
        return openai_embedder(model, url or None)
    return _adapted(_plugin(spec) if not rest else _attribute(spec, head, rest), spec)


def _default(notify: Notify) -> Embedder:
    try:
        return MiniLM()
    except ModelMissing as error:
        notify(
            Notice(
                kind="embedder",
                message=f"{error.message} Using hashed-ngrams: similar wording is found, similar meaning is not.",
                remedy=error.remedy,
            )
        )
        return HashedNgrams()


def _plugin(name: str) -> Any:
    found = entry_points(group=GROUP, name=name)
    if not found:
        installed = ", ".join(sorted(point.name for point in entry_points(group=GROUP))) or "none"
        raise InputError(
            f"There is no embedder {name!r}.", remedy=f"Known: {_KNOWN}; plug-ins installed: {installed}."
        )
    return next(iter(found)).load()


def _attribute(spec: str, module: str, attribute: str) -> Any:
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"Embedder {spec!r} cannot be imported: {error}.", remedy=f"Known: {_KNOWN}.") from error


def _made(factory: Any, spec: str) -> Any:
    try:
        return factory()
    except Exception as error:  # whatever a user's code raises, it cannot be used
        raise InputError(
            f"Embedder {spec!r} could not be made: {type(error).__name__}: {error}",
            remedy="Give an object, or a callable without arguments.",
        ) from error


def _adapted(found: Any, spec: str) -> Embedder:
    if isinstance(found, type) or (callable(found) and not hasattr(found, "embed")):
        found = _made(found, spec)
    if isinstance(found, Embedder):
        return found
    from langchain_core.embeddings import Embeddings

    from .langchain import LangChainEmbedder

    if isinstance(found, Embeddings):
        return LangChainEmbedder(found, spec)
    raise InputError(
        f"Embedder {spec!r} is a {type(found).__name__}.", remedy="Give an Embedder or a LangChain Embeddings."
    )
