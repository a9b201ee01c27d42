"""A language model as a judge of rollouts: for an opinion of its own, and to decide what code cannot."""

from .decider import PromptedDecider as PromptedDecider
from .judge import PromptedJudge as PromptedJudge
