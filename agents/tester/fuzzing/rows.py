"""Choosing the rows that a call points at, so that they go together: a table of the booking's restaurant, a slot of
the right day."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from ....environments.models import Actor, Param
from ..anatomy import Anatomy
from .scene import Scene

_NO_SUCH_ID = 999_983
_MISSING, _TOGETHER, _FOCUS, _OWN = 0.03, 0.65, 0.6, 0.93


class RowChooser:
    """Chooses rows for one call. `belongs` grows as it goes: the rows chosen so far and those that they point at, one
    a table."""

    def __init__(self, anatomy: Anatomy, scene: Scene, actor: Actor, rng: random.Random) -> None:
        self.belongs: dict[str, Any] = {}
        self._anatomy = anatomy
        self._scene = scene
        self._actor = actor
        self._rng = rng

    def id(self, param: Param) -> Any:
        """A value for a parameter with `ref`; now and then one that does not exist."""
        assert param.ref is not None
        table, column = param.ref.split(".")
        if self._rng.random() < _MISSING:
            return _NO_SUCH_ID if param.type == "integer" else "no-such-key"
        own: Sequence[Any] = ()
        if param.scope is not None and (param.scope.roles is None or set(self._actor.roles) & set(param.scope.roles)):
            own = self._scene.satisfying(table, column, param.scope.where, self._actor)
        keys = self._keys(table, column, own)
        return self._chosen(table, column, self._rng.choice(keys)) if keys else 1

    def row(self, table: str) -> Mapping[str, Any]:
        """A row of a table with a key of one column; empty if there is none."""
        column = self._anatomy.tables[table].primary_key[0]
        keys = self._keys(table, column, ())
        return self._scene.row(table, self._rng.choice(keys)) if keys else {}

    def _keys(self, table: str, column: str, own: Sequence[Any]) -> Sequence[Any]:
        """Rows to choose from: most often those that go with what was chosen, those in focus, or the actor's own."""
        rng, scene = self._rng, self._scene
        own = own or scene.reachable(table, column, self._actor)
        together = scene.together(table, column, self.belongs) if self.belongs and rng.random() < _TOGETHER else []
        if together:
            both = [key for key in together if key in own] if own else together
            return both or together
        roll = rng.random()
        by_key = self._anatomy.tables[table].primary_key == (column,)
        focus = [key for key in scene.focus(table) if not own or key in own] if by_key else []
        if focus and roll < _FOCUS:
            return focus
        return own if own and roll < _OWN else scene.keys(table, column)

    def _chosen(self, table: str, column: str, key: Any) -> Any:
        """Note a chosen row and what it points at."""
        info = self._anatomy.tables[table]
        if info.primary_key != (column,):
            return key
        self.belongs.setdefault(table, key)
        row = self._scene.row(table, key)
        for reference in info.references:
            if len(reference.columns) == 1 and row.get(reference.columns[0]) is not None:
                self.belongs.setdefault(reference.table, row[reference.columns[0]])
        return key
