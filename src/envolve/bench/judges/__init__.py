"""How good judges are, on rollouts whose label is known by construction."""
