"""Ends that differ in nothing but the spelling of texts.

Where a verifier compares a column by `same_text`, `fold` or words, it says that spelling is up to the solver. So the
texts of such columns are put to one spelling, in what gold changed and in what a run changed, and then the two ends are
held against each other by ≈ as ever. Spelling is what `same_text` passes over: case, accents and spacing. Other words,
and words besides, are another end, also where the verifier takes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlglot import exp

from ...environments.changes import ChangeSet
from ...environments.functions import fold
from ...environments.gold import GoldRun
from ...environments.models import RowChange
from ..sql_trees import parsed
from .base import AuditContext
from .edits import EndState
from .sql_literals import compared_column, owners

_LOOSE = frozenset({"same_text", "fold", "has_word", "has_words"})


def spelled_otherwise(context: AuditContext, end: GoldRun | EndState) -> bool:
    """Whether an end differs from gold's, and in the spelling of loosely compared texts alone."""
    if end.signature == context.gold.signature:
        return False
    columns = context.once(_loose_columns)
    if not columns:
        return False
    image = end.after if isinstance(end, GoldRun) else end.image
    return _respelled(context, image, end.changes, columns) == _respelled(
        context, context.gold.after, context.gold.changes, columns
    )


def _respelled(context: AuditContext, image: bytes, changes: ChangeSet, columns: Collection[str]) -> str:
    """The signature of an end with its loosely compared texts in one spelling."""
    rows = tuple(_plainly(change, columns) for change in changes.rows)
    return context.state(image, ChangeSet(rows=rows)).signature


def _plainly(change: RowChange, columns: Collection[str]) -> RowChange:
    new = {
        name: _plain(value) if f"{change.table}.{name}" in columns else value for name, value in change.new.items()
    }
    return change.model_copy(update={"new": new})


def _plain(value: Any) -> Any:
    return " ".join(str(fold(value)).split()) if isinstance(value, str) else value


def _loose_columns(context: AuditContext) -> frozenset[str]:
    """The columns (`table.column`) that requirements compare loosely."""
    names = {name: tuple(table.by_name) for name, table in context.environment.tables().items()}
    return frozenset(place for check in context.task.verifier.require for place in _compared(check.sql, names))


def _compared(sql: str, names: Mapping[str, Collection[str]]) -> Iterator[str]:
    """SQL that does not parse compares nothing."""
    tree = parsed(sql)
    if tree is None:
        return
    for call in tree.find_all(exp.Anonymous):
        if str(call.name).lower() in _LOOSE:
            for column in call.find_all(exp.Column):
                yield from (f"{table}.{column.name}" for table in owners(compared_column(column), names))
