"""How the tools of an environment look from outside, without a change of what they mean.

A surface stands between a player (a solver, a client over MCP) and the world. It is pure and can be undone: gold
programs, verifiers, audits, probes and critics speak the canonical form alone, whatever the surface is.
"""

from .drawing import drawn_surface as drawn_surface
from .look import Look as Look
