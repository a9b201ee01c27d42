"""Worlds without a model: archetypes and links, drawn for a scenario and rendered; tasks from their workflows."""

from .architect import ProceduralArchitect as ProceduralArchitect
from .coder import ProceduralCoder as ProceduralCoder
from .composition import Composition as Composition
from .scout import ProceduralScout as ProceduralScout
