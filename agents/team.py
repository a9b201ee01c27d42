"""Who plays which role in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from ..environments.errors import InputError
from ..environments.models import Frozen
from .base import Architect, Coder, Critic, Evolver, Scout, TaskWriter
from .llm import Chat, ModelSettings, chat_with
from .llm.names import PROVIDERS, is_model_name

if TYPE_CHECKING:
    from .procedural.matching import Embed

PROCEDURAL = "procedural"
RoleName = Literal["scout", "architect", "coder", "task_writer", "evolver", "critics"]
ROLES: tuple[RoleName, ...] = ("scout", "architect", "coder", "task_writer", "evolver")
"""The roles that one implementation plays; critics may be several."""


class TeamSpec(Frozen):
    """The implementation of each role: `procedural`, or a model's name. `fault_rate` makes the procedural coder plant
    faults. `model_settings` hold for the models of all roles, those of `role_settings` for one role ("critics" for all
    critics); solvers have their own."""

    scout: str = PROCEDURAL
    architect: str = PROCEDURAL
    coder: str = PROCEDURAL
    task_writer: str = PROCEDURAL
    evolver: str = PROCEDURAL
    critics: tuple[str, ...] = ("rules",)
    fault_rate: float = Field(default=0.0, ge=0, le=1)
    model_settings: ModelSettings = ModelSettings()
    role_settings: dict[RoleName, dict[str, Any]] = {}

    @model_validator(mode="after")
    def _settings_are_known(self) -> TeamSpec:
        for role in self.role_settings:
            self.settings_of(role)
        return self

    def settings_of(self, role: RoleName) -> ModelSettings:
        """Those of the team, with what is said of the role in their place."""
        return ModelSettings.model_validate(self.model_settings.model_dump() | self.role_settings.get(role, {}))

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models in it, each once."""
        named = (*(getattr(self, role) for role in ROLES), *self.critics)
        return tuple(dict.fromkeys(name for name in named if is_model_name(name)))


class Team(NamedTuple):
    """The assembled roles."""

    spec: TeamSpec
    scout: Scout
    architect: Architect
    coder: Coder
    task_writer: TaskWriter
    evolver: Evolver
    critics: tuple[Critic, ...]


def assemble(spec: TeamSpec, *, embed: Embed | None = None) -> Team:
    """The team that a spec names. With `embed` the procedural architect goes by what a scenario means, not by its words
    alone. Errors: InputError for a name that is not known, telling which are, and for roles
    that cannot work together.

    A model as the architect of a procedural coder composes its design from the library; for a coder that is a model it
    writes schema and contracts itself.
    """
    from .critics import panel_of

    _check_together(spec)
    return Team(
        spec=spec,
        scout=_scout(spec),
        architect=_architect(spec, embed),
        coder=_coder(spec),
        task_writer=_task_writer(spec),
        evolver=_evolver(spec),
        critics=(panel_of(spec.critics, spec.settings_of("critics")),),
    )


def _check_together(spec: TeamSpec) -> None:
    """Procedural work rests on the design that it was composed from; what a model wrote has none."""
    if spec.coder != PROCEDURAL and spec.task_writer == PROCEDURAL:
        raise InputError(
            "The procedural task writer only knows environments of the procedural coder.",
            remedy="Give --task-writer a model too, or leave the coder procedural.",
        )
    if spec.task_writer != PROCEDURAL and spec.evolver == PROCEDURAL:
        raise InputError(
            "The procedural evolver only knows tasks of the procedural task writer.",
            remedy="Give --evolver a model too, or leave the task writer procedural.",
        )
    if spec.fault_rate and spec.coder != PROCEDURAL:
        raise InputError(
            "Faults are planted by the procedural coder only.", remedy="Leave out --fault-rate or the coder's model."
        )


def _scout(spec: TeamSpec) -> Scout:
    chat = _chat(spec, "scout")
    if chat is None:
        from .procedural import ProceduralScout

        return ProceduralScout()
    from .prompted.scout import PromptedScout

    return PromptedScout(chat)


def _architect(spec: TeamSpec, embed: Embed | None) -> Architect:
    chat = _chat(spec, "architect")
    if chat is None:
        from .procedural import ProceduralArchitect

        return ProceduralArchitect(embed=embed)
    if spec.coder == PROCEDURAL:
        from .prompted.composer import PromptedComposer

        return PromptedComposer(chat)
    from .prompted.architect import PromptedArchitect

    return PromptedArchitect(chat)


def _coder(spec: TeamSpec) -> Coder:
    chat = _chat(spec, "coder")
    if chat is None:
        from .faults import FaultPlanter
        from .procedural import ProceduralCoder

        return ProceduralCoder(planter=FaultPlanter(spec.fault_rate) if spec.fault_rate else None)
    from .prompted.coder import PromptedCoder

    return PromptedCoder(chat)


def _task_writer(spec: TeamSpec) -> TaskWriter:
    chat = _chat(spec, "task_writer")
    if chat is None:
        from .procedural.tasks import ProceduralTaskWriter

        return ProceduralTaskWriter()
    from .prompted.task_writer import PromptedTaskWriter

    return PromptedTaskWriter(chat)


def _evolver(spec: TeamSpec) -> Evolver:
    chat = _chat(spec, "evolver")
    if chat is None:
        from .procedural.operators import ProceduralEvolver

        return ProceduralEvolver()
    from .prompted.evolver import PromptedEvolver

    return PromptedEvolver(chat)


def check_role(role: str, name: str) -> None:
    """Errors: InputError for what neither is procedural nor names a model."""
    if name != PROCEDURAL and not is_model_name(name):
        raise InputError(
            f"There is no {role.replace('_', ' ')} named {name!r}.",
            remedy=f"Known: {PROCEDURAL}, or a model such as openai:gpt-5, openai:MODEL@URL"
            f" (providers: {', '.join(PROVIDERS)}).",
        )


def _chat(spec: TeamSpec, role: RoleName) -> Chat | None:
    """None where the role is procedural."""
    name = getattr(spec, role)
    check_role(role, name)
    return None if name == PROCEDURAL else chat_with(name, spec.settings_of(role))
