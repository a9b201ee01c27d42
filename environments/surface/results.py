"""How answers look: bare, or with data and what is told about them kept apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from .base import Paging
from .rows import RowForm

Kind = Literal["one", "many", "value", "nothing"]


class ResultForm:
    """The answers of one tool. `rows` is how its rows look; of the row of `value`, only ids look different."""

    def __init__(self, kind: Kind, rows: RowForm, paging: Paging | None, *, wrapped: bool) -> None:
        self._kind = kind
        self._rows = rows
        self._prefix = rows.cells[0].prefix if kind == "value" and rows.cells else None
        self._paging = paging
        self._wrapped = wrapped

    def shown(self, value: Any, args: Mapping[str, Any]) -> Any:
        """What a player sees of the value that a call with the canonical `args` gave."""
        if self._kind == "many":
            items = [self._rows.shown(row) for row in value["items"]]
            told = {} if self._paging is None else self._paging.shown(value, args)
            return {"data": items, "meta": told} if self._wrapped else {"items": items} | told
        data = value
        if self._kind == "one":
            data = self._rows.shown(value)
        elif self._kind == "value" and self._prefix is not None:
            data = {"value": self._prefix.written(value["value"])}
        return {"data": data, "meta": {}} if self._wrapped else data

    def read(self, payload: Any) -> Any:
        """Undo `shown`."""
        if self._kind == "many":
            items = payload["data" if self._wrapped else "items"]
            rows = [self._rows.read(row) for row in items]
            told = payload["meta"] if self._wrapped else payload
            return {"items": rows} | ({} if self._paging is None else self._paging.read(told, len(rows)))
        data = payload["data"] if self._wrapped else payload
        if self._kind == "one":
            return self._rows.read(data)
        if self._kind == "value" and self._prefix is not None:
            return {"value": self._prefix.number(data["value"])}
        return data
