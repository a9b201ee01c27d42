"""Three ways to page: by offset, by numbered pages, by opaque cursors."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..models import Param
from .base import Inexpressible, Paging, Unfit

_LAST_PAGE: Final = 1_000_000_000
_BYTES: Final = 8
_MARK: Final = 4

Spell = Callable[[str], str]


class OffsetPaging:
    """`limit` and `offset`, `total` and `next_offset`: the canonical form, but for the spelling."""

    def __init__(self, limit: Param, offset: Param, spell: Spell) -> None:
        self.params = {"limit": limit, "offset": offset}
        self._following = spell("next_offset")

    def inward(self, args: dict[str, Any]) -> None:
        return

    def outward(self, args: dict[str, Any]) -> None:
        return

    def shown(self, value: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
        return {"total": value["total"], self._following: value["next_offset"]}

    def read(self, told: Mapping[str, Any], items: int) -> dict[str, Any]:
        return {"total": told["total"], "next_offset": told[self._following]}


class NumberedPaging:
    """`page` from 1 and `per_page`; answers tell both, `total` and `total_pages`."""

    def __init__(self, limit: Param, spell: Spell) -> None:
        self._size, self._pages = spell("per_page"), spell("total_pages")
        self._usual: int = limit.default
        self.params = {
            self._size: limit.model_copy(update={"description": "Items on a page"}),
            "page": Param(
                type="integer", minimum=1, maximum=_LAST_PAGE, default=1, description="Which page, counted from 1"
            ),
        }

    def inward(self, args: dict[str, Any]) -> None:
        if self._size in args:
            args["limit"] = args.pop(self._size)
        if "page" not in args:
            return
        page, size = args.pop("page"), args.get("limit", self._usual)
        if type(page) is not int or type(size) is not int or not 1 <= page <= _LAST_PAGE:
            raise Unfit
        args["offset"] = (page - 1) * size

    def outward(self, args: dict[str, Any]) -> None:
        offset, size = args.pop("offset", None), args.get("limit", self._usual)
        if "limit" in args:
            args[self._size] = args.pop("limit")
        if offset is None:
            return
        whole = type(offset) is int and type(size) is int and size > 0 and 0 <= offset < _LAST_PAGE * size
        if not whole or offset % size:
            raise Inexpressible
        args["page"] = offset // size + 1

    def shown(self, value: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
        size, total = args.get("limit", self._usual), value["total"]
        page = args.get("offset", 0) // size + 1
        return {"page": page, self._size: size, "total": total, self._pages: -(-total // size)}

    def read(self, told: Mapping[str, Any], items: int) -> dict[str, Any]:
        following = (told["page"] - 1) * told[self._size] + items
        return {"total": told["total"], "next_offset": following if items and following < told["total"] else None}


class CursorPaging:
    """`limit`, and the `cursor` that the answer before gave as `next_cursor`. Cursors are made from the offset with
    the tool's own key: they tell nothing, and none that the tool did not give is taken."""

    def __init__(self, limit: Param, spell: Spell, key: str) -> None:
        self._following = spell("next_cursor")
        self._key = hashlib.blake2b(key.encode(), digest_size=32).digest()
        self._pad = int.from_bytes(self._key[:_BYTES], "big")
        self.params = {
            "limit": limit,
            "cursor": Param(
                type="string", description=f"Where to go on: {self._following} of the answer before. Absent: start"
            ),
        }

    def inward(self, args: dict[str, Any]) -> None:
        if "cursor" in args:
            args["offset"] = self._offset(args.pop("cursor"))

    def outward(self, args: dict[str, Any]) -> None:
        if "offset" in args:
            args["cursor"] = self._cursor(args.pop("offset"))

    def shown(self, value: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
        following = value["next_offset"]
        return {"total": value["total"], self._following: None if following is None else self._cursor(following)}

    def read(self, told: Mapping[str, Any], items: int) -> dict[str, Any]:
        cursor = told[self._following]
        return {"total": told["total"], "next_offset": None if cursor is None else self._offset(cursor)}

    def _cursor(self, offset: Any) -> str:
        if type(offset) is not int or not 0 <= offset < 1 << 63:
            raise Inexpressible
        hidden = (offset ^ self._pad).to_bytes(_BYTES, "big")
        return base64.urlsafe_b64encode(hidden + self._mark(hidden)).decode()

    def _offset(self, cursor: Any) -> int:
        if not isinstance(cursor, str):
            raise Unfit
        try:
            made = base64.b64decode(cursor, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            made = b""
        hidden, mark = made[:_BYTES], made[_BYTES:]
        offset = int.from_bytes(hidden, "big") ^ self._pad
        if len(made) != _BYTES + _MARK or mark != self._mark(hidden) or offset >= 1 << 63:
            raise Unfit("cursor: is none that this tool gave")
        return offset

    def _mark(self, hidden: bytes) -> bytes:
        return hashlib.blake2b(hidden, digest_size=_MARK, key=self._key).digest()


def paging(style: str, limit: Param, offset: Param, spell: Spell, key: str) -> Paging:
    """How the pages of one tool look; `key` is its own."""
    if style == "pages":
        return NumberedPaging(limit, spell)
    if style == "cursor":
        return CursorPaging(limit, spell, key)
    return OffsetPaging(limit, offset, spell)
