"""Tables as the writer of a verifier looks at them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ....environments.models import ColumnClasses, Let, Require
from ....environments.package import Environment
from ....environments.resolution import ResolvedTool
from ....environments.schema import TableInfo

_WORDS = re.compile(r"\b(\w+)\s+IN\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.:])\d{1,9}(?![\w.])")
_TEXT = re.compile(r"'((?:[^']|'')*)'")


class TableShape(NamedTuple):
    """`key`: the primary key, if it is one column. `references`: column → table. `words`: column → the texts that
    its CHECK admits. `numbers`: whole numbers that are no key. `ignored`: clock and code columns. `ordered`: column →
    the column that groups its ranks."""

    columns: tuple[str, ...]
    key: str | None
    references: dict[str, str]
    words: dict[str, frozenset[str]]
    numbers: tuple[str, ...]
    ignored: frozenset[str]
    ordered: dict[str, str]
    log: bool


def shapes(environment: Environment) -> Mapping[str, TableShape]:
    """The shape of every table (views left out)."""
    classes = environment.spec.columns
    return {name: _shape(table, classes) for name, table in environment.tables().items() if not table.view}


def _shape(table: TableInfo, classes: ColumnClasses) -> TableShape:
    ignored = (*classes.clock, *classes.code)
    keys = {*table.primary_key, *(name for part in table.references for name in part.columns)}
    return TableShape(
        columns=table.stored,
        key=table.primary_key[0] if len(table.primary_key) == 1 else None,
        references={part.columns[0]: part.table for part in table.references if len(part.columns) == 1},
        words=check_words(table.sql),
        numbers=tuple(
            column.name for column in table.columns if column.type == "INTEGER" and column.name not in keys
        ),
        ignored=frozenset(name for name in table.stored if {f"{table.name}.{name}", f"*.{name}"} & {*ignored}),
        ordered={
            place.partition(".")[2]: group
            for place, group in classes.order.items()
            if place.partition(".")[0] == table.name
        },
        log=table.name in classes.log,
    )


@lru_cache(maxsize=512)
def check_words(sql: str) -> dict[str, frozenset[str]]:
    """Column → texts, from `column IN ('a', 'b')` in a CREATE TABLE statement."""
    return {
        match.group(1): frozenset(text.replace("''", "'") for text in _TEXT.findall(match.group(2)))
        for match in _WORDS.finditer(sql)
    }


def sql_constants(tool: ResolvedTool) -> tuple[frozenset[str], frozenset[int]]:
    """The texts and whole numbers that a tool's SQL holds as constants."""
    texts: set[str] = set()
    numbers: set[int] = set()
    for step in tool.steps:
        if isinstance(step, Let):
            statements = [query if isinstance(query, str) else query.row for query in step.let.values()]
        else:
            statements = [step.require if isinstance(step, Require) else step.do]
        for sql in statements:
            texts.update(text.replace("''", "'") for text in _TEXT.findall(sql))
            numbers.update(int(number) for number in _NUMBER.findall(_TEXT.sub("", sql)))
    return frozenset(texts), frozenset(numbers)
