"""Decoys: legitimate changes, which no critic should flag. One file each."""

from __future__ import annotations

from ..base import DecoyOperator
from .commuting_steps import CommutingSteps
from .extra_read_tool import ExtraReadTool
from .guard_added import GuardAdded
from .index_added import IndexAdded
from .other_default import OtherDefault
from .parameter_renamed import ParameterRenamed
from .reworded import Reworded
from .wider_page import WiderPage

DECOYS: tuple[DecoyOperator, ...] = (
    CommutingSteps(),
    ExtraReadTool(),
    GuardAdded(),
    IndexAdded(),
    OtherDefault(),
    ParameterRenamed(),
    Reworded(),
    WiderPage(),
)
DECOY_KINDS: tuple[str, ...] = tuple(operator.kind for operator in DECOYS)
