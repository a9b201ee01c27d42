"""Solvers that need no model: controls, and a simulated one of known ability. `solver_named` finds any by name."""

from .naming import known_solvers as known_solvers
from .naming import solver_named as solver_named
