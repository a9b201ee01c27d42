"""What the text of an SQL statement shows without SQLite: its words, outside strings, comments and quoted names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .date_modifiers import zone_modifier
from .errors import EnvolveError
from .sql_lexemes import COMMENT, QUOTED_NAME, TEXT

_TOKEN = re.compile(
    rf"""(?P<skip>{TEXT}|{QUOTED_NAME}|{COMMENT})"""
    r"""|(?P<word>[A-Za-z_][A-Za-z0-9_]*)(?P<call>\s*\()?"""
    r"""|(?P<name>[:@$?#][A-Za-z0-9_]+)|(?P<end>;)""",
    re.DOTALL,
)
_BRACKET = re.compile(rf"{TEXT}|{QUOTED_NAME}|{COMMENT}|[()]", re.DOTALL)
_COMMENT = re.compile(rf"(?P<kept>{TEXT}|{QUOTED_NAME})|{COMMENT}")
_REFUSED = {
    "rollback": "the runtime alone ends transactions: use RAISE(ABORT), or leave the conflict clause out",
    "replace": "it deletes rows unseen: write INSERT … ON CONFLICT … DO UPDATE",
}
_REFUSED_CALLS = {
    "last_insert_rowid": "it is wrong after an ignored insert: use RETURNING and `as`",
    "random": "worlds are deterministic: use code(prefix) for codes",
    "randomblob": "worlds are deterministic: use code(prefix) for codes",
    "changes": "it depends on earlier calls: use RETURNING or `rows`",
    "total_changes": "it depends on earlier calls",
    "load_extension": "worlds run no code",
}


DEEPEST = 30
"""Brackets within brackets: far beyond what people write, well within what readers of SQL trees bear."""


class SqlProblem(EnvolveError):
    """SQL that a package may not hold, or that does not prepare; callers add file and field."""


def words(sql: str) -> Iterator[tuple[str, bool]]:
    """Each bare word in lower case, and whether a bracket follows it."""
    for match in _TOKEN.finditer(sql):
        if match["word"]:
            yield match["word"].lower(), match["call"] is not None


class Placed(NamedTuple):
    """A statement of a script, the line it starts on, and whether it creates a trigger."""

    sql: str
    line: int
    trigger: bool


def split(sql: str, most: int) -> list[Placed]:
    """The statements of a script. A CREATE TRIGGER ends, as for SQLite, with `; END;`.

    Raises SqlProblem for more than `most`, empty ones included.
    """
    found: list[Placed] = []
    start, line, count = 0, 1, 0
    head: list[str] = []
    last = before = ""
    for match in _TOKEN.finditer(sql):
        word = match["word"].lower() if match["word"] else match["end"]
        if word is None:
            continue
        if word != ";" or (_is_trigger(head) and (before, last) != (";", "end")):
            head += [word] if len(head) < 3 else []
            before, last = last, word
            continue
        found += _placed(sql[start : match.end()], line, _is_trigger(head))
        line += sql.count("\n", start, match.end())
        start, head, last = match.end(), [], ""
        count += 1
        if count > most:
            raise SqlProblem(f"holds more than {most:,} statements")
    return found + _placed(sql[start:], line, _is_trigger(head))


def _is_trigger(head: list[str]) -> bool:
    return head[:1] == ["create"] and "trigger" in head[1:3]


def _placed(text: str, line: int, trigger: bool) -> list[Placed]:
    match = next((token for token in _TOKEN.finditer(text) if token["word"] or token["name"]), None)
    if match is None:
        return []
    return [Placed(text[match.start() :].strip(), line + text.count("\n", 0, match.start()), trigger)]


def check_text(sql: str) -> None:
    """Raise SqlProblem if the text holds something that no statement of a package may hold."""
    if "\0" in sql:
        raise SqlProblem("holds a NUL character")
    if _depth(sql) > DEEPEST:
        raise SqlProblem(f"nests brackets more than {DEEPEST} deep", remedy="Take parts of it out: WITH, or `let`.")
    for word, called in words(sql):
        if called and word in _REFUSED_CALLS:
            raise SqlProblem(f"{word}() is refused", remedy=f"Reason: {_REFUSED_CALLS[word]}.")
        if not called and word in _REFUSED:
            raise SqlProblem(f"{word.upper()} is refused", remedy=f"Reason: {_REFUSED[word]}.")
    check_time(sql)


def check_single(sql: str) -> None:
    """Raise SqlProblem for text that holds several statements, of which only the first would run."""
    if len(split(sql, most=100)) > 1:
        raise SqlProblem("holds more than one statement")


def _depth(sql: str) -> int:
    deepest = depth = 0
    for match in _BRACKET.finditer(sql):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        deepest = max(deepest, depth)
    return deepest


def check_time(sql: str) -> None:
    """Raise SqlProblem if a date function is told to use the machine's time zone, or may be."""
    zone = zone_modifier(sql)
    if zone is None:
        return
    if zone.written:
        raise SqlProblem(
            f"the modifier {zone.modifier.strip(chr(39))!r} is refused",
            remedy="It depends on the machine: the world's time is local time already.",
        )
    raise SqlProblem(
        f"the modifier {zone.modifier} of {zone.function}() may be 'localtime' or 'utc', which depend on the machine",
        remedy="Write modifiers out, as in '+' || :days || ' days'.",
    )


def without_comments(sql: str) -> str:
    return _COMMENT.sub(lambda match: match["kept"] or " ", sql)


def first_word(sql: str) -> str:
    """The statement's first word in lower case; empty if there is none."""
    return next((word for word, _ in words(sql)), "")
