"""Statuses that nothing leads away from, by the tools' own guards, and the tools that do not look.

Where several tools that write a status ask first which one a row has, a value that none of them lets pass is final: a
cancelled order stays cancelled. A tool that writes the status without looking at it must not lead away from a final
one, unless its name says that it does just that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlglot import exp

from .anatomy import Anatomy
from .columns import checked_values, is_status
from .conditions import condition_of, values_admitted
from .deciding import deciding_columns
from .trees import ColumnPlace, assignments, conjuncts, place_of
from .words import stems_in

_ENOUGH = 2
_BACK = frozenset(stems_in("reopen restore reactivate resume undo revert reset"))


class Final(NamedTuple):
    """The final values of a status column, the tools that heed them, and those that write it without looking."""

    place: ColumnPlace
    values: frozenset[str]
    heeding: tuple[str, ...]
    blind: frozenset[str]


def finals_of(anatomy: Anatomy) -> tuple[Final, ...]:
    """Status columns with final values, and tools that could break them."""
    found = []
    for place, writers in _writers(anatomy).items():
        admitted = {tool: _admitted(anatomy, tool, place) for tool in writers}
        looking = {tool for tool in writers if place in deciding_columns(anatomy, tool)}
        heeding = tuple(sorted(tool for tool in looking if admitted[tool] is not None))
        values = set(checked_values(anatomy.tables[place.table], place.column))
        blind = frozenset(tool for tool in writers - looking if _BACK.isdisjoint(stems_in(tool)))
        if len(heeding) < _ENOUGH or len(heeding) < len(looking) or not blind:
            continue
        final = values - {value for tool in heeding for value in admitted[tool] or ()}
        if final:
            found.append(Final(place, frozenset(final), heeding, blind))
    return tuple(found)


def _writers(anatomy: Anatomy) -> Mapping[ColumnPlace, set[str]]:
    """Tools that update a status to what they say themselves, and not to what the caller gives."""
    found: dict[ColumnPlace, set[str]] = {}
    for query in anatomy.all_queries():
        for table, column, value in assignments(query.tree) if isinstance(query.tree, exp.Update) else ():
            if is_status(column) and value.find(exp.Literal) is not None and value.find(exp.Subquery) is None:
                found.setdefault(ColumnPlace(table, column), set()).add(query.tool)
    return found


def _admitted(anatomy: Anatomy, tool: str, place: ColumnPlace) -> frozenset[str] | None:
    """The values that the tool's guards let pass; None if no guard lists them."""
    listed: frozenset[str] | None = None
    every = frozenset(checked_values(anatomy.tables[place.table], place.column))
    for each in _tests(anatomy, tool):
        found = values_admitted(each)
        if found is None or place_of(anatomy.names[tool].origin(found.subject), anatomy.tables) != place:
            continue
        passing = frozenset(value for value in every if found.holds(value))
        listed = passing if listed is None else listed & passing
    return listed


def _tests(anatomy: Anatomy, tool: str) -> Iterator[exp.Expr]:
    for query in anatomy.queries[tool]:
        if query.kind == "require":
            yield from conjuncts(condition_of(query.tree))
