"""What the parts of a surface have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..models import Param


class Unfit(Exception):
    """Arguments that a player gave have no canonical form. The message says why; empty: the schema does."""


class Inexpressible(Exception):
    """A canonical call that no player could make in this surface."""


class Paging(Protocol):
    """How the pages of one tool are asked for and told. `own` are the names of its parameters and fields."""

    @property
    def params(self) -> dict[str, Param]:
        """The parameters that stand for `limit` and `offset`."""
        ...

    def inward(self, args: dict[str, Any]) -> None:
        """Put `limit` and `offset` in the place of its own arguments. Raises Unfit."""
        ...

    def outward(self, args: dict[str, Any]) -> None:
        """Undo `inward`. Raises Inexpressible."""
        ...

    def shown(self, value: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
        """What takes the place of `total` and `next_offset` in the answer to a call with the canonical `args`."""
        ...

    def read(self, told: Mapping[str, Any], items: int) -> dict[str, Any]:
        """Undo `shown`; `items` is how many there are on the page."""
        ...
