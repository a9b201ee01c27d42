"""The classes of faults, one file each."""

from __future__ import annotations

from ..base import Operator
from .actor_scope_missing import ActorScopeMissing
from .boundary_off_by_one import BoundaryOffByOne
from .cascade_missing import CascadeMissing
from .description_contradicts import DescriptionContradicts
from .duplicate_rows import DuplicateRows
from .effect_missing import EffectMissing
from .error_swallowed import ErrorSwallowed
from .guard_dropped import GuardDropped
from .guard_negated import GuardNegated
from .order_wrong import OrderWrong
from .result_leaks import ResultLeaks
from .sign_flipped import SignFlipped
from .stale_total import StaleTotal
from .status_illegal import StatusIllegal
from .unit_mismatch import UnitMismatch
from .wrong_column import WrongColumn
from .wrong_default import WrongDefault
from .wrong_join import WrongJoin

OPERATORS: tuple[Operator, ...] = (
    ActorScopeMissing(),
    BoundaryOffByOne(),
    CascadeMissing(),
    DescriptionContradicts(),
    DuplicateRows(),
    EffectMissing(),
    ErrorSwallowed(),
    GuardDropped(),
    GuardNegated(),
    OrderWrong(),
    ResultLeaks(),
    SignFlipped(),
    StaleTotal(),
    StatusIllegal(),
    UnitMismatch(),
    WrongColumn(),
    WrongDefault(),
    WrongJoin(),
)
KINDS: tuple[str, ...] = tuple(operator.kind for operator in OPERATORS)
