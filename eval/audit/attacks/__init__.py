"""Attacks on verifiers: attempts to pass without the work."""

from .base import Attacker as Attacker
from .base import Attempt as Attempt
