"""Errors that evaluation tells apart.

ServiceError ── InfraError    the solver's provider failed: the rollout is run again whole
EnvolveError ── ForeignError  code that a user named failed: its author has to look
ForeignError ── SolverError   the same of a solver, with its task
LimitReached                  control flow: a solver ran into a limit of its own
"""

from __future__ import annotations

from ..environments.errors import EnvolveError, ServiceError


class InfraError(ServiceError):
    """The solver's provider failed: the rollout says nothing and is run again whole."""


class ForeignError(EnvolveError):
    """A solver, critic, judge or attacker of the user's own raised what it should not have, or answered with something
    else than was asked for. What it raised is chained."""

    exit_code = 3


class SolverError(ForeignError):
    """A solver's code raised what it should not have: a bug of the solver, not of the world. The cause is chained."""

    def __init__(self, solver: str, task: str, reason: str) -> None:
        super().__init__(
            f"The solver {solver!r} failed on task {task!r}: {reason}.",
            remedy="This is an error in the solver, not in the environment; --debug shows the traceback.",
        )
        self.solver = solver
        self.task = task
        self.reason = reason


class LimitReached(Exception):
    """Raised by a solver that ran into a limit of its own (turns, tokens): nothing was submitted.

    Control flow, not an error for people. `limit` names it.
    """

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit
