"""Errors that evaluation tells apart."""

from __future__ import annotations

from ..environments.errors import ServiceError


class InfraError(ServiceError):
    """The solver's provider failed: the rollout says nothing and is run again whole."""


class LimitReached(Exception):
    """Raised by a solver that ran into a limit of its own (turns, tokens): nothing was submitted.

    Control flow, not an error for people. `limit` names it.
    """

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit
