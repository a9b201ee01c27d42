"""A world that can go back to where it stood before a call."""

from __future__ import annotations

from typing import NamedTuple

import apsw

from .clock import WorldClock
from .connections import check_references, connect_pages
from .guard import CALL
from .numbering import Numbers
from .world import World


class _Mark(NamedTuple):
    """What a write found besides the rows."""

    seconds: int
    codes: int
    numbers: Numbers
    changesets: int


class ReturningWorld(World):
    """Everything happens in one transaction that never ends, each write in a savepoint that stays. So a state that was
    left is a rollback away, and what was prepared stays so: in a world of its own SQLite would prepare it anew.

    Tools answer as in any world.
    """

    __slots__ = ("_begun", "_marks")

    def _opened(self, image: bytes) -> apsw.Connection:
        """Nothing is ever committed here."""
        self._marks: list[_Mark] = []
        self._begun: _Mark | None = None
        return connect_pages(image, limits=self._limits, budget=self._budget)

    @property
    def depth(self) -> int:
        """How many writes it can take back. An error for which SQLite gives up the transaction takes all back."""
        return len(self._marks)

    @property
    def any_again(self) -> bool:
        """Whether a number was given again."""
        return self._numbers.any_again

    def back(self, depth: int) -> None:
        """Take back all writes but the first so many."""
        if depth == self.depth:
            return
        self._budget.start()
        for _ in self._marks[depth:]:
            self._drop_savepoint()
        self._restore(self._marks[depth])
        del self._marks[depth:]

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        self._connection.execute(f"SAVEPOINT {CALL}")
        self._begun = _Mark(self.clock.seconds, self._codes.made, self._numbers.fork(), len(self._changesets))

    def _keep(self) -> None:
        check_references(self._connection)
        if self._begun is not None:
            self._marks.append(self._begun)
            self._begun = None

    def _undo(self) -> None:
        begun, self._begun = self._begun, None
        if begun is None:
            return
        if self._connection.in_transaction:
            self._drop_savepoint()
        elif self._marks:
            self._restore(self._marks[0])
            self._marks.clear()

    def _drop_savepoint(self) -> None:
        self._connection.execute(f"ROLLBACK TO {CALL}")
        self._connection.execute(f"RELEASE {CALL}")

    def _restore(self, mark: _Mark) -> None:
        self.clock = WorldClock(self.clock.start, mark.seconds)
        self._codes.made = mark.codes
        self._numbers = mark.numbers
        if self._numbers.watched:
            self._connection.set_update_hook(self._numbers.note)
        del self._changesets[mark.changesets :]
