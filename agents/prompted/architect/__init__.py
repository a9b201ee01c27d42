"""The architect as a model: from a brief to a blueprint, tasks first."""

from .architect import PromptedArchitect as PromptedArchitect
