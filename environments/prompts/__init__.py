"""Templates of what solvers are shown."""
