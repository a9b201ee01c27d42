"""Operators on the plans of procedural tasks: one file a pair, and the evolver that applies them."""

from .evolver import OPERATORS as OPERATORS
from .evolver import ProceduralEvolver as ProceduralEvolver
from .evolver import operator_named as operator_named
