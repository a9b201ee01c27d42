"""Which tools no requirement needs.

Requirements are sentences, so this goes by their words: a tool is needed if a task's gold calls it, if its name shares
a word with a requirement, or if it reads what a needed tool touches. What is left is either a distractor, and then
marked as one, or a tool that nobody asked for.
"""

from __future__ import annotations

from ...environments.models import CallStep
from .anatomy import Anatomy
from .usage import tables_of
from .words import stems_in


def unneeded(anatomy: Anatomy) -> tuple[str, ...]:
    """Tools that no requirement needs and that are not marked as distractors; none where there are no requirements."""
    spec, tools = anatomy.spec, anatomy.tools
    words = {word for requirement in spec.requirements for word in stems_in(requirement)}
    tasks = anatomy.environment.tasks.values()
    called = {step.call for task in tasks for step in task.gold if isinstance(step, CallStep)}
    needed = {name for name in tools if name in called or not words.isdisjoint(stems_in(name))}
    touched = {table for name in needed for table in tables_of(anatomy, name)}
    return tuple(
        name
        for name, tool in tools.items()
        if words and name not in needed and not tool.distractor
        if tool.kind == "write" or tables_of(anatomy, name).isdisjoint(touched)
    )
