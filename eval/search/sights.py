"""What a verifier says of a state on the way: how much of what is asked for is done, and what harm.

Unlike a verdict this tells nearness, and leaves out what is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...environments.episode import Episode
from ...environments.models import Task
from ...environments.package import Environment
from ...environments.states import comparison_of, state_signature
from ...environments.verification import StateReader, bind, expected_answer
from ...environments.verification.allowances import Allowances
from ...environments.verification.checks import state_checks


class Sight(NamedTuple):
    """`held` of `needed` checks that failed in the seed state hold; `broken` held there and do not any more.
    `unallowed` counts changes that nothing allows. `expected` is the right answer here; `goal`: whether the goal's SQL
    holds, if there is any."""

    held: int
    needed: int
    broken: int
    unallowed: int
    signature: str
    expected: Any
    goal: bool | None

    @property
    def right(self) -> bool:
        return self.held == self.needed and not self.broken and not self.unallowed

    @property
    def progress(self) -> float:
        """From 0 (nothing gained) to 1; less than 0 where harm was done."""
        gained = self.held / self.needed if self.needed else 1.0
        return gained - self.broken / max(1, self.needed) - 0.5 * min(2, self.unallowed)


class Scout:
    """Looks at states of one task through `reader`, whose `before` is the task's seed state."""

    def __init__(self, environment: Environment, task: Task, reader: StateReader) -> None:
        self._environment = environment
        self._task = task
        self._reader = reader
        self._comparison = comparison_of(environment)
        self._seed: tuple[bool, ...] = ()
        self._rows: dict[str, frozenset[Any]] = {}

    def rows_of(self, column: str) -> frozenset[Any]:
        """The values of a seed column, `table.column`."""
        if column not in self._rows:
            table, _, name = column.partition(".")
            found = self._reader.query(f'SELECT DISTINCT "{name}" FROM before."{table}"')
            self._rows[column] = frozenset(value for (value,) in found)
        return self._rows[column]

    def look(self, episode: Episode) -> Sight:
        """Raises SqlProblem where the verifier's SQL does not run on the state."""
        verifier, changes, image = self._task.verifier, episode.changes(), episode.final_image()
        self._reader.show(image, changes)
        bound = bind(self._reader, verifier)
        holds = tuple(check.holds for check in state_checks(self._reader, verifier, bound))
        # The first look is at the seed state.
        self._seed = self._seed or holds
        allowances = Allowances(self._reader, self._comparison, verifier.allow, verifier.free, bound.values)
        return Sight(
            held=sum(now and not before for now, before in zip(holds, self._seed, strict=True)),
            needed=self._seed.count(False),
            broken=sum(before and not now for now, before in zip(holds, self._seed, strict=True)),
            unallowed=len(allowances.violations(changes)),
            signature=state_signature(self._environment, changes, image, free=verifier.free),
            expected=self._expected(bound.values),
            goal=None if self._task.goal.sql is None else self._reader.holds(self._task.goal.sql),
        )

    def _expected(self, bound: Mapping[str, Any]) -> Any:
        if self._task.verifier.answer.kind == "none":
            return None
        return expected_answer(self._reader, self._task.verifier.answer, bound)
