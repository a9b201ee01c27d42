"""A language model as a scout."""

from .scout import PromptedScout as PromptedScout
