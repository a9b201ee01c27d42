"""Faults: operators that plant one known fault each in a sound environment, to measure testers and critics.

planted = plant(environment, random.Random(7))        # .environment, .kind, .where, .note
coder = ProceduralCoder(planter=FaultPlanter(0.3))     # a coder that makes mistakes
plants(environment, "guard_dropped")                   # every place in its tools; task_plants: in its tasks
decoys(environment, "index_added")                     # legitimate changes, which no critic should flag
"""

from .base import Change as Change
from .base import DecoyChange as DecoyChange
from .base import Operator as Operator
from .base import Planted as Planted
from .base import TaskChange as TaskChange
from .canonical import canonical as canonical
from .contradictions import Evidence as Evidence
from .contradictions import contradiction as contradiction
from .decoys import DECOY_KINDS as DECOY_KINDS
from .difference import difference as difference
from .operators import KINDS as KINDS
from .operators import OPERATORS as OPERATORS
from .planting import FaultPlanter as FaultPlanter
from .planting import decoys as decoys
from .planting import plant as plant
from .planting import plants as plants
from .planting import task_plants as task_plants
from .task_difference import TaskDifference as TaskDifference
from .task_difference import task_difference as task_difference
from .task_operators import TASK_KINDS as TASK_KINDS
