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
from .rows import RowChooser
from .scene import Scene

_SPOILED = 0.12
"""Share of calls that get one argument spoiled."""
_EDGES = 0.12
_FROM_A_ROW = 0.4
_HEEDED = 0.15


_PYTHON_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}


def _is_amount(param: Param) -> bool:
    return param.type in ("integer", "number") and param.ref is None and param.enum is None


class Composer:
    """Draws arguments in a scene. Everything random comes from `rng`."""

    def __init__(self, material: Material, scene: Scene, now: str, rng: random.Random) -> None:
        self._material = material
        self._scene = scene
        self._now = now
        self._rng = rng

    def draw(self, tool: ResolvedTool, actor: Actor, *, spoil: bool = True) -> dict[str, Any]:
        """Arguments for a call of `tool` by `actor`."""
        rng, rows = self._rng, self._chooser(actor)
        optional = rng.choice((0.15, 0.5, 0.9))
        args = {
            name: self._value(tool, name, param, rows)
            for name, param in params_of(tool).items()
            if name in tool.required or rng.random() < optional
        }
        if rng.random() < _FROM_A_ROW:
            self._from_a_row(tool, rows, args)
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
            varied[name] = self._value(tool, name, params[name], self._chooser(actor))
        return varied

    def _chooser(self, actor: Actor) -> RowChooser:
        return RowChooser(self._material.anatomy, self._scene, actor, self._rng)

    def _from_a_row(self, tool: ResolvedTool, rows: RowChooser, args: dict[str, Any]) -> None:
        """Take what some row holds for all arguments that it could stand behind: values that go together."""
        templates = self._material.templates(tool.name)
        if not templates:
            return
        table, columns = self._rng.choices(templates, [len(each.columns) ** 2 for each in templates])[0]
        row = rows.row(table)
        for name, column in columns.items():
            value = self._as_argument(tool.params[name], row.get(column))
            if name in args and value is not None:
                args[name] = value

    def _as_argument(self, param: Param, value: Any) -> Any:
        """A column's value as an argument of a parameter's type; None if it is none."""
        if param.type == "array" and param.items is not None:
            item = self._as_argument(param.items, value)
            return None if item is None else [item]
        if param.format in ("date", "date-time") and isinstance(value, str) and form_of(value) != param.format:
            return value[:10] if param.format == "date" else None
        fits = _PYTHON_TYPES.get(param.type, ())
        return value if isinstance(value, fits) else None

    def _value(self, tool: ResolvedTool, name: str, param: Param, rows: RowChooser) -> Any:
        """One valid value, or one that is meant to be."""
        if param.ref is not None:
            return rows.id(param)
        if param.enum is not None:
            return self._rng.choice(param.enum)
        if param.type == "boolean":
            return self._rng.random() < 0.5
        if param.type == "array":
            return self._list(tool, name, param, rows)
        if param.type == "object":
            return self._object(tool, param, rows)
        remembered = self._scene.remembered(name)
        if remembered and self._rng.random() < 0.3:
            return self._rng.choice(remembered)
        return self._plain(tool, name, param)

    def _list(self, tool: ResolvedTool, name: str, param: Param, rows: RowChooser) -> list[Any]:
        fewest = param.min_items or 0
        most = param.max_items if param.max_items is not None else fewest + 3
        count = min(max(fewest, self._rng.choice((1, 1, 2, 3))), max(fewest, most))
        items: list[Any] = []
        for _ in range(3 * count):
            item = self._value(tool, name, param.items, rows) if param.items is not None else self._rng.randint(0, 9)
            if len(items) < count and not (param.unique_items and item in items):
                items.append(item)
        return items

    def _object(self, tool: ResolvedTool, param: Param, rows: RowChooser) -> dict[str, Any]:
        required = param.required or ()
        return {
            name: self._value(tool, name, field, rows)
            for name, field in (param.properties or {}).items()
            if name in required or self._rng.random() < 0.5
        }

    def _plain(self, tool: ResolvedTool, name: str, param: Param) -> Any:
        """A text or a number."""
        at_edge = self._at_edge(tool, param) if self._rng.random() < _EDGES else None
        if at_edge is not None:
            return at_edge
        return (self._text if param.type == "string" else self._number)(param, self._known(tool, name))

    def heed(self, tool: ResolvedTool, args: dict[str, Any]) -> dict[str, Any]:
        """Arguments like those that were refused, with a number that the refusal named in place of one of them."""
        numbers = self._scene.told_numbers
        names = [name for name, param in tool.params.items() if name in args and _is_amount(param)]
        if not numbers or not names:
            return args
        return {**args, self._rng.choice(names): self._rng.choice(numbers)}

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
            moved = beside(rng, str(rng.choice(known)), form) if known and rng.random() < 0.6 else None
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
        told = self._scene.told_numbers
        if told and rng.random() < _HEEDED:
            return rng.choice(told) if whole else float(rng.choice(told))
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
