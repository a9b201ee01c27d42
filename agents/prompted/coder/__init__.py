"""The coder as a model: from a blueprint to an environment, and from findings to a patch."""

from .coder import PromptedCoder as PromptedCoder
