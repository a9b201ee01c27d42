"""Faults: operators that plant one known fault each in a sound environment, to measure testers and critics.

planted = plant(environment, random.Random(7))        # .environment, .kind, .where, .note
coder = ProceduralCoder(planter=FaultPlanter(0.3))     # a coder that makes mistakes
"""

from .base import Change as Change
from .base import Operator as Operator
from .base import Planted as Planted
from .canonical import canonical as canonical
from .difference import difference as difference
from .operators import KINDS as KINDS
from .operators import OPERATORS as OPERATORS
from .planting import FaultPlanter as FaultPlanter
from .planting import plant as plant
from .planting import plants as plants
