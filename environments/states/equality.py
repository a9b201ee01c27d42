"""State equality for an environment's states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from ..changes import ChangeSet
from ..keeping import kept_beside
from .comparison import Comparison, comparison
from .rows import ConnectionRows, ImageRows, StateRows
from .signature import signature

if TYPE_CHECKING:
    from ..kit import Kit
    from ..package import Environment

NOTHING_FREE: Mapping[str, Sequence[str]] = {}


def comparison_of(environment: Environment) -> Comparison:
    """How the states of `environment` compare."""
    return _comparison(environment.kit)


@kept_beside
def _comparison(kit: Kit) -> Comparison:
    return comparison(kit.built.tables, kit.spec.columns)


def state_signature(
    environment: Environment,
    changes: ChangeSet,
    after: bytes | apsw.Connection | StateRows,
    *,
    free: Mapping[str, Sequence[str]] = NOTHING_FREE,
) -> str:
    """A digest of an end state: two are equal exactly if the states are ≈, both from the same seed state.

    `changes` are net against the seed state and lead to `after` (read only where ordering columns, or references
    by other columns than keys, ask for it). `free` is the task's `verifier.free`.
    """
    return signature(comparison_of(environment), changes.rows, _rows(after), free=free)


def _rows(after: bytes | apsw.Connection | StateRows) -> StateRows:
    if isinstance(after, bytes):
        return ImageRows(after)
    return ConnectionRows(after) if isinstance(after, apsw.Connection) else after
