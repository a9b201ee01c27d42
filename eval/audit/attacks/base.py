"""What an attack on a verifier is, and who makes one.

An attacker wants a pass without the work. It proposes programs (calls with arguments, and what is handed in); the
audit runs each in a fresh episode, judges where it ends, and counts its calls. Attackers may see everything: the
verifier, gold, the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from ....environments.models import Task
from ....environments.package import Environment
from ..base import Program


class Attempt(NamedTuple):
    """One attack: a program, as gold is one, that ends with what is handed in.

    `kind` names it in reports. `lucky`: it takes its chances, knowing nothing of the verifier, so that one pass that
    ends where gold ends says nothing; the rate of such passes does. `spent`: tool calls that were made to come to it,
    its own aside.
    """

    kind: str
    program: Program
    lucky: bool = False
    spent: int = 0


@runtime_checkable
class Attacker(Protocol):
    """Attacks the verifier of one task.

    `attempts` yields as many as it likes within `budget` tool calls: each costs its `spent`, its calls, and one for
    handing in. The audit stops asking when the budget is used up. The same `seed` makes the same attempts, unless the
    attacker is a model. What it raises ends the audit. Episodes of `environment` remember together what calls came to:
    what their results hold is not to be changed.
    """

    @property
    def name(self) -> str: ...

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]: ...
