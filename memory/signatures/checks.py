"""The CHECK conditions of a table, each as the parts of its expression and the columns that it names.

Each is read by itself, with its columns quoted: a column may be called like a word that the parser keeps for itself,
and a name must make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...environments.schema import TableInfo
from ...environments.sql_lexemes import COMMENT, QUOTED_NAME, TEXT
from .base import bag

_PIECE = re.compile(
    rf"(?P<skip>{TEXT}|{COMMENT})|(?P<quoted>{QUOTED_NAME})|(?P<word>[A-Za-z_]\w*)(?P<call>\s*\()?|(?P<bracket>[()])",
    re.DOTALL,
)


class Check(NamedTuple):
    """`shape`: kinds of the expression's parts with their counts, no names and no values. `columns`: in lower case."""

    shape: str
    columns: tuple[str, ...]


def checks_of(info: TableInfo) -> list[Check]:
    """All of a table's, in the order of its text; a view has none."""
    if info.view:
        return []
    names = {column.name.lower() for column in info.columns}
    return [_check(text, names) for text in _texts(info.sql)]


def _texts(sql: str) -> Iterator[str]:
    """What stands in the brackets behind each CHECK."""
    depth, outer, start = 0, 0, -1
    for match in _PIECE.finditer(sql):
        if match["call"] or match["bracket"] == "(":
            if start < 0 and match["word"] and match["word"].lower() == "check":
                outer, start = depth, match.end()
            depth += 1
        elif match["bracket"] == ")":
            depth -= 1
            if start >= 0 and depth == outer:
                yield sql[start : match.start()]
                start = -1


def _check(text: str, names: set[str]) -> Check:
    mentioned = set[str]()

    def quoted(match: re.Match[str]) -> str:
        name = (match["quoted"] or "")[1:-1].lower() or ("" if match["call"] else (match["word"] or "").lower())
        if name not in names:
            return match[0]
        mentioned.add(name)
        return f'"{name}"'

    shape = _shape(_PIECE.sub(quoted, text))
    return Check(shape, tuple(sorted(mentioned)))


@lru_cache(maxsize=4096)
def _shape(expression: str) -> str:
    """Schemas repeat themselves: the same text is read once. What the parser cannot read is told no further apart."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(f"SELECT {expression}", dialect="sqlite")
    except SqlglotError:
        return "check"
    return f"check {bag(type(node).__name__ for part in tree.expressions for node in part.walk())}"
