"""SQL as text: literals, bound names filled in, tables put into a schema. Nothing is executed here."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

TOKEN = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|:(?P<bound>[A-Za-z_]\w*)|\{(?P<slot>[a-z_]\w*)\}",
    re.DOTALL,
)


class Sql(str):
    """An SQL expression that stands for a value (a row which does not exist yet)."""

    __slots__ = ()


def literal(value: Any) -> str:
    """`value` (None, bool, int, float, str, or a list for IN) as an SQL literal."""
    if isinstance(value, Sql):
        return f"({value})"
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"({', '.join(literal(item) for item in value)})"
    return "'" + str(value).replace("'", "''") + "'"


STANDING = frozenset({"actor_id", "now", "today"})
"""Names that are bound wherever the SQL of a task runs, gold's picks aside."""


def inline(sql: str, values: Mapping[str, Any], *, keep: Collection[str] = ()) -> str:
    """`sql` with `:name` and `{name}` (outside strings) replaced by literals, but for the names to `keep`.

    Raises KeyError for unknown names.
    """

    def replace(match: re.Match[str]) -> str:
        name = match.group("bound") or match.group("slot")
        return literal(values[name]) if name and name not in keep else match.group(0)

    return TOKEN.sub(replace, sql)


def bound_names(sql: str) -> set[str]:
    """The names that `sql` needs bound (`:name` and `{name}`)."""
    found = ((match.group("bound") or match.group("slot")) for match in TOKEN.finditer(sql))
    return {name for name in found if name}


_PART = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|[:@$]?\w+|\s+|.", re.DOTALL)
_FROM_ENDS = {
    "where",
    "group",
    "order",
    "having",
    "limit",
    "union",
    "except",
    "intersect",
    "select",
    "on",
    "using",
    "set",
}


@lru_cache(maxsize=1024)
def in_schema(sql: str, schema: str) -> str:
    """`sql` with every table that a FROM or JOIN names without a schema put into `schema` (`before`, `after`).

    Names that a WITH clause introduces stay as they are.
    """
    parts = _PART.findall(sql)
    introduced = set(
        re.findall(r"(?:\bwith|,)\s+(?:recursive\s+)?(\w+)\s*(?:\([^()]*\)\s*)?\bas\b\s*\(", sql, re.IGNORECASE)
    )
    listing = [False]
    last = ""
    for index, part in enumerate(parts):
        word = part.lower()
        if not part.strip() or part.startswith(("--", "/*")):
            continue
        if word in ("from", "join"):
            listing[-1] = True
        elif word == "(":
            listing.append(listing[-1] and last in ("from", "join", ","))
        elif word == ")":
            listing = listing[:-1] or [False]
        elif word in _FROM_ENDS:
            listing[-1] = False
        elif listing[-1] and last in ("from", "join", ",") and part.isidentifier() and part not in introduced:
            parts[index] = part if _follows(parts, index, (".", "(")) else f"{schema}.{part}"
        last = word
    return "".join(parts)


def _follows(parts: list[str], index: int, marks: tuple[str, ...]) -> bool:
    """Whether the next part that is no space is one of `marks`."""
    return next((part for part in parts[index + 1 :] if part.strip()), "") in marks
