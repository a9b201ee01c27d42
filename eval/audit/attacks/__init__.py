"""Attacks on verifiers: attempts to pass without the work."""

from .base import Attacker as Attacker
from .base import Attempt as Attempt
from .greedy import Greedy
from .wandering import Fishing, RandomWalk

BUILT_IN: tuple[Attacker, ...] = (RandomWalk(), Fishing(), Greedy())
"""Attackers that need no model."""
