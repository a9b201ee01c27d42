"""Calls as they were made, so that they can be made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....environments.models import Actor, Param, ProbeCall, RowChange

Key = tuple[str, Any]
"""(table, value of its key column)."""


@dataclass(frozen=True)
class Step:
    """A call, and the rows that it made: later calls may point at them."""

    tool: str
    args: Mapping[str, Any]
    actor: Actor
    made: tuple[Key, ...] = ()

    def probe_call(self) -> ProbeCall:
        return ProbeCall(call=self.tool, args=dict(self.args), actor=self.actor)


def rows_made(changes: Iterable[RowChange]) -> tuple[Key, ...]:
    """The rows that a call inserted, where a key of one column names them."""
    return tuple(
        (change.table, next(iter(change.key.values())))
        for change in changes
        if change.op == "insert" and len(change.key) == 1
    )


def renamed(args: Mapping[str, Any], params: Mapping[str, Param], ids: Mapping[Key, Any]) -> dict[str, Any]:
    """Arguments with ids of rows made by earlier calls exchanged for those that the rows have now."""
    if not ids:
        return dict(args)
    return {name: _renamed(value, params[name], ids) if name in params else value for name, value in args.items()}


def _renamed(value: Any, param: Param, ids: Mapping[Key, Any]) -> Any:
    if isinstance(value, list) and param.items is not None:
        return [_renamed(item, param.items, ids) for item in value]
    if param.ref is None or not isinstance(value, int | str):
        return value
    return ids.get((param.ref.split(".")[0], value), value)


def matched(before: tuple[Key, ...], now: tuple[Key, ...]) -> Iterator[tuple[Key, Any]]:
    """Rows that a call made when it was first made, with the keys of those that it made this time."""
    for table in dict.fromkeys(table for table, _ in before):
        old = [key for name, key in before if name == table]
        new = [key for name, key in now if name == table]
        yield from (((table, key), value) for key, value in zip(old, new, strict=False))
