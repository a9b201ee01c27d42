"""What memory says to an architect or coder, as lines of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from ...base import Neighbour, PastDefect
from ..clipping import clipped, one_line

_MOST_NEIGHBOURS = 6
_MOST_DEFECTS = 10
_LONGEST = 300
_LONGEST_DEFECT = 700


def neighbours_lines(neighbours: Sequence[Neighbour]) -> list[str]:
    """Environments that exist already. Held-out ones have no summary, and nothing of them is told."""
    told = sorted((item for item in neighbours if item.summary), key=lambda item: item.distance)
    return [clipped(one_line(item.summary), _LONGEST) for item in told[:_MOST_NEIGHBOURS]]


def defect_lines(defects: Sequence[PastDefect]) -> list[str]:
    """Defects that were found before, each with its place and what was changed so that it was gone."""
    return [clipped(one_line(_told(defect)), _LONGEST_DEFECT) for defect in defects[:_MOST_DEFECTS]]


def _told(defect: PastDefect) -> str:
    kind = defect.kind.replace("_", " ")
    said = f"{kind}, at {defect.where}: {clipped(one_line(defect.message), _LONGEST)}"
    return f"{said} Mended by this change: {defect.fix}" if defect.fix else said
