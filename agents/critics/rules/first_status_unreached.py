"""A new row that starts out behind its first status.

Stands for wrong first values: `join_waitlist` makes an entry 'offered', while another tool leads entries from
'waiting' to 'offered' and no tool makes one 'waiting'. Only where all of this is written in the tools: rows are created
in one status, some tool that asks for another one alone sets that status, and nothing sets the other one.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values, is_status
from ...tester.conditions import condition_of, leaves, literal_text, values_admitted
from ...tester.queries import Query
from ...tester.statuses import values_set
from ...tester.trees import ColumnPlace, assignments, place_of
from ..reading.base import Context, again, finding

KIND = "first_status_unreached"


def check(context: Context) -> Iterator[Finding]:
    anatomy = context.anatomy
    for place, created in sorted(_created(anatomy).items()):
        reached = values_set(anatomy, place)
        for query, value in created:
            earlier = sorted(_before(anatomy, place, value) - reached) if reached is not None else []
            if earlier and place.table in anatomy.tables and _is_first(anatomy, place, value, earlier[0]):
                message = (
                    f"{query.tool} creates {place.table} as {value!r}, which others become from {earlier[0]!r}, and"
                    f" nothing makes one {earlier[0]!r}."
                )
                yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _created(anatomy: Anatomy) -> dict[ColumnPlace, list[tuple[Query, str]]]:
    """The statuses in which rows are created, by column."""
    found: dict[ColumnPlace, list[tuple[Query, str]]] = {}
    for query in anatomy.all_queries():
        for made in assignments(query.tree) if isinstance(query.tree, exp.Insert) else ():
            value = literal_text(made.value)
            if is_status(made.column) and value is not None:
                found.setdefault(ColumnPlace(made.table, made.column), []).append((query, value))
    return found


def _before(anatomy: Anatomy, place: ColumnPlace, value: str) -> set[str]:
    """The statuses that some tool asks for alone and that it turns into `value`."""
    found: set[str] = set()
    for name in anatomy.tools:
        queries = anatomy.queries[name]
        sets = any(
            isinstance(query.tree, exp.Update)
            and (made.table, made.column) == place
            and literal_text(made.value) == value
            for query in queries
            for made in assignments(query.tree)
        )
        found |= {
            each for query in queries if sets and query.kind == "require" for each in _asked(anatomy, query, place)
        }
    return found - {value}


def _asked(anatomy: Anatomy, query: Query, place: ColumnPlace) -> Iterator[str]:
    """The one status that a guard lets pass."""
    names = anatomy.names[query.tool]
    for leaf in leaves(condition_of(query.tree)):
        admitted = values_admitted(leaf.node, leaf.negated)
        one = admitted is not None and admitted.inside and len(admitted.values) == 1
        if admitted is not None and one and place_of(names.origin(admitted.subject), anatomy.tables) == place:
            yield from admitted.values


def _is_first(anatomy: Anatomy, place: ColumnPlace, value: str, earlier: str) -> bool:
    """Whether the CHECK lists the earlier status first, and no default gives it."""
    listed = checked_values(anatomy.tables[place.table], place.column)
    default = anatomy.tables[place.table].by_name[place.column].default
    return earlier in listed and value in listed and listed.index(earlier) < listed.index(value) and default is None
