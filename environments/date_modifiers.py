"""Whether a date function in SQL may be told to use the machine's time zone.

SQLite's modifiers `localtime` and `utc` depend on the machine; every other one does not. A modifier has to show that
it is none of the two: as a text that is written out, a number, or a text put together from a piece that neither of
them holds, as in `'+' || :days || ' days'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .sql_lexemes import COMMENT, QUOTED_NAME, TEXT

_FIRST_MODIFIER = {"date": 1, "time": 1, "datetime": 1, "julianday": 1, "unixepoch": 1, "strftime": 2}
"""Name → how many arguments stand before the modifiers."""
_ZONES = ("localtime", "utc")
_NAMED = re.compile(rf"\b(?:{'|'.join(_FIRST_MODIFIER)})\b", re.IGNORECASE)
_PIECE = re.compile(
    rf"""(?P<space>\s+|{COMMENT})|(?P<text>{TEXT})|(?P<quoted>{QUOTED_NAME})"""
    r"""|(?P<number>\d[\w.]*)|(?P<name>[:@$?#]\w*)|(?P<word>[^\W\d][\w$]*)|(?P<mark>\|\||.)""",
    re.DOTALL,
)
_SPECIFIER = re.compile(r"%[^a-zA-Z%]*l*[a-zA-Z%]")
_DEEPEST = 60
"""Brackets in brackets; what is nested more deeply does not show what it is."""
_EITHER = {"coalesce", "ifnull", "iif", "if", "nullif"}
"""Functions that give one of their arguments."""


class Zone(NamedTuple):
    """A modifier that is, or may be, one of the two; `written`: it is."""

    function: str
    modifier: str
    written: bool


class _Piece(NamedTuple):
    kind: str
    text: str


def zone_modifier(sql: str) -> Zone | None:
    """The first modifier of a date function that may be `localtime` or `utc`; None if none can."""
    if not _NAMED.search(sql):
        return None
    for window in _windows(sql):
        if sum(map(_deeper, window)) > _DEEPEST:
            return Zone(_date_function(window[0]), "…", False)
        for function, arguments in _calls(window):
            for argument in arguments[_FIRST_MODIFIER[function] :]:
                if _may_be_zone(argument):
                    shown = " ".join(piece.text for piece in argument)
                    return Zone(function, shown, len(argument) == 1 and argument[0].kind == "text")
    return None


def _windows(sql: str) -> Iterator[list[_Piece]]:
    """The pieces of each call of a date function that stands in no other one, as far as it is not nested too deeply.
    Long scripts are never held whole."""
    window: list[_Piece] = []
    depth = 0
    for found in _PIECE.finditer(sql):
        if found.lastgroup == "space":
            continue
        piece = _Piece(str(found.lastgroup), found[0])
        if depth or (piece.text == "(" and window):
            window.append(piece)
            depth += _deeper(piece)
            if depth == 0 or depth > _DEEPEST:
                yield window
                window, depth = [], 0
        else:
            window = [piece] if _date_function(piece) else []
    if window:
        yield window


def _calls(window: Sequence[_Piece]) -> Iterator[tuple[str, list[list[_Piece]]]]:
    """Each call of a date function in a window, with its arguments."""
    for place, piece in enumerate(window[:-1]):
        function = _date_function(piece)
        if function and window[place + 1].text == "(":
            yield function, _split(_inside(window, place + 1), ",")


def _date_function(piece: _Piece) -> str:
    """The name of the date function that a piece names; empty if it names none."""
    name = piece.text.strip('"`[]').lower() if piece.kind in ("word", "quoted") else ""
    return name if name in _FIRST_MODIFIER else ""


def _inside(pieces: Sequence[_Piece], opening: int) -> list[_Piece]:
    """What stands between the bracket at `opening` and the one that closes it."""
    depth = 0
    for place in range(opening, len(pieces)):
        depth += _deeper(pieces[place])
        if depth == 0:
            return list(pieces[opening + 1 : place])
    return list(pieces[opening + 1 :])


def _deeper(piece: _Piece) -> int:
    """How many levels a piece leads down: brackets, and CASE … END."""
    if piece.kind == "word":
        return {"case": 1, "end": -1}.get(piece.text.lower(), 0)
    return {"(": 1, ")": -1}.get(piece.text, 0)


def _split(pieces: Sequence[_Piece], mark: str) -> list[list[_Piece]]:
    """The parts between marks that stand in no bracket."""
    parts: list[list[_Piece]] = [[]]
    depth = 0
    for piece in pieces:
        depth += _deeper(piece)
        if depth == 0 and piece == _Piece("mark", mark):
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _may_be_zone(argument: Sequence[_Piece]) -> bool:
    if not argument:
        return False
    first, rest = argument[0], argument[1:]
    joined = _split(argument, "||")
    if len(joined) > 1:
        return not any(len(part) == 1 and _tells(part[0]) for part in joined)
    if first.text == "(" and len(_inside(argument, 0)) == len(argument) - 2:
        return _may_be_zone(argument[1:-1])
    if not rest:
        return first.kind != "number" and not (first.kind == "text" and _text(first).strip().lower() not in _ZONES)
    if first.kind == "word" and rest[0].text == "(" and len(_inside(argument, 1)) == len(argument) - 3:
        return _call_may_be_zone(first.text.lower(), _split(argument[2:-1], ","))
    if first.text.lower() == "case" and rest[-1].text.lower() == "end":
        return any(_may_be_zone(result) for result in _results(argument[1:-1]))
    return not all(piece.kind == "number" or piece.text in "+-*/%()" for piece in argument)


def _call_may_be_zone(function: str, arguments: Sequence[Sequence[_Piece]]) -> bool:
    if function in ("printf", "format"):
        form = arguments[0]
        return not (len(form) == 1 and form[0].kind == "text" and _unlike_zones(_SPECIFIER.sub("", _text(form[0]))))
    if function in _EITHER:
        return any(_may_be_zone(argument) for argument in arguments[1 if function in ("iif", "if") else 0 :])
    return True


def _results(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """What a CASE may give: after each THEN and ELSE of its own."""
    depth = 0
    taken: list[_Piece] | None = None
    for piece in pieces:
        depth += _deeper(piece)
        word = piece.text.lower() if piece.kind == "word" and depth == 0 else ""
        if word in ("when", "then", "else"):
            if taken is not None:
                yield taken
            taken = None if word == "when" else []
        elif taken is not None:
            taken.append(piece)
    if taken is not None:
        yield taken


def _tells(piece: _Piece) -> bool:
    """Whether a piece of a text that is put together tells that the whole is no zone."""
    return piece.kind == "text" and _unlike_zones(_text(piece))


def _unlike_zones(text: str) -> bool:
    return bool(text) and not any(text.lower() in zone for zone in _ZONES)


def _text(piece: _Piece) -> str:
    return piece.text[1:-1].replace("''", "'")
