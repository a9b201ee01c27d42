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


def listed(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - MOST_LISTED} more" if len(every) > MOST_LISTED else ""
    return ", ".join(every[:MOST_LISTED]) + more if every else "none"
