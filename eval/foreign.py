"""The boundary to code that is somebody's own: a solver, critic, judge or attacker that was given by name.

Whatever such code raises, `sys.exit` included, becomes one error that names it, so that it is neither taken for a fault
of Envolve nor ends the command. It runs in this process: nothing here confines it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..environments.errors import EnvolveError
from .errors import ForeignError, LimitReached


@contextmanager
def foreign(what: str, name: str, error: type[ForeignError] = ForeignError) -> Iterator[None]:
    """Around each call of foreign code: `what` it is ("attacker") and its `name`. Raises `error` for what it raises;
    errors meant for people, a solver's own limit and Ctrl-C pass."""
    try:
        yield
    except (EnvolveError, LimitReached):
        raise
    # Anybody's code raises anything.
    except (Exception, SystemExit) as raised:
        raise error(
            f"The {what} {name!r} failed: {raised_as(raised)}.",
            remedy=f"This is an error in the {what}; --debug shows where.",
        ) from raised


def raised_as(error: BaseException) -> str:
    """What was raised, in words: `ValueError: no rows`."""
    if isinstance(error, SystemExit):
        return f"it called sys.exit({error.code!r})"
    return f"{type(error).__name__}: {error}".removesuffix(": ").removesuffix(".")
