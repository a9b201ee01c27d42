"""How a gold program hangs together: its data-flow graph, and numbers that say how its task is built."""

from .features import structure_features as structure_features
from .graph import gold_graph as gold_graph
