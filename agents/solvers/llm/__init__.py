"""A language model as a solver: tool calling over an episode."""

from .naming import asked_model as asked_model
from .naming import llm_solver as llm_solver
from .solver import LlmSolver as LlmSolver
from .solver import SolverSettings as SolverSettings
