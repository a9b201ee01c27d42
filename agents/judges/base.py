"""What a judge sees of a rollout, and what it says.

A `Judge` gives an independent opinion: it sees neither verifier nor verdict, so that where it differs from them
something is to be looked at. What decides where code cannot is another thing (`deciding.py`), and no judge is both
for one rollout.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from ...environments.models import Actor, Frozen, RowChange, Trace
from ...environments.package import Environment
from ...eval.errors import ForeignError

Ruling = Literal["met", "not_met", "cannot_tell"]


class Meant(NamedTuple):
    """The rows of the seed state that a phrase of the instruction refers to; `keys` of one column each."""

    phrase: str
    table: str
    keys: frozenset[Any]


class Case(NamedTuple):
    """A rollout without its verdict. `environment` holds no tasks: neither verifier nor gold can be reached."""

    environment: Environment
    roles: tuple[str, ...]
    prompt: str
    """What the solver was shown: policy, who acts, the time, the instruction."""
    trace: Trace
    changes: tuple[RowChange, ...]
    """What changed in the end: a row that was changed back is not there."""
    instruction: str
    actor: Actor
    submit: dict[str, Any]
    """JSON Schema of what may be handed in, as the solver is shown it: the form of an answer, not what is right."""
    answer: str = "none"
    """The kind of answer that it asks for."""
    meant: tuple[Meant, ...] = ()
    """What the instruction's phrases refer to, as was settled before there was a solution; `created` aside."""
    created: tuple[str, ...] = ()
    """Phrases that mean a row which is to be made."""


class Judgement(Frozen):
    """Whether the person got what was asked for, and nothing else was done. `step` is the number of the event in the
    trace, from 1, that decides it; None if none does."""

    ruling: Ruling
    reason: str
    step: int | None = None


class NoJudgement(ForeignError):
    """A judge failed, or did not answer with a judgement. It counts as none, never as a pass."""


@runtime_checkable
class Judge(Protocol):
    @property
    def name(self) -> str: ...

    async def judge(self, case: Case) -> Judgement:
        """Raises NoJudgement, or Unusable of a model, where there is none."""
        ...
