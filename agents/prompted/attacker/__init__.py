"""A language model that attacks verifiers."""

from .attacker import PromptedAttacker as PromptedAttacker
