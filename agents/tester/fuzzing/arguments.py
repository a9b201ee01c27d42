"""Arguments for a call, most of them nearly valid: ids that exist, values near those of the data, dates near the
clock; now and then a boundary, a wrong type, a missing or an unknown argument, another actor's row."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ....environments.models import Actor, Param
from ....environments.resolution import ResolvedTool
from .material import Material
from .moments import at_edge, beside, form_of, near_clock
from .parameters import params_of
from .pools import boundaries, wrong
from .scene import Scene

_SPOILED = 0.12
"""Share of calls that get one argument spoiled."""
_EDGES = 0.12
_NO_SUCH_ID = 999_983


class Composer:
    """Draws arguments in a scene. Everything random comes from `rng`."""

    def __init__(self, material: Material, scene: Scene, now: str, rng: random.Random) -> None:
        self._material = material
        self._scene = scene
        self._now = now
        self._rng = rng

    def draw(self, tool: ResolvedTool, actor: Actor, *, spoil: bool = True) -> dict[str, Any]:
        """Arguments for a call of `tool` by `actor`."""
        rng = self._rng
        optional = rng.choice((0.15, 0.5, 0.9))
        args = {
            name: self.value(tool, name, param, actor)
            for name, param in params_of(tool).items()
            if name in tool.required or rng.random() < optional
        }
        if spoil and rng.random() < _SPOILED:
            self._spoil(tool, args)
        return args

    def vary(self, tool: ResolvedTool, actor: Actor, args: dict[str, Any]) -> dict[str, Any]:
        """Arguments like `args`, with one of them drawn anew, added or left out."""
        params = params_of(tool)
        if not params:
            return dict(args)
        name = self._rng.choice(sorted(params))
        varied = {kept: value for kept, value in args.items() if kept != name}
        if name in tool.required or name not in args or self._rng.random() < 0.5:
            varied[name] = self.value(tool, name, params[name], actor)
        return varied

    def value(self, tool: ResolvedTool, name: str, param: Param, actor: Actor) -> Any:
        """One valid value, or one that is meant to be."""
        if param.ref is not None:
            return self._id(name, param, actor)
        if param.enum is not None:
            return self._rng.choice(param.enum)
        if param.type == "boolean":
            return self._rng.random() < 0.5
        if param.type == "array":
            return self._list(tool, name, param, actor)
        if param.type == "object":
            return self._object(tool, param, actor)
        remembered = self._scene.remembered(name)
        if remembered and self._rng.random() < 0.3:
            return self._rng.choice(remembered)
        return self._plain(tool, name, param)

    def _id(self, name: str, param: Param, actor: Actor) -> Any:
        assert param.ref is not None
        table, column = param.ref.split(".")
        rng, scene = self._rng, self._scene
        roll = rng.random()
        if roll < 0.03:
            return _NO_SUCH_ID if param.type == "integer" else "no-such-key"
        own: list[Any] = []
        if param.scope is not None and (param.scope.roles is None or set(actor.roles) & set(param.scope.roles)):
            own = scene.satisfying(table, column, param.scope.where, actor)
        own = own or scene.owned(table, column, actor)
        focus = [key for key in scene.focus(table) if not own or key in own] if self._by_key(table, column) else []
        if focus and roll < 0.6:
            return rng.choice(focus)
        if own and roll < 0.93:
            return rng.choice(own)
        keys = scene.keys(table, column)
        return rng.choice(keys) if keys else 1

    def _by_key(self, table: str, column: str) -> bool:
        return self._material.anatomy.tables[table].primary_key == (column,)

    def _list(self, tool: ResolvedTool, name: str, param: Param, actor: Actor) -> list[Any]:
        fewest = param.min_items or 0
        most = param.max_items if param.max_items is not None else fewest + 3
        count = min(max(fewest, self._rng.choice((1, 1, 2, 3))), max(fewest, most))
        items: list[Any] = []
        for _ in range(3 * count):
            item = self.value(tool, name, param.items, actor) if param.items is not None else self._rng.randint(0, 9)
            if len(items) < count and not (param.unique_items and item in items):
                items.append(item)
        return items

    def _object(self, tool: ResolvedTool, param: Param, actor: Actor) -> dict[str, Any]:
        required = param.required or ()
        return {
            name: self.value(tool, name, field, actor)
            for name, field in (param.properties or {}).items()
            if name in required or self._rng.random() < 0.5
        }

    def _plain(self, tool: ResolvedTool, name: str, param: Param) -> Any:
        """A text or a number."""
        at_edge = self._at_edge(tool, param) if self._rng.random() < _EDGES else None
        if at_edge is not None:
            return at_edge
        return (self._text if param.type == "string" else self._number)(param, self._known(tool, name))

    def _at_edge(self, tool: ResolvedTool, param: Param) -> Any:
        """A value at the edge of one of the tool's guards; None if its SQL names none for such a parameter."""
        numbers, spans = self._material.constants(tool.name)
        if param.format in ("date", "date-time") and spans:
            return at_edge(self._rng, self._now, self._rng.choice(spans), param.format)
        if param.type in ("integer", "number") and numbers:
            edge = self._rng.choice(numbers) + self._rng.choice((-1, 0, 1))
            return edge if param.type == "integer" else float(edge)
        return None

    def _known(self, tool: ResolvedTool, name: str) -> Sequence[Any]:
        """Values that the data hold for what the parameter is about."""
        for place in self._material.related(tool.name, name)[:3]:
            values = self._material.column_values(place)
            if values and self._rng.random() < 0.7:
                return values
        return ()

    def _text(self, param: Param, known: Sequence[Any]) -> Any:
        rng = self._rng
        form = param.format if param.format in ("date", "date-time", "time") else None
        if form is not None:
            moments = [value for value in known if form_of(value)]
            moved = beside(rng, rng.choice(moments), form) if moments and rng.random() < 0.6 else None
            return moved or near_clock(rng, self._now, form)
        texts = [value for value in known if isinstance(value, str)]
        pool = self._material.pools.valid(param)
        if texts and rng.random() < 0.75:
            chosen = rng.choice(texts)
            return chosen if rng.random() < 0.6 or param.pattern is not None else self._part(chosen)
        return rng.choice(pool) if pool else "x"

    def _part(self, text: str) -> str:
        words = text.split()
        return self._rng.choice(words) if words else text

    def _number(self, param: Param, known: Sequence[Any]) -> Any:
        rng = self._rng
        numbers = [value for value in known if isinstance(value, int | float)]
        whole = param.type == "integer"
        if numbers and rng.random() < 0.6:
            near = rng.choice(numbers) + rng.choice((0, 0, 0, 1, -1))
            return int(near) if whole else float(near)
        if rng.random() < 0.35:
            low = param.minimum if param.minimum is not None else 1
            small = low + rng.choice((0, 0, 1, 1, 2, 3))
            return int(small) if whole else float(small)
        pool = self._material.pools.valid(param)
        return rng.choice(pool) if pool else 1

    def _spoil(self, tool: ResolvedTool, args: dict[str, Any]) -> None:
        """Make one argument a boundary, a wrong value, missing, or unknown."""
        params = params_of(tool)
        name = self._rng.choice([*sorted(params), "no_such_argument"])
        if name not in params:
            args[name] = 1
            return
        ways: list[Callable[[], None]] = [
            lambda: args.update({name: self._rng.choice(list(boundaries(params[name])) or [None])}),
            lambda: args.update({name: self._rng.choice(wrong(params[name]))}),
            lambda: args.pop(name, None),
        ]
        self._rng.choice(ways)()
