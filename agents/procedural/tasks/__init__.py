"""Tasks of composed environments: plans, their words, their gold, their verifiers."""

from .writer import ProceduralTaskWriter as ProceduralTaskWriter
