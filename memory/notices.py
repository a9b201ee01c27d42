"""Things a person should hear about though work goes on: a fallback in use, an index that was rebuilt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal

from ..environments.models import Frozen


class Notice(Frozen):
    """What happened and what to do about it (`remedy` may be empty)."""

    kind: Literal["embedder", "index", "store", "checkpoints"]
    message: str
    remedy: str = ""


Notify = Callable[[Notice], None]


def log_notice(notice: Notice) -> None:
    """The default receiver: a warning in the log."""
    logging.getLogger("envolve.memory").warning("%s %s", notice.message, notice.remedy)
