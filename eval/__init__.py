"""Evaluation: audits of verifiers, rollouts, pass rates and what they tell. Pure: solvers are passed in, nothing is
stored. The audit is `eval.audit.audit`.

Names are loaded when they are first used, so that what needs numerics does not slow down the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .audit import AuditContext as AuditContext
    from .audit import Gate as Gate
    from .audit import freeze as freeze
    from .audit import is_frozen_valid as is_frozen_valid
    from .bands import Band as Band
    from .base import Solver as Solver
    from .base import SolverProfile as SolverProfile
    from .confirmation import ConfirmationTest as ConfirmationTest
    from .effects import Difference as Difference
    from .effects import difference as difference
    from .errors import ForeignError as ForeignError
    from .errors import InfraError as InfraError
    from .errors import LimitReached as LimitReached
    from .errors import SolverError as SolverError
    from .intervals import Interval as Interval
    from .intervals import beta_interval as beta_interval
    from .intervals import probability_in_band as probability_in_band
    from .intervals import wilson as wilson
    from .measurement import Confirmation as Confirmation
    from .measurement import Effect as Effect
    from .measurement import Measurement as Measurement
    from .measurement import compare as compare
    from .measurement import confirm as confirm
    from .measurement import measure as measure
    from .occupancy import Occupancy as Occupancy
    from .occupancy import band_occupancy as band_occupancy
    from .passk import mean_pass_at_k as mean_pass_at_k
    from .passk import mean_pass_hat_k as mean_pass_hat_k
    from .passk import pass_at_k as pass_at_k
    from .passk import pass_hat_k as pass_hat_k
    from .rollouts import Purpose as Purpose
    from .rollouts import roll_out as roll_out
    from .sampling import Counts as Counts
    from .sampling import Sampler as Sampler
    from .sequential import OperatingPoint as OperatingPoint
    from .sequential import SequentialTest as SequentialTest
    from .sequential import fixed_design_accepts as fixed_design_accepts
    from .usage import add_usage as add_usage

_NAMES = {
    "audit": ("AuditContext", "Gate", "freeze", "is_frozen_valid"),
    "bands": ("Band",),
    "base": ("Solver", "SolverProfile"),
    "confirmation": ("ConfirmationTest",),
    "effects": ("Difference", "difference"),
    "errors": ("ForeignError", "InfraError", "LimitReached", "SolverError"),
    "intervals": ("Interval", "beta_interval", "probability_in_band", "wilson"),
    "measurement": ("Confirmation", "Effect", "Measurement", "compare", "confirm", "measure"),
    "occupancy": ("Occupancy", "band_occupancy"),
    "passk": ("mean_pass_at_k", "mean_pass_hat_k", "pass_at_k", "pass_hat_k"),
    "rollouts": ("Purpose", "roll_out"),
    "sampling": ("Counts", "Sampler"),
    "sequential": ("OperatingPoint", "SequentialTest", "fixed_design_accepts"),
    "usage": ("add_usage",),
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PLACES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
