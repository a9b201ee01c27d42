"""Every command of the command line."""

from __future__ import annotations

from typer.core import TyperGroup


def commands_of(group: TyperGroup, *words: str) -> list[str]:
    """As they are typed, those of groups within too."""
    found = list[str]()
    for name, command in sorted(group.commands.items()):
        typed = (*words, name)
        found += commands_of(command, *typed) if isinstance(command, TyperGroup) else [" ".join(typed)]
    return found
