"""Names of the world that the request says, and that nothing is about.

A name is a text with a capital letter that stands in one row alone, of a column whose texts hardly repeat; it is said
as the world writes it, and within a sentence where it is one word. It is about something where a phrase holds it, gold
passes or compares with it or with a part of it, the verifier or the answer's options name it, or it is of a row that
the task is about: of one that a phrase means or gold acts on, or of one a reference away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...environments.schema import TableInfo
from ...environments.states.rows import quoted
from .base import AuditContext
from .gold_constants import gold_texts
from .known_values import linked_to_phrases, values_of_passed_rows, values_of_phrases
from .language import has_phrase
from .resolving import Resolved
from .sources import verifier_constants
from .sql_literals import constants

_SHORTEST = 3
_DISTINCT = 0.8
"""Share of different texts in a column of names. Kinds and places repeat more often."""


class SaidName(NamedTuple):
    """A name that the request says, and the column that holds it."""

    name: str
    column: str


def untouched_names(context: AuditContext, phrases: Iterable[Resolved]) -> list[SaidName]:
    """The names that the request says and nothing is about."""
    said = _said(context)
    if not said:
        return []
    texts = [text for text in _touched(context) if isinstance(text, str) and any(map(str.isalnum, text))]
    found = [name for name in said if not any(_about(text, name.name) for text in texts)]
    if not found:
        return []
    phrases = list(phrases)
    known = {
        *values_of_phrases(context, phrases),
        *linked_to_phrases(context, phrases),
        *values_of_passed_rows(context),
    }
    return [name for name in found if name.name not in known]


def _about(text: str, name: str) -> bool:
    return has_phrase(text, name) or has_phrase(name, text.strip("%"))


def _said(context: AuditContext) -> list[SaidName]:
    """Texts of single rows that stand in what is said, letter by letter."""
    reader, found = context.reader, list[SaidName]()
    for table in context.environment.tables().values():
        sql = " UNION ALL ".join(_queries(table))
        rows = reader.query(sql, {"said": context.said}) if sql else []
        found += [SaidName(str(name), str(column)) for name, column in rows]
    return [one for one in found if one.name != one.name.lower() and _is_said(context.said, one.name)]


def _is_said(text: str, name: str) -> bool:
    """Whether the words stand there whole; a single one after another word, for any word may begin a sentence."""
    before = r"(?<!\w)" if " " in name else r"(?<=[\w,;] )"
    return re.search(rf"{before}{re.escape(name)}(?!\w)", text) is not None


def _queries(table: TableInfo) -> Iterator[str]:
    for column in table.columns if not table.view else ():
        if column.type.upper() == "TEXT" and column.references is None:
            name, place = quoted(column.name), f"{table.name}.{column.name}".replace("'", "''")
            source = f"before.{quoted(table.name)}"
            yield (
                f"SELECT {name}, '{place}' FROM {source} WHERE length({name}) >= {_SHORTEST} AND instr(:said, {name}) > 0"
                f" GROUP BY {name} HAVING count(*) = 1"
                f" AND (SELECT count(DISTINCT {name}) > {_DISTINCT} * count({name}) FROM {source})"
            )


def _touched(context: AuditContext) -> Iterator[Any]:
    """What phrases, gold, the verifier and the answer's options name."""
    for phrase, grounding in context.task.grounding.items():
        yield phrase
        yield from (constant.value for constant in constants(grounding.sql or ""))
    yield from gold_texts(context)
    yield from (constant.value for _, constant in verifier_constants(context))
    yield from context.task.verifier.answer.options
