"""Controls, a simulated solver of known ability, and models. `solver_named` finds any by name."""

from .naming import known_solvers as known_solvers
from .naming import solver_named as solver_named
