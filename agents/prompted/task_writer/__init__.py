"""The task writer as a model."""

from .writer import PromptedTaskWriter as PromptedTaskWriter
