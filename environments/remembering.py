"""Worlds that begin alike and remember: what a call comes to in a state is worked out once.

Audits, searches and attacks make the same calls in the same states again and again. Here all episodes that begin alike
share one live world, and the tree of the states that it was in. A call that was made in a state before is answered from
there; for one that was not the live world goes back, and on by the writes that lead there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from .changes import ChangeSet, decode, net
from .errors import WorldError
from .failures import CallFailed
from .gold.picks import Picks
from .limits import Limits
from .models import Actor, CallResult, RowChange
from .plans import Plan
from .returning import ReturningWorld
from .schema import TableInfo


class Start(NamedTuple):
    """How a world begins: the seed state, who acts, the seed of its codes, and what it may use."""

    image: bytes
    actor: Actor
    seed: int
    limits: tuple[Any, ...]

    @classmethod
    def of(cls, image: bytes, actor: Actor, seed: int, limits: Limits) -> Start:
        """How many calls there may be is the episode's business."""
        return cls(image, actor, seed, tuple(value for name, value in limits if name != "calls"))


class _Answer(NamedTuple):
    """What a call came to, and the state that it left."""

    result: CallResult
    changeset: bytes
    failed: CallFailed | None
    after: _State


class _State:
    """The seed state, or what a write made of the state `before`. `again`: a number was given to a second row."""

    __slots__ = ("again", "answers", "args", "before", "changes", "changesets", "image", "plan")

    def __init__(self) -> None:
        self.before: _State | None = None
        self.plan: Plan | None = None
        self.args: Mapping[str, Any] = {}
        self.changesets: tuple[bytes, ...] = ()
        self.again = False
        self.answers: dict[tuple[str, str], _Answer] = {}
        self.changes: ChangeSet | None = None
        self.image: bytes | None = None

    def way(self) -> list[_State]:
        """The states on the way here, the seed state aside."""
        found: list[_State] = []
        state = self
        while state.before is not None:
            found.append(state)
            state = state.before
        return found[::-1]


class _Tree:
    """The states of worlds that begin alike, and the live world, which stands at the last of `_standing`."""

    def __init__(self, live: ReturningWorld, tables: Mapping[str, TableInfo]) -> None:
        self.seed = _State()
        self.lock = threading.RLock()
        self._live = live
        self._tables = tables
        self._standing: list[_State] = []
        self._rows: dict[bytes, tuple[RowChange, ...]] = {}

    def answer(self, state: _State, plan: Plan, args: Mapping[str, Any]) -> _Answer:
        # As it is written a value tells its type too: 1, 1.0 and true are three arguments.
        call = (plan.tool.name, repr(args))
        found = state.answers.get(call)
        if found is None:
            found = self._asked(state, plan, args)
            # The world's own failures may be a matter of time.
            if found.result.error is None or found.result.error.code != "internal":
                state.answers[call] = found
        return found

    def changes(self, state: _State) -> ChangeSet:
        if state.changes is None:
            if state.again:
                self._stand(state)
                state.changes = self._live.changes()
            else:
                state.changes = net(state.changesets, self._tables)
        return state.changes

    def image(self, state: _State) -> bytes:
        if state.image is None:
            self._stand(state)
            state.image = self._live.image()
        return state.image

    def rows(self, changeset: bytes) -> tuple[RowChange, ...]:
        if not changeset:
            return ()
        if changeset not in self._rows:
            self._rows[changeset] = decode(changeset, self._tables)
        return self._rows[changeset]

    def close(self) -> None:
        """States name those before and after them: nothing else would let them go at once."""
        self._live.close()
        left = [self.seed]
        while left:
            state = left.pop()
            left += [answer.after for answer in state.answers.values() if answer.after is not state]
            state.answers = {}
            state.before = None

    def _asked(self, state: _State, plan: Plan, args: Mapping[str, Any]) -> _Answer:
        self._stand(state)
        result, changeset = self._live.call(plan, args)
        after = state
        if self._live.depth > len(self._standing):
            after = self._made(state, plan, args, changeset)
            self._standing.append(after)
        del self._standing[self._live.depth :]
        return _Answer(result, changeset, self._live.failed, after)

    def _made(self, state: _State, plan: Plan, args: Mapping[str, Any], changeset: bytes) -> _State:
        made = _State()
        made.before, made.plan, made.args = state, plan, deepcopy(dict(args))
        made.changesets = (*state.changesets, changeset) if changeset else state.changesets
        made.again = self._live.any_again
        return made

    def _stand(self, state: _State) -> None:
        """Bring the live world to a state. Raises WorldError if a write does not succeed that did before."""
        way = state.way()
        shared = 0
        for here, there in zip(self._standing, way, strict=False):
            if here is not there:
                break
            shared += 1
        self._live.back(shared)
        del self._standing[shared:]
        for following in way[shared:]:
            if following.plan is None or not self._live.call(following.plan, following.args)[0].ok:
                raise WorldError("A call that succeeded fails when it is made again.")
            self._standing.append(following)


class RememberedWorld:
    """A world of its own, as far as its caller can tell. What results hold is shared: do not change it."""

    __slots__ = ("_state", "_tree", "failed")

    def __init__(self, tree: _Tree, state: _State) -> None:
        self._tree = tree
        self._state = state
        self.failed: CallFailed | None = None
        """How the last call ended, if it failed in SQL."""

    def call(self, plan: Plan, args: Mapping[str, Any]) -> tuple[CallResult, bytes]:
        """As `World.call`."""
        with self._tree.lock:
            answer = self._tree.answer(self._state, plan, args)
        self._state = answer.after
        self.failed = answer.failed
        return answer.result, answer.changeset

    def changes(self) -> ChangeSet:
        """What changed since the seed state, net."""
        with self._tree.lock:
            return self._tree.changes(self._state)

    def rows(self, changeset: bytes) -> tuple[RowChange, ...]:
        """The rows of one call's changeset."""
        return self._tree.rows(changeset)

    def image(self) -> bytes:
        """The database as it is now."""
        with self._tree.lock:
            return self._tree.image(self._state)

    def fork(self) -> RememberedWorld:
        """A world of its own in the same state, with the same changes since the seed state behind it."""
        return RememberedWorld(self._tree, self._state)

    def close(self) -> None:
        """What changed stays known when the tree is gone."""
        if self._state.again:
            self.changes()


class Memory:
    """What worlds of one environment remember. Close it, or use it as a context manager; then its episodes have
    ended."""

    def __init__(self) -> None:
        self.picks = Picks()
        self._trees: dict[Start, _Tree] = {}
        self._lock = threading.Lock()

    def world(
        self, start: Start, tables: Mapping[str, TableInfo], live: Callable[[], ReturningWorld]
    ) -> RememberedWorld:
        """A world that begins as `start` says; `live` makes one that can go back."""
        with self._lock:
            tree = self._trees.get(start)
            if tree is None:
                tree = self._trees[start] = _Tree(live(), tables)
        return RememberedWorld(tree, tree.seed)

    def close(self) -> None:
        with self._lock:
            for tree in self._trees.values():
                tree.close()
            self._trees.clear()
            self.picks = Picks()
