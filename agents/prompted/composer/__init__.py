"""The architect as a model that composes designs for the procedural coder."""

from .composer import PromptedComposer as PromptedComposer
