"""Who plays which role in a run."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import Field

from ..environments.errors import InputError
from ..environments.models import Frozen
from .base import Architect, Coder, Critic, Evolver, Scout, TaskWriter


class TeamSpec(Frozen):
    """The implementation of each role, by name; `fault_rate` makes the procedural coder plant faults."""

    scout: str = "procedural"
    architect: str = "procedural"
    coder: str = "procedural"
    task_writer: str = "procedural"
    evolver: str = "procedural"
    critics: tuple[str, ...] = ("rules",)
    fault_rate: float = Field(default=0.0, ge=0, le=1)


class Team(NamedTuple):
    """The assembled roles."""

    spec: TeamSpec
    scout: Scout
    architect: Architect
    coder: Coder
    task_writer: TaskWriter
    evolver: Evolver
    critics: tuple[Critic, ...]


def assemble(spec: TeamSpec) -> Team:
    """The team that a spec names. Errors: InputError for a name that is not known, listing what is."""
    from .critics import panel_of
    from .procedural import ProceduralArchitect, ProceduralCoder, ProceduralScout
    from .procedural.operators import ProceduralEvolver
    from .procedural.tasks import ProceduralTaskWriter

    for role in ("scout", "architect", "coder", "task_writer", "evolver"):
        name = getattr(spec, role)
        if name != "procedural":
            raise InputError(f"There is no {role} named {name!r}.", remedy="Known: procedural.")
    planter = None
    if spec.fault_rate:
        from .faults import FaultPlanter

        planter = FaultPlanter(spec.fault_rate)
    return Team(
        spec=spec,
        scout=ProceduralScout(),
        architect=ProceduralArchitect(),
        coder=ProceduralCoder(planter=planter),
        task_writer=ProceduralTaskWriter(),
        evolver=ProceduralEvolver(),
        critics=(panel_of(list(spec.critics)),),
    )
