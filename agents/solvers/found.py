"""What a walk along gold has found so far, right or wrong: results and picks by their names, and every value seen.

It guesses what was never looked up from values seen; what to do with it is the walker's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ...environments.gold.references import PickedRow, PickQuery, Unresolved, pick_query, resolve
from ...environments.gold.scratch import Scratch
from ...environments.models import CallStep
from .seen import Seen

GUESS = 40
"""Ids guessed without anything seen lie below this."""


class Found:
    """`names` → values, as gold's references name them. Close it: it holds a scratch database."""

    def __init__(self, clock: str, actor_id: int, rng: Random) -> None:
        self.names: dict[str, Any] = {}
        self.seen = Seen()
        self._rng = rng
        self._rows: dict[str, Sequence[Mapping[str, Any]]] = {}
        self._scratch = Scratch(clock, {"actor_id": actor_id})

    def close(self) -> None:
        self._scratch.close()

    def keep(self, name: str, value: Any, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        """A value by its name, and the table that later picks see of it."""
        self.names[name] = value
        self._rows[name] = rows
        self._scratch.put(name, columns, rows)

    def keep_results(self, name: str, values: Sequence[Any], columns: Sequence[str], *, many: bool) -> None:
        """Results of a call, or with `many` of one call for each item of a list."""
        self.keep(name, list(values) if many else values[0], *_table(values, columns))

    def chosen(self, sql: str) -> tuple[Sequence[str], list[PickedRow], list[Mapping[str, Any]]]:
        """What a pick comes to: columns and rows, and all rows that it looked at. Raises Unresolved, PickFailed."""
        query: PickQuery = pick_query(sql, self.names)
        columns, rows = self._scratch.pick(query)
        return columns, rows, [row for table in sorted(query.tables) for row in self._rows[table]]

    def rounds(self, step: CallStep) -> list[dict[str, Any]]:
        """The names once, or once for each item of a list."""
        if step.each is None:
            return [self.names]
        try:
            items = resolve(step.each, self.names, whole_rows=True)
        except Unresolved:
            return []
        if isinstance(items, Mapping):
            items = items.get("items")
        return [{**self.names, "it": item} for item in items] if isinstance(items, list) else []

    def arguments(self, args: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments resolved; what a skipped look-up would have told is guessed, or left out."""
        found: dict[str, Any] = {}
        for name, value in args.items():
            try:
                found[name] = resolve(value, names)
            except Unresolved:
                guess = self._guess(name)
                if guess is not None:
                    found[name] = guess
        return found

    def _guess(self, name: str) -> Any:
        known = self.seen.values(name)
        if known:
            return self._rng.choice(known)
        return self._rng.randint(1, GUESS) if name.endswith("_id") else None


def _table(values: Sequence[Any], columns: Sequence[str]) -> tuple[Sequence[str], list[Mapping[str, Any]]]:
    """Results as columns and rows: `{"items": [...]}` is many rows, an object one, anything else one `value`."""
    rows: list[Mapping[str, Any]] = []
    for value in values:
        if isinstance(value, Mapping):
            rows += value["items"] if isinstance(value.get("items"), list) else [value]
        else:
            rows.append({"value": value})
    return (columns or list(dict.fromkeys(name for row in rows for name in row)) or ("value",)), rows
