"""What memory says to an architect or coder, as lines of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from ...base import Neighbour, PastDefect
from ..clipping import clipped, one_line

_MOST_NEIGHBOURS = 6
_MOST_DEFECTS = 10
_LONGEST = 300


def neighbours_lines(neighbours: Sequence[Neighbour]) -> list[str]:
    """Environments that exist already. Held-out ones have no summary, and nothing of them is told."""
    told = sorted((item for item in neighbours if item.summary), key=lambda item: item.distance)
    return [clipped(one_line(item.summary), _LONGEST) for item in told[:_MOST_NEIGHBOURS]]


def defect_lines(defects: Sequence[PastDefect]) -> list[str]:
    """Defects that were found before, each with the fix that worked."""
    return [clipped(one_line(_told(defect)), _LONGEST) for defect in defects[:_MOST_DEFECTS]]


def _told(defect: PastDefect) -> str:
    kind = defect.kind.replace("_", " ")
    return f"{kind}: {defect.message}" + (f" Mended by: {defect.fix}" if defect.fix else "")
