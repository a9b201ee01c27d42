"""Where packages lie: requests and replies name them within the run's folder, steps open them wherever that is now.

So what is staged is found again in a run folder that was moved or copied, and never speaks of where it was before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from ..environments.models import Frozen
from .requests import MaybePackage, Package

Request = TypeVar("Request", bound=Frozen)
Reply = TypeVar("Reply", bound=Frozen)

_PLACES = ("path", "folder")
"""Fields of requests that hold a place within the run's folder."""


def located(request: Request, root: Path) -> Request:
    """The request with absolute places."""
    held = [name for name in _PLACES if name in type(request).model_fields]
    return request.model_copy(update={name: str(root / getattr(request, name)) for name in held})


def within_run(reply: Reply, root: Path) -> Reply:
    """The reply with places within the run's folder."""
    if isinstance(reply, Package):
        return reply.model_copy(update={"path": Path(reply.path).relative_to(root).as_posix()})
    if isinstance(reply, MaybePackage) and reply.package is not None:
        return reply.model_copy(update={"package": within_run(reply.package, root)})
    return reply
