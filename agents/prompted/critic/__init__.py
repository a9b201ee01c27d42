"""A language model as a critic."""

from .critic import PromptedCritic as PromptedCritic
