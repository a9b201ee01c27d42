"""Names that a user may have meant, and lists of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_LISTED = 12


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, if one is like it."""
    names = list(known)
    started = [one for one in names if name and one.startswith(name)]
    return next(iter(started or difflib.get_close_matches(name, names, n=1, cutoff=0.5)), None)


def listed(names: Iterable[str], most: int = MOST_LISTED) -> str:
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more if every else "none"
