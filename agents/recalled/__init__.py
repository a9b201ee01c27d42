"""Past defects turned into probes for another environment, without a model.

    found = recalled(environment, past_defects, seed=7)     # confirmed findings of source "memory"

Only the calls are carried over; what is expected of them is the new environment's own: its invariants, its declared
results, its guards, no unforeseen failure. So nothing is claimed of a sound world that its own text does not say. What
one environment's SQL expected, or whom it meant to refuse, is not carried over: it need not hold elsewhere. Static
findings are not either: gates and rules look at every place of every environment anyway.
"""

from .recalling import SOURCE as SOURCE
from .recalling import recalled as recalled
from .toollike import LEAST as LEAST
from .toollike import Fit as Fit
from .toollike import fits as fits
from .toollike import likeness as likeness
