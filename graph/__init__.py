"""The graphs: a run's rounds (`pipeline`), one environment, one task; planning, commits, budgets and workers.

Nothing is imported here: `graph.run` is the door, and it loads LangGraph only when a run begins.
"""
