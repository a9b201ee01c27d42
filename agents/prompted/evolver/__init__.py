"""The evolver as a model."""

from .evolver import PromptedEvolver as PromptedEvolver
