"""A language model as a judge of rollouts."""

from .judge import PromptedJudge as PromptedJudge
